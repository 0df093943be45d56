// A client of the permission server: one call, as a stream or whole, in either era.
// A call is under way at once; `done` gives its answer, `hang_up` breaks the connection off.
import http from 'node:http';
import https from 'node:https';

import { parsed } from './http.mjs';
import { within } from './world.mjs';

let ids = 0;
export const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

// Calls a tool of the session. `accept` chooses between JSON and a stream.
export function callTool(on, session, name, args, { id = ++ids, modern = false, progress, accept, from, tls, local } = {}) {
  const meta = { ...(modern ? modernMeta : {}), ...(progress === undefined ? {} : { progressToken: progress }) };
  const params = { name, arguments: args, ...(Object.keys(meta).length > 0 ? { _meta: meta } : {}) };
  const headers = modern ? { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': name } : {};
  return new McpCall(on, `/mcp/${session}`, { jsonrpc: '2.0', id, method: 'tools/call', params }, { headers, accept, from, tls, local });
}

export class McpCall {
  constructor(on, path, message, { headers = {}, accept = 'application/json, text/event-stream', from, tls } = {}) {
    this.id = message.id;
    this.events = [];     // messages before the last, and comments as they stand
    this.listeners = [];
    const text = JSON.stringify(message);
    const where = typeof on === 'number' ? { host: '127.0.0.1', port: on, localAddress: from } : { socketPath: on };
    const all = { 'Content-Type': 'application/json', Accept: accept, 'Content-Length': Buffer.byteLength(text), ...headers };
    this.done = new Promise((done, fail) => {
      this.request = (tls ? https : http).request({ ...where, method: 'POST', path, headers: all, agent: false, ...tls }, (response) => {
        this.status = response.statusCode;
        this.type = response.headers['content-type'];
        let got = '';
        response.setEncoding('utf8');
        response.on('data', (piece) => { got += piece; if (this.isStream()) got = this.read(got); });
        response.on('error', fail);
        response.on('end', () => done(this.isStream() ? this.last : parsed(got)));
      });
      this.request.on('error', fail);
      this.request.end(text);
    });
    this.done.catch(() => {});
  }

  isStream() { return this.type?.startsWith('text/event-stream') ?? false; }

  // Takes whole events off the front; gives the rest.
  read(text) {
    const parts = text.split(/\r?\n\r?\n/);
    for (const part of parts.slice(0, -1)) {
      const data = part.split(/\r?\n/).filter((line) => line.startsWith('data:')).map((line) => line.slice(5).trim()).join('\n');
      const message = data === '' ? undefined : JSON.parse(data);
      if (message && 'id' in message) this.last = message;
      else this.events.push(message ?? part);
      for (const listener of this.listeners.splice(0)) listener();
    }
    return parts.at(-1);
  }

  // Waits for the first sign of life.
  async alive() {
    while (this.events.length === 0) await within(new Promise((go) => this.listeners.push(go)), 'a sign of life');
    return this.events[0];
  }

  async result() { return (await within(this.done, 'an answer over MCP'))?.result; }
  // What the tool said, as text or, where it is JSON, as its value.
  async said() {
    const text = (await this.result())?.content?.[0]?.text;
    return parsed(text) ?? text;
  }

  // The server is told of it by the connection alone.
  hangUp() { this.request.destroy(); }
}
