// A certificate for localhost that no authority of the system vouches for.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';

export function makeCertificate(dir) {
  const [file, key] = [`${dir}/receiver.pem`, `${dir}/receiver.key`];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', key, '-out', file, '-days', '2',
    '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'], { stdio: 'ignore' });
  return { file, cert: fs.readFileSync(file), key: fs.readFileSync(key) };
}
