// Bytes that two readers could understand differently, and more bytes than anybody needs.
// SAFETY: a request inside a request must never be answered: one status each.
import { newPlace, raw, statuses } from '../lib/http.mjs';

const inner = 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n';
const post = (lines, body = '') => `POST /api/login HTTP/1.1\r\nHost: localhost\r\n${lines}\r\n${body}`;
const get = (line, lines = '') => `${line}\r\nHost: localhost\r\n${lines}\r\n`;

// [name, bytes, status]; the connection ends with the answer, and what follows is not read.
const table = [
  ['Content-Length beside Transfer-Encoding', post('Content-Length: 4\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${inner}`), 400],
  ['Transfer-Encoding beside Content-Length', post('Transfer-Encoding: chunked\r\nContent-Length: 4\r\n', `0\r\n\r\n${inner}`), 400],
  ['two lengths', post(`Content-Length: 0\r\nContent-Length: ${inner.length}\r\n`, inner), 400],
  ['two lengths that are the same', post('Content-Length: 2\r\nContent-Length: 2\r\n', `{}${inner}`), 400],
  ['two lengths in one line', post('Content-Length: 2, 2\r\n', `{}${inner}`), 400],
  ['a length with a sign', post('Content-Length: +2\r\n', `{}${inner}`), 400],
  ['a length in hexadecimal', post('Content-Length: 0x2\r\n', `{}${inner}`), 400],
  ['a negative length', post('Content-Length: -1\r\n', inner), 400],
  ['an encoding that is not known', post('Transfer-Encoding: identity\r\n', inner), 400],
  ['chunked and something else', post('Transfer-Encoding: gzip, chunked\r\n', `0\r\n\r\n${inner}`), 400],
  ['chunked twice', post('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${inner}`), 400],
  ['chunked with a tab before the colon', post('Transfer-Encoding\t: chunked\r\n', `0\r\n\r\n${inner}`), 400],
  ['a blank before the colon', post('Content-Length : 2\r\n', `{}${inner}`), 400],
  ['a folded header', post('X-A: 1\r\n Content-Length: 2\r\n', inner), 400],
  ['a chunk whose size is no number', post('Transfer-Encoding: chunked\r\n', `zz\r\n{}\r\n0\r\n\r\n${inner}`), 400],
  ['a chunk without its end', post('Transfer-Encoding: chunked\r\n', `2\r\n{}0\r\n\r\n${inner}`), 400],
  ['bare line feeds', `POST /api/login HTTP/1.1\nHost: localhost\nContent-Length: 0\n\n${inner}`, 400],
  ['one bare line feed among the headers', `GET /health HTTP/1.1\r\nHost: localhost\nX: y\r\n\r\n${inner}`, 400],
  ['a bare carriage return in a header', get('GET /health HTTP/1.1', 'X-A: 1\rX-B: 2\r\n') + inner, 400],
  ['a NUL in a header', get('GET /health HTTP/1.1', 'X-A: a\0b\r\n') + inner, 400],
  ['a NUL in the path', get('GET /health\0 HTTP/1.1') + inner, 400],
  ['a header without a colon', get('GET /health HTTP/1.1', 'nonsense\r\n') + inner, 400],
  ['a header without a name', get('GET /health HTTP/1.1', ': x\r\n') + inner, 400],
  ['a lower-case method', get('get /health HTTP/1.1') + inner, 400],
  ['a method with other characters', get('GE\tT /health HTTP/1.1') + inner, 400],
  ['an absolute target', get('GET http://localhost/health HTTP/1.1') + inner, 400],
  ['an absolute target of another host', get('GET http://evil.example/health HTTP/1.1') + inner, 400],
  ['a target that is an authority', 'CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
  ['a target that is a star', get('OPTIONS * HTTP/1.1') + inner, 400],
  ['two blanks in the first line', get('GET  /health HTTP/1.1') + inner, 400],
  ['no Host', `GET /health HTTP/1.1\r\n\r\n${inner}`, 400],
  ['two Hosts', get('GET /health HTTP/1.1', 'Host: evil.example\r\n') + inner, 400],
  ['a version that does not exist', get('GET /health HTTP/3.0') + inner, 505],
  ['the beginning of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 505],
  ['the beginning of TLS', '\x16\x03\x01\x02\x00\x01\x00', 400],
  ['an expectation that is not known', post('Expect: 200-ok\r\nContent-Length: 2\r\n', '{}'), 417],
  ['a head of more than 16 KiB', get('GET /health HTTP/1.1', `X-A: ${'a'.repeat(20_000)}\r\n`), 431],
  ['a thousand headers', get('GET /health HTTP/1.1', Array.from({ length: 1000 }, (_, i) => `X${i}: 1\r\n`).join('')), 431],
  ['a very long target', get(`GET /${'a'.repeat(10_000)} HTTP/1.1`), 414],
  ['a body that says it is too large', post('Content-Length: 99999999\r\n'), 413],
  ['a chunk that says it is too large', post('Transfer-Encoding: chunked\r\n', 'fffffff\r\n'), 413],
  ['a chunk larger than numbers are', post('Transfer-Encoding: chunked\r\n', 'ffffffffffffffffff\r\n'), [400, 413]],
];

const paths = {
  '//api/sessions': 400, '/api//sessions': 400, '/api/./sessions': 400, '/api/../api/sessions': 400, '/x/../api/sessions': 400, '/%2e%2e/api/sessions': 400,
  '/api%2fsessions': 400, '/api%2Fsessions': 400, '/api%5csessions': 400, '/api/sessions%00': 400, '/api/sessions%0d%0aX:y': 400, '/api/sessions%': 400,
  '/api/sessions%zz': 400, '/api/sessions%c0%af': 400, '/api/sessions#x': 400, '/API/sessions': 404, '/api/sessions;x': 404, '/api/sessions.json': 404,
  '/api/%73essions': 401, '/api/sessions/': 401, '/mcp/..%2f..%2fetc': 400, '/login/..%2f': 400, '/hook/x/..': 400,
};

export const rows = [
  ...table.map(([what, bytes, status]) => ({
    name: `${what}: refused, and nothing behind it is read`,
    act: async (stage) => {
      const gate = await stage.gate();
      const got = statuses(await raw(gate.port, Buffer.from(bytes, 'latin1'), { from: newPlace(), enough: () => false }));
      return Array.isArray(status) && got.length === 1 && status.includes(got[0]) ? status : got;
    },
    want: [status].flat() })),
  { name: 'a header cannot be written into an answer',
    act: async (stage) => {
      const gate = await stage.gate();
      const got = await raw(gate.port, 'GET /api/permissions/x%0d%0aSet-Cookie:%20a=b HTTP/1.1\r\nHost: localhost\r\n\r\n', { from: newPlace(), enough: () => false });
      return [statuses(got), /^set-cookie/im.test(got)];
    },
    want: [[400], false] },
  { name: 'a path means what it says or nothing',
    act: async (stage) => {
      const gate = await stage.gate();
      const out = {};
      for (const path of Object.keys(paths)) out[path] = statuses(await raw(gate.port, `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`, { from: newPlace() }))[0];
      return out;
    },
    want: { ...paths, '/hook/x/..': 400 } },
  { name: 'two honest requests on one connection are both answered',
    act: async (stage) => {
      const gate = await stage.gate();
      return statuses(await raw(gate.port, inner + inner, { enough: (text) => statuses(text).length === 2 }));
    },
    want: [200, 200] },
  { name: 'slow bodies and heads: refused in time, and others are answered meanwhile',
    act: async (stage) => {
      const gate = await stage.gate();
      const began = Date.now();
      const slow = ['POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{', 'GET /health HTTP/1.1\r\nHost: loc']
        .flatMap((bytes) => Array.from({ length: 50 }, () => raw(gate.port, bytes, { from: newPlace(), enough: () => false })));
      const meanwhile = (await gate.send('GET', '/health')).status;
      const took = Date.now() - began;
      const ended = await Promise.all(slow);
      return [meanwhile, took < 5_000, [...new Set(ended.map((text) => statuses(text).join(' ')))].sort()];
    },
    want: [200, true, ['408']] },
  { name: 'after all of this the daemon answers',
    act: async (stage) => {
      const gate = await stage.gate();
      return (await gate.send('GET', '/health')).json.status;
    },
    want: 'ok' },
];
