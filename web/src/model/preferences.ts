// What the reader chose for this device: light or dark, single keys or not. Kept in the browser, nowhere else.
import { effect, signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';
export const theme = signal<Theme>(stored('theme', ['system', 'light', 'dark'], 'system'));
export const singleKeys = signal(stored('keys', ['on', 'off'], 'on') === 'on');

export function startPreferences(): void {
  effect(() => {
    document.documentElement.dataset['theme'] = theme.value;
    keep('theme', theme.value);
  });
  effect(() => keep('keys', singleKeys.value ? 'on' : 'off'));
}

function stored<T extends string>(name: string, known: readonly T[], otherwise: T): T {
  try {
    const value = localStorage.getItem(`tollgate.${name}`);
    return known.find((each) => each === value) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function keep(name: string, value: string): void {
  try {
    localStorage.setItem(`tollgate.${name}`, value);
  } catch {
    // A browser that keeps nothing still shows the page.
  }
}
