// What this device's connection to the gate is good for: encrypted or not, trusted or not, and by which certificate.
// Browsers tell a page nothing of the certificate itself, so what can be compared is shown for people to compare.
import { signal } from '@preact/signals';
import { get, type Answered } from './api';

export interface CertificateFacts { subject: string; sha256: string; expiresAt: string | null; names?: string[] }
export interface Certificate { certificate: CertificateFacts | null; authority: CertificateFacts | null }

export const askCertificate = (): Promise<Answered<Certificate>> => get<Certificate>('/api/certificate');

// True once the browser has refused the page a worker although the address is HTTPS: it does not trust the certificate.
export const untrusted = signal(false);

export const isEncrypted = (): boolean => location.protocol === 'https:';
const isHere = (): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(location.hostname);

// What does not work on this connection, in words; undefined where everything does.
export function whatIsMissing(): string | undefined {
  if (untrusted.value) return 'This device does not trust the gate’s certificate. Answering works; notices, opening the page offline and installing it do not, because browsers allow them only with a certificate that the device trusts.';
  if (!isEncrypted() && !isHere()) return 'This connection is not encrypted: whoever reads it on the way can answer as you, unless a VPN carries it. Notices, opening the page offline and installing it need HTTPS with a certificate that this device trusts.';
  return undefined;
}
