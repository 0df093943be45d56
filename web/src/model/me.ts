// Who is logged in on this device, and how they came in.
import { signal } from '@preact/signals';
import { get, loggedOut, post, type Answered } from './api';
import { keepKey } from './key';
import type { Me } from './types';

export const me = signal<Me | undefined>(undefined);

export async function whoAmI(): Promise<Answered<Me>> {
  const answered = await get<Me>('/api/me');
  if (answered.ok) enter(answered.value);
  return answered;
}

// A printed link, whole or its secret alone after the last slash, or a credential.
export async function logIn(words: string): Promise<Answered<Me>> {
  const text = words.trim();
  const answered = await post<Me>('/api/login', /^https?:|\/login\//.test(text) ? { link: text } : { credential: text });
  if (!answered.ok) return answered;
  keepKey(answered.value.key ?? '');
  return whoAmI();
}

export async function logOut(): Promise<void> {
  await post('/api/logout');
  me.value = undefined;
  keepKey('');
  loggedOut.value = true;
}

function enter(who: Me): void {
  me.value = who;
  loggedOut.value = false;
}
