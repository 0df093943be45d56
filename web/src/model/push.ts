// Web Push on this device: whether it can work, why not, and switching it.
// The browser makes the keys; the gate keeps the subscription under this device's login.
import { signal } from '@preact/signals';
import { canPush } from '../app/worker';
import { get, post, send } from './api';
import { untrusted } from './connection';
import type { Problem } from './types';

// True or false where it can work, else the sentence that says why not.
export const subscribed = signal<boolean | string>(false);

export async function pushState(): Promise<void> {
  if (!isSecureContext) { subscribed.value = 'Browsers allow notices only over HTTPS with a certificate that this device trusts, or on the machine itself. `tollgate pair --certificate` makes one; docs/phone.md says how to trust it.'; return; }
  if (untrusted.value) { subscribed.value = 'Browsers allow notices only with a certificate that this device trusts; this one it does not trust.'; return; }
  if (!canPush()) { subscribed.value = 'This browser has no push. On an iPhone, add the page to the home screen first and open it there.'; return; }
  if (Notification.permission === 'denied') { subscribed.value = 'Notices are blocked for this page in the browser’s settings.'; return; }
  const registration = await navigator.serviceWorker.getRegistration();
  subscribed.value = (await registration?.pushManager.getSubscription() ?? null) !== null;
}

export async function startPush(): Promise<Problem | undefined> {
  const key = await get<{ key: string }>('/api/push/key');
  if (!key.ok) return key.problem;
  try {
    if (await Notification.requestPermission() !== 'granted') { await pushState(); return undefined; }
    const registration = await navigator.serviceWorker.ready;
    const made = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(key.value.key) });
    const kept = await post('/api/push/subscription', made.toJSON());
    if (!kept.ok) { await made.unsubscribe(); return kept.problem; }
  } catch {
    return { code: 'push-refused', message: 'the browser refused to subscribe', hint: 'its push service may be out of reach' };
  }
  subscribed.value = true;
  return undefined;
}

export async function stopPush(): Promise<Problem | undefined> {
  const registration = await navigator.serviceWorker.getRegistration();
  const made = await registration?.pushManager.getSubscription() ?? null;
  if (made !== null) {
    const answered = await send('DELETE', '/api/push/subscription', made.toJSON());
    await made.unsubscribe();
    if (!answered.ok) return answered.problem;
  }
  subscribed.value = false;
  return undefined;
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replace(/-/g, '+').replace(/_/g, '/'));
  const out = new Uint8Array(new ArrayBuffer(text.length));
  for (let i = 0; i < text.length; ++i) out[i] = text.charCodeAt(i);
  return out;
}
