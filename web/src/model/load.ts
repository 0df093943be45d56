// Something fetched for a view: what came, what went wrong, and whether more is under way.
// Only the last request counts, so that a slow answer never overwrites a newer one.
import { signal, type Signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { get, type Answered } from './api';
import type { Problem } from './types';

export interface Loaded<T> { value: Signal<T | undefined>; problem: Signal<Problem | undefined>; busy: Signal<boolean>; again: () => Promise<void> }

export function loader<T>(fetchIt: () => Promise<Answered<T>>): Loaded<T> {
  const value = signal<T | undefined>(undefined), problem = signal<Problem | undefined>(undefined), busy = signal(false);
  let turn = 0;
  const again = async (): Promise<void> => {
    const mine = ++turn;
    busy.value = true;
    const answered = await fetchIt();
    if (mine !== turn) return;
    busy.value = false;
    problem.value = answered.ok ? undefined : answered.problem;
    if (answered.ok) value.value = answered.value;
  };
  return { value, problem, busy, again };
}

// Fetches when the view appears and whenever the address changes.
export function useLoaded<T>(path: string): Loaded<T> {
  const loaded = useMemo(() => loader<T>(() => get<T>(path)), [path]);
  useEffect(() => { void loaded.again(); }, [loaded]);
  return loaded;
}
