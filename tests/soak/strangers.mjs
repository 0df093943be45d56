// Slow and malicious clients: none gets anything but a refusal, and none holds up the others.
import crypto from 'node:crypto';
import net from 'node:net';

import { newPlace, raw, statuses } from '../daemon/lib/http.mjs';

const pause = (milliseconds) => new Promise((go) => setTimeout(go, milliseconds));
const connect = (soak) => {
  const socket = net.connect({ host: '127.0.0.1', port: soak.gate.port, localAddress: newPlace() });
  socket.on('error', () => {});
  return socket;
};

// A head, byte by byte, that never ends.
async function slowHead(soak) {
  while (!soak.over) {
    const socket = connect(soak);
    let open = true;
    socket.on('close', () => { open = false; });
    socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
    for (let i = 0; i < 20 && open && !soak.over; ++i) { socket.write('x'); await pause(1_000); }
    soak.ledger.count('slow heads');
    socket.destroy();
  }
}

// A page that asks for all that happens and reads none of it.
async function deafPage(soak) {
  while (!soak.over) {
    const socket = await soak.gate.watch({ headers: { Authorization: `Bearer ${soak.gate.bob}` } });
    socket.socket?.pause();
    await pause(20_000 * Math.min(1, soak.minutes));
    soak.ledger.count('deaf pages');
    socket.close?.();
  }
}

async function garbage(soak) {
  const pieces = [() => crypto.randomBytes(2_000), () => Buffer.from(`POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n`),
    () => Buffer.from(`GET /${'a'.repeat(70_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`), () => Buffer.from('GET /health HTTP/1.1\r\nHost: evil.example\r\n\r\n')];
  while (!soak.over) {
    const got = await raw(soak.gate.port, soak.one(pieces)(), { from: newPlace(), enough: (text) => text.includes('\r\n\r\n') });
    for (const status of statuses(got)) soak.ledger.refused('garbage', status);
    await pause(50);
  }
}

// Sessions that try to answer, and guesses of what nobody told them.
async function thieves(soak) {
  const { gate, ledger } = soak;
  const session = await gate.session();
  while (!soak.over) {
    const question = crypto.randomBytes(16).toString('hex'), from = newPlace();
    const tries = [['POST', `/api/permissions/${question}/approve`, session.id, {}], ['GET', '/api/permissions', session.id], ['POST', '/api/freeze', session.id, { frozen: false }],
      ['POST', '/api/sessions', session.id, { agent: 'backend' }], ['GET', '/api/audit', `tga_${crypto.randomBytes(20).toString('hex')}`], ['POST', `/mcp/${crypto.randomBytes(32).toString('hex')}`, undefined, { jsonrpc: '2.0', id: 1, method: 'tools/list' }]];
    const [method, path, as, body] = soak.one(tries);
    ledger.refused(`${method} ${path}`, (await gate.send(method, path, { as, body, from })).status);
    await pause(50);
  }
}

// Bodies of megabytes, some of them never finished.
async function large(soak) {
  while (!soak.over) {
    const socket = connect(soak);
    socket.write(`POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${1 << 22}\r\n\r\n`);
    socket.write(Buffer.alloc(1 << 20, 0x20));
    await pause(500);
    soak.ledger.count('large bodies');
    socket.destroy();
  }
}

export const strangers = [[4, slowHead], [2, deafPage], [2, garbage], [2, thieves], [1, large]];
