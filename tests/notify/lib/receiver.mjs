// A receiver of notices: an HTTP or HTTPS server on this machine that keeps what it was sent and answers as the case says.
import fs from 'node:fs';
import http from 'node:http';
import https from 'node:https';

import { until } from '../../daemon/lib/world.mjs';

const receivers = new Set();

export class Receiver {
  // `answer` is (request, number) → {status, headers, body}, or 'never'.
  static async open({ answer = () => ({ status: 200 }), tls } = {}) {
    const receiver = new Receiver();
    receiver.got = [];
    receiver.answer = answer;
    const hear = (request, response) => receiver.hear(request, response);
    receiver.server = tls ? https.createServer(tls, hear) : http.createServer(hear);
    receiver.server.on('clientError', (_, socket) => socket.destroy());
    receiver.sockets = new Set();
    receiver.server.on('connection', (socket) => { receiver.sockets.add(socket); socket.on('close', () => receiver.sockets.delete(socket)); });
    await new Promise((done) => receiver.server.listen(0, '127.0.0.1', done));
    receiver.port = receiver.server.address().port;
    receiver.url = `${tls ? 'https' : 'http'}://localhost:${receiver.port}/hook`;
    receivers.add(receiver);
    return receiver;
  }

  hear(request, response) {
    const pieces = [];
    request.on('data', (piece) => pieces.push(piece));
    request.on('error', () => {});
    response.on('error', () => {});
    request.on('end', () => {
      const body = Buffer.concat(pieces);
      this.got.push({ method: request.method, path: request.url, headers: request.headers, body, at: Date.now() });
      const answer = this.answer(this.got.at(-1), this.got.length);
      if (answer === 'never') return;
      response.writeHead(answer.status, answer.headers ?? {});
      response.end(answer.body ?? '');
    });
  }

  // The first notices, once there are so many.
  async take(count = 1) {
    await until(() => this.got.length >= count, `${count} notices, there are ${this.got.length}`);
    return this.got.slice(0, count);
  }

  async json(count = 1) { return (await this.take(count)).map((each) => JSON.parse(each.body)); }

  async close() {
    receivers.delete(this);
    for (const socket of this.sockets) socket.destroy();
    await new Promise((done) => this.server.close(done));
  }
}

export async function closeAll() {
  for (const receiver of [...receivers]) await receiver.close();
}

// A port where nobody listens.
export async function deadPort() {
  const receiver = await Receiver.open();
  const { port } = receiver;
  await receiver.close();
  return port;
}

export function secretFile(world, name, text, mode = 0o600) {
  const file = `${world.dir}/${name}`;
  fs.writeFileSync(file, text, { mode });
  fs.chmodSync(file, mode);
  return file;
}
