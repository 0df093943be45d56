// The gate's own certificate in tests: made by the command, verified by OpenSSL's and Node's own means.
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import tls from 'node:tls';

import { Daemon } from './daemon.mjs';
import { usual } from './world.mjs';

export const openssl = (...args) => spawnSync('openssl', args, { encoding: 'utf8' });
export const files = (world) => ({ ca: `${world.data}/tls/ca.crt`, caKey: `${world.data}/tls/ca.key`, server: `${world.data}/tls/server.pem` });

export const certify = (world, ...more) => world.run(`${world.bin}/tollgate`, ['pair', '--certificate', '--config', world.policy, '--data', world.data, ...more]);

// A port that was free a moment ago: the public address has to be known before the daemon starts.
export const freePort = () => new Promise((done) => {
  const server = net.createServer().listen(0, '127.0.0.1', () => { const { port } = server.address(); server.close(() => done(port)); });
});

export const withSettings = (more) => usual.replace('permissionTimeout: 0', `permissionTimeout: 0, ${more}`);

// A daemon with its own certificate, known as https://box.local:PORT, on loopback alone.
export async function secureGate(stage, { host = 'box.local' } = {}) {
  const world = stage.world();
  const port = await freePort();
  const made = await certify(world, '--host', host);
  if (made.status !== 0) throw new Error(made.err);
  const { server, ca } = files(world);
  world.setPolicy(withSettings(`publicUrl: "https://${host}:${port}", tls: {cert: ${server}, key: ${server}}`));
  const gate = await Daemon.start(world, { args: ['--listen', `127.0.0.1:${port}`], tls: { ca: fs.readFileSync(ca), servername: host } });
  return Object.assign(gate, { host });
}

// SHA-256 of the certificate that a connection is shown, as the browser would see it.
export const shownDigest = (port, ca, servername) => new Promise((done, fail) => {
  const socket = tls.connect({ host: '127.0.0.1', port, ca, servername }, () => {
    done(socket.getPeerX509Certificate().fingerprint256.replaceAll(':', '').toLowerCase());
    socket.destroy();
  });
  socket.on('error', fail);
});

export const digestOf = (file) => execFileSync('openssl', ['x509', '-in', file, '-noout', '-fingerprint', '-sha256'], { encoding: 'utf8' }).split('=')[1].trim().replaceAll(':', '').toLowerCase();
