// Puts the conformance suite of MCP to the daemon itself, at the address of a session.
// Usage: node tests/conformance/on_daemon.mjs PROGRAM; the rest is what tests/conformance/run says.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const program = process.argv[2];
const place = mkdtempSync(join(tmpdir(), 'tollgate-suite-'));
writeFileSync(join(place, 'policy.yaml'), 'version: 1\nrules: {allow: ["Bash(npm test *)"]}\n', { mode: 0o600 });
const daemon = spawn(
  program,
  ['serve', '--config', join(place, 'policy.yaml'), '--data', join(place, 'data'), '--listen', '127.0.0.1:0',
    '--ready-fd', '3'],
  { stdio: ['ignore', 'ignore', 'ignore', 'pipe'], env: { PATH: process.env.PATH, HOME: place } },
);

// The line that the daemon writes once it accepts connections.
function ready() {
  return new Promise((done, failed) => {
    let text = '';
    daemon.on('exit', (code) => failed(new Error(`the daemon ended with ${code}`)));
    daemon.stdio[3].on('data', (bytes) => {
      text += bytes;
      if (text.includes('\n')) done(JSON.parse(text));
    });
  });
}

async function session({ url, login }) {
  const entered = await fetch(`${url}/api/login`, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ link: login }),
  });
  const cookie = entered.headers.get('set-cookie').split(';')[0];
  const { key } = await entered.json();
  const made = await fetch(`${url}/api/sessions`, {
    method: 'POST', headers: { 'content-type': 'application/json', cookie, 'x-tollgate-key': key }, body: JSON.stringify({ cwd: place }),
  });
  return (await made.json()).mcp_url;
}

let status = 1;
try {
  const address = await session(await ready());
  status = spawnSync(join(here, 'run'), ['--url', address, ...process.argv.slice(3)], { stdio: 'inherit' }).status ?? 1;
} finally {
  daemon.removeAllListeners('exit');
  daemon.kill('SIGTERM');
  await new Promise((done) => daemon.on('exit', done));
  rmSync(place, { recursive: true, force: true });
}
process.exit(status);
