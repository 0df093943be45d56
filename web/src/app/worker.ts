// The service worker, from the page's side: registered where the browser allows it, for notices and for opening offline.
import { isEncrypted, untrusted } from '../model/connection';

interface Policies { createPolicy: (name: string, rules: { createScriptURL: (url: string) => string }) => { createScriptURL: (url: string) => string } }

export const canPush = (): boolean => isSecureContext && 'serviceWorker' in navigator && 'PushManager' in window;

export function startWorker(): void {
  if (!('serviceWorker' in navigator) || !isSecureContext) return;
  const policies = (window as { trustedTypes?: Policies }).trustedTypes;
  const only = (url: string): string => { if (url !== '/sw.js') throw new Error('no other script'); return url; };
  const address = policies === undefined ? '/sw.js' : policies.createPolicy('tollgate', { createScriptURL: only }).createScriptURL('/sw.js');
  // Over HTTPS the one reason to refuse our own script is a certificate that the browser was only talked into.
  navigator.serviceWorker.register(address).catch((error: unknown) => { untrusted.value = isEncrypted() && error instanceof DOMException && error.name === 'SecurityError'; });
}
