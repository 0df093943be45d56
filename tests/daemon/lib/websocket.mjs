// A web socket client that says what it is told to say, headers included. Text frames only.
import crypto from 'node:crypto';
import net from 'node:net';

import { within } from './world.mjs';

export class WebSocketClient {
  // The socket, or {status} where the daemon refused.
  static async open(port, { path = '/ws', headers = {}, from } = {}) {
    const client = new WebSocketClient();
    client.socket = net.connect({ host: '127.0.0.1', port, localAddress: from });
    client.buffer = Buffer.alloc(0);
    client.messages = [];
    client.waiting = [];
    client.closed = new Promise((done) => client.socket.on('close', done));
    client.closed.then(() => { for (const go of client.waiting.splice(0)) go(); });
    client.socket.on('error', () => {});
    const lines = { Host: `127.0.0.1:${port}`, Upgrade: 'websocket', Connection: 'Upgrade', 'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': crypto.randomBytes(16).toString('base64'), ...headers };
    client.socket.write(`GET ${path} HTTP/1.1\r\n${Object.entries(lines).map(([k, v]) => `${k}: ${v}\r\n`).join('')}\r\n`);
    const status = await within(client.head(), 'the answer to an upgrade');
    if (status !== 101) {
      client.socket.destroy();
      return { status };
    }
    client.status = 101;
    return client;
  }

  head() {
    return new Promise((done) => {
      let text = Buffer.alloc(0);
      const hear = (piece) => {
        text = Buffer.concat([text, piece]);
        const end = text.indexOf('\r\n\r\n');
        if (end < 0) return;
        this.socket.off('data', hear);
        this.socket.on('data', (more) => this.feed(more));
        this.feed(text.subarray(end + 4));
        done(Number(text.toString('latin1').slice(9, 12)));
      };
      this.socket.on('data', hear);
      this.socket.on('close', () => done(0));
    });
  }

  feed(piece) {
    this.buffer = Buffer.concat([this.buffer, piece]);
    for (;;) {
      if (this.buffer.length < 2) return;
      let size = this.buffer[1] & 127, at = 2;
      if (size === 126) { if (this.buffer.length < 4) return; size = this.buffer.readUInt16BE(2); at = 4; }
      else if (size === 127) { if (this.buffer.length < 10) return; size = Number(this.buffer.readBigUInt64BE(2)); at = 10; }
      if (this.buffer.length < at + size) return;
      const kind = this.buffer[0] & 15;
      const data = this.buffer.subarray(at, at + size);
      this.buffer = this.buffer.subarray(at + size);
      if (kind === 1) this.messages.push(JSON.parse(data.toString('utf8')));
      if (kind === 9) this.frame(10, data);
      if (kind === 8) this.closeCode = data.length >= 2 ? data.readUInt16BE(0) : 0;
      for (const go of this.waiting.splice(0)) go();
    }
  }

  say(channel, event, data) { this.sayText(JSON.stringify({ channel, event, data })); }

  sayText(words) { this.frame(1, Buffer.from(words)); }

  frame(kind, text) {
    const mask = crypto.randomBytes(4);
    const head = text.length < 126 ? Buffer.from([0x80 | kind, 0x80 | text.length])
      : Buffer.from([0x80 | kind, 0xfe, text.length >> 8, text.length & 255]);
    this.socket.write(Buffer.concat([head, mask, text.map((byte, i) => byte ^ mask[i % 4])]));
  }

  // The first message of that name, on that channel where one is named; it is taken.
  async next(event, channel, milliseconds) {
    const fits = (message) => message.event === event && (channel === undefined || message.channel === channel);
    const look = async () => {
      for (;;) {
        const at = this.messages.findIndex(fits);
        if (at >= 0) return this.messages.splice(at, 1)[0];
        if (this.socket.destroyed) throw new Error('the socket was closed');
        await new Promise((go) => this.waiting.push(go));
      }
    };
    return within(look(), `the event ${event}`, milliseconds);
  }

  close() { this.socket.destroy(); }
}
