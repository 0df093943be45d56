// Where the reader is, in the fragment of the address: /#/questions, /#/question/ID, /#/history?agent=web.
// Fragments never reach a server, and every view can be linked to.
import { computed, signal } from '@preact/signals';

export const views = ['questions', 'sessions', 'history', 'policy', 'grants', 'insight', 'settings'] as const;
export type View = (typeof views)[number];
export interface Route { view: View; argument: string; query: URLSearchParams }

const hash = signal(location.hash);
addEventListener('hashchange', () => { hash.value = location.hash; });

export const route = computed<Route>(() => {
  const [path = '', query = ''] = hash.value.replace(/^#\/?/, '').split('?');
  const [first = '', argument = ''] = path.split('/');
  const view = first === 'question' ? 'questions' : views.find((each) => each === first) ?? 'questions';
  return { view, argument: decoded(argument), query: new URLSearchParams(query) };
});

// Before any login: what a printed link (/#/login/SECRET) and a code (/#/pair/CODE?sha256=…) open, and how a device comes to trust the gate (/#/trust).
export interface Door { kind: 'login' | 'pair' | 'trust'; argument: string; query: URLSearchParams }
export const door = computed<Door | undefined>(() => {
  const match = /^#\/(login|pair|trust)(?:\/([^?]*))?(?:\?(.*))?$/.exec(hash.value);
  return match === null ? undefined : { kind: match[1] as Door['kind'], argument: decoded(match[2] ?? ''), query: new URLSearchParams(match[3] ?? '') };
});
// The used code goes out of the address and out of the history.
export function leaveDoor(): void {
  history.replaceState(null, '', '/#/questions');
  hash.value = location.hash;
}

export function go(view: View | 'question', argument = '', query: Record<string, string> = {}): void {
  location.hash = linkTo(view, argument, query);
}

export function linkTo(view: View | 'question', argument = '', query: Record<string, string> = {}): string {
  const words = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')).toString();
  return `#/${view}${argument === '' ? '' : `/${encodeURIComponent(argument)}`}${words === '' ? '' : `?${words}`}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
