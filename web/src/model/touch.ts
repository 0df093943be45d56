// Security keys in the browser: made, and touched for one request that the gate wants a touch for.
// SAFETY: the challenge is asked for with the very request that follows; the gate takes it for no other.
import { send, type Answered } from './api';
import type { Problem } from './types';

interface Offer { challenge: string; rpId: string; user: string; algorithms: number[]; known: string[]; timeoutMs: number }
interface Challenge { challenge: string; rpId: string; keys: string[]; timeoutMs: number }

const bytes = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (letter) => letter.charCodeAt(0));
const word = (buffer: ArrayBuffer | Uint8Array): string => btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
const named = (ids: string[]): PublicKeyCredentialDescriptor[] => ids.map((id) => ({ type: 'public-key', id: bytes(id) }));

export const keysWork = (): boolean => 'credentials' in navigator && typeof PublicKeyCredential === 'function';

const unable: Problem = { code: 'presence-unavailable', message: 'this browser uses no security keys here', hint: 'open the page over https, or as http://localhost' };
const untouched = (error: unknown): Problem => ({ code: 'presence-refused', message: `the key was not used: ${error instanceof Error ? error.message : String(error)}`, hint: 'try again, and touch the key when it blinks' });
const failed = (problem: Problem): Answered<never> => ({ ok: false, status: 0, problem, body: undefined });

// The header that proves a touch for just this request.
export async function touchFor(method: string, path: string, body: unknown): Promise<Answered<string>> {
  if (!keysWork()) return failed(unable);
  const asked = await send<Challenge>('POST', '/api/touch', { method, path, body: body ?? null });
  if (!asked.ok) return asked;
  const { challenge, rpId, keys, timeoutMs } = asked.value;
  try {
    const made = await navigator.credentials.get({ publicKey: { challenge: bytes(challenge), rpId, allowCredentials: named(keys), timeout: timeoutMs, userVerification: 'discouraged' } });
    const { rawId, response } = made as PublicKeyCredential & { response: AuthenticatorAssertionResponse };
    const proof = { credentialId: word(rawId), clientDataJSON: word(response.clientDataJSON), authenticatorData: word(response.authenticatorData), signature: word(response.signature) };
    return { ok: true, value: word(new TextEncoder().encode(JSON.stringify(proof))) };
  } catch (error) {
    return failed(untouched(error));
  }
}

// Makes a key at the authenticator and registers it under a name.
export async function registerKey(name: string): Promise<Answered<unknown>> {
  if (!keysWork()) return failed(unable);
  const offered = await send<Offer>('POST', '/api/keys/options', {});
  if (!offered.ok) return offered;
  const { challenge, rpId, user, algorithms, known, timeoutMs } = offered.value;
  try {
    const made = await navigator.credentials.create({
      publicKey: {
        challenge: bytes(challenge), rp: { id: rpId, name: 'Tollgate' }, user: { id: new TextEncoder().encode(user.slice(0, 16)), name: user, displayName: user },
        pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })), excludeCredentials: named(known), timeout: timeoutMs, attestation: 'none',
        authenticatorSelection: { userVerification: 'discouraged' },
      },
    });
    const { response } = made as PublicKeyCredential & { response: AuthenticatorAttestationResponse };
    return await send('POST', '/api/keys', { name, clientDataJSON: word(response.clientDataJSON), attestationObject: word(response.attestationObject) });
  } catch (error) {
    return failed(untouched(error));
  }
}
