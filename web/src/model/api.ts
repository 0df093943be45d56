// Requests to the gate. Whatever goes wrong comes back as a Problem with what to do; nothing is thrown.
// Each carries the key of this login (key.ts) beside the browser's cookie; the gate takes neither alone.
import { signal } from '@preact/signals';
import { keyNow } from './key';
import { touchFor } from './touch';
import type { Problem } from './types';

export type Answered<T> = { ok: true; value: T } | { ok: false; status: number; problem: Problem; body: unknown };

// What the gate said last about who we are: it asks for a login when it says 401.
export const loggedOut = signal(false);

const unreachable: Problem = { code: 'unreachable', message: 'the gate cannot be reached', hint: 'see whether `tollgate serve` runs; the page tries again by itself' };

// What needs the touch of a security key is asked for once more with it.
export async function send<T>(method: string, path: string, body?: unknown): Promise<Answered<T>> {
  const answered = await sendOnce<T>(method, path, body);
  if (answered.ok || answered.problem.code !== 'presence-required') return answered;
  const touched = await touchFor(method, path, body);
  return touched.ok ? sendOnce<T>(method, path, body, touched.value) : touched;
}

async function sendOnce<T>(method: string, path: string, body?: unknown, touch?: string): Promise<Answered<T>> {
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const key = keyNow();
  if (key !== '') headers['X-Tollgate-Key'] = key;
  if (touch !== undefined) headers['X-Tollgate-Touch'] = touch;
  let response: Response;
  let text: string;
  try {
    response = await fetch(path, { method, headers, body: body === undefined ? null : JSON.stringify(body), credentials: 'same-origin', cache: 'no-store', redirect: 'error' });
    text = await response.text();
  } catch {
    return { ok: false, status: 0, problem: unreachable, body: undefined };
  }
  const value = parsed(text);
  if (response.ok) return { ok: true, value: value as T };
  if (response.status === 401 && path !== '/api/login') loggedOut.value = true;
  return { ok: false, status: response.status, problem: problemIn(value, response.status), body: value };
}

export const get = <T>(path: string): Promise<Answered<T>> => send<T>('GET', path);
export const post = <T>(path: string, body: unknown = {}): Promise<Answered<T>> => send<T>('POST', path, body);

// A query string of the members that say something.
export function query(members: Record<string, string | number | undefined>): string {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(members)) if (value !== undefined && value !== '') words.set(name, String(value));
  const text = words.toString();
  return text === '' ? '' : `?${text}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function problemIn(value: unknown, status: number): Problem {
  const error = (value as { error?: Partial<Problem> } | undefined)?.error;
  return {
    code: error?.code ?? `http-${status}`,
    message: error?.message ?? `the gate answered with status ${status}`,
    hint: error?.hint ?? (status === 404 ? 'this gate may be older than its page: reload it' : ''),
    ...(error?.where === undefined ? {} : { where: error.where }),
  };
}
