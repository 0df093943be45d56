// A page of another site in the browser of somebody who is logged in, or a name that was pointed at this machine.
import { newPlace, raw, statuses } from '../lib/http.mjs';
import { guarded, onQuestion, statusesOf } from './routes.mjs';

const pending = (got) => ({ got, state: 'pending' });

// What a page beside ours can have: the browser sends it our cookie, and nothing else of ours.
const stolen = async (gate) => ({ Cookie: (await gate.logIn(gate.ann)).headers.Cookie });

// The page's act: an approval with cookie, key and these headers.
const withLogin = (make) => onQuestion(async (gate, it) => {
  const { headers: own, key } = await gate.logIn(gate.ann);
  const given = make(gate, key);
  const out = [];
  for (const { body = {}, ...headers } of Array.isArray(given) ? given : [given])
    out.push((await gate.send('POST', `/api/permissions/${it.id}/approve`, { body, headers: { ...own, ...headers } })).status);
  return out;
});

// The status for each value of a header, the credential being right.
const header = (name, values) => onQuestion(async (gate, it) => {
  const out = {};
  for (const value of values(gate))
    out[value.replaceAll(String(gate.port), 'PORT')] = statuses(await raw(gate.port,
      `POST /api/permissions/${it.id}/approve HTTP/1.1\r\n${name === 'Host' ? '' : `Host: 127.0.0.1:${gate.port}\r\n`}${name}: ${value}\r\nAuthorization: Bearer ${gate.ann}\r\nContent-Length: 2\r\n\r\n{}`))[0];
  return out;
});

const each = (values, status) => pending(Object.fromEntries(values.map((value) => [value, status])));
const foreignOrigins = ['https://evil.example', 'null', 'http://127.0.0.1.evil.example', 'http://127.0.0.1@evil.example', 'http://evil.example/http://127.0.0.1',
  'http://localhost.evil.example', 'file://', 'chrome-extension://abc', 'http://127.0.0.1/', 'http://[::1', 'ws://127.0.0.1', '*'];
const foreignHosts = ['evil.example', 'evil.example:PORT', '127.0.0.1.evil.example', 'localhost.', '127.1', '0.0.0.0', '2130706433', 'localhost.evil.example:PORT', '[::2]'];
const malformedHosts = ['127.0.0.1:PORT@evil.example', '127.0.0.1:PORT:1', '127.0.0.1:x', '[::1', 'evil.example#127.0.0.1', '127.0.0.1, evil.example', '127.0.0.1/evil'];
const on = (values) => (gate) => values.map((value) => value.replaceAll('PORT', gate.port));

export const rows = [
  { name: 'a foreign origin is refused, whoever sends it', act: header('Origin', on(foreignOrigins)), want: each(foreignOrigins, 403) },
  { name: 'a foreign host is refused', act: header('Host', on(foreignHosts)), want: each(foreignHosts, 421) },
  { name: 'a host with tricks in it is malformed', act: header('Host', on(malformedHosts)), want: each(malformedHosts, 400) },
  { name: 'rebinding: a foreign name as host and origin is refused on every route',
    act: onQuestion((gate, it) => statusesOf(gate, guarded(it), { headers: () => ({ Host: `evil.example:${gate.port}`, Origin: `http://evil.example:${gate.port}`, Authorization: `Bearer ${gate.operator}` }) })),
    want: pending([421]) },
  { name: 'rebinding: a session\'s routes are refused to a foreign name as well',
    act: onQuestion((gate, it) => statusesOf(gate, [['POST', `/mcp/${it.session.id}`, {}], ['POST', `/hook/${it.session.id}/claude`, {}], ['GET', '/health'], ['POST', '/api/login', {}]],
      { headers: () => ({ Host: 'evil.example' }) })),
    want: pending([421]) },
  { name: 'forged form: text/plain is refused, with cookie and key even', act: withLogin(() => ({ 'Content-Type': 'text/plain' })), want: pending([403]) },
  { name: 'forged form: urlencoded is refused, with cookie and key even', act: withLogin(() => ({ 'Content-Type': 'application/x-www-form-urlencoded', body: 'scope=once' })), want: pending([403]) },
  { name: 'forged form: multipart is refused, with cookie and key even',
    act: withLogin(() => ({ 'Content-Type': 'multipart/form-data; boundary=x', body: '--x\r\nContent-Disposition: form-data; name="scope"\r\n\r\nonce\r\n--x--\r\n' })), want: pending([403]) },
  { name: 'forged form: a form of another page of this machine is refused',
    act: withLogin((gate) => ({ 'Content-Type': 'text/plain', Origin: `http://127.0.0.1:${gate.port + 1}`, 'Sec-Fetch-Site': 'same-site' })), want: pending([403]) },
  { name: 'a fetch that the browser calls cross-site, same-site or typed is refused',
    act: withLogin(() => ['cross-site', 'same-site', 'none', 'garbage'].map((site) => ({ 'Sec-Fetch-Site': site }))), want: pending([403, 403, 403, 403]) },
  { name: 'stolen cookie: it opens no route, whatever it is sent with',
    act: onQuestion(async (gate, it) => {
      const cookie = await stolen(gate);
      const more = [{}, { 'Sec-Fetch-Site': 'same-origin', Origin: gate.url }, { 'X-Tollgate-Key': '' }, { 'X-Tollgate-Csrf': 'x' }, { Origin: `http://127.0.0.1:${gate.port + 1}`, 'Sec-Fetch-Site': 'same-site' }];
      const out = new Set();
      for (const each of more) for (const status of await statusesOf(gate, guarded(it), { headers: () => ({ ...cookie, ...each }) })) out.add(status);
      return [...out];
    }),
    want: pending([401]) },
  { name: 'stolen cookie: it opens no web socket, whatever protocols are named',
    act: onQuestion(async (gate) => {
      const cookie = await stolen(gate);
      const other = await gate.logIn(gate.ann);
      const out = [];
      for (const headers of [{}, { Origin: gate.url, 'Sec-Fetch-Site': 'same-origin' }, { 'Sec-WebSocket-Protocol': 'tollgate' }, { 'Sec-WebSocket-Protocol': 'tollgate, tgk_' }, { 'Sec-WebSocket-Protocol': `tollgate, ${other.key}` }])
        out.push((await gate.watch({ headers: { ...cookie, ...headers }, from: newPlace() })).status);
      return out;
    }),
    want: pending([401, 401, 401, 401, 401]) },
  { name: 'stolen cookie: nothing that the gate says with it holds the key',
    act: async (stage) => {
      const gate = await stage.gate();
      const { cookie, key, headers } = await gate.logIn(gate.ann);
      const said = [];
      for (const path of ['/', '/api/me', '/api/devices', '/api/settings', '/health', '/api/approvers'])
        for (const each of [headers, { Cookie: headers.Cookie }]) { const got = await gate.send('GET', path, { headers: each }); said.push(got.text + JSON.stringify(got.headers)); }
      return said.some((text) => text.includes(key) || text.includes(cookie));
    },
    want: false },
  { name: 'a key without its cookie is worth nothing either',
    act: onQuestion(async (gate, it) => {
      const { key } = await gate.logIn(gate.ann);
      return [await statusesOf(gate, guarded(it), { headers: () => ({ 'X-Tollgate-Key': key }) }), (await gate.watch({ headers: { 'Sec-WebSocket-Protocol': `tollgate, ${key}` }, from: newPlace() })).status];
    }),
    want: pending([[401], 401]) },
  { name: 'a web socket takes the key as the name of a protocol, and does not say it again',
    act: onQuestion(async (gate) => {
      const { headers, key } = await gate.logIn(gate.ann);
      const got = await raw(gate.port, `GET /ws HTTP/1.1\r\nHost: 127.0.0.1:${gate.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nCookie: ${headers.Cookie}\r\nSec-WebSocket-Protocol: tollgate, ${key}\r\n\r\n`,
        { enough: (text) => text.includes('\r\n\r\n') });
      return [statuses(got)[0], /^sec-websocket-protocol: (.*)\r$/im.exec(got)?.[1], got.includes(key)];
    }),
    want: pending([101, 'tollgate', false]) },
  { name: 'a wrong key does not help a foreign page',
    act: withLogin((gate, key) => [key.slice(1), key.toUpperCase(), '', `${key}0`].map((each) => ({ 'X-Tollgate-Key': each }))), want: pending([401, 401, 401, 401]) },
  { name: 'the key of another login does not help',
    act: onQuestion(async (gate, it) => {
      const [ann, bob] = [await gate.logIn(gate.ann), await gate.logIn(gate.bob)];
      return (await gate.send('POST', `/api/permissions/${it.id}/approve`, { body: {}, headers: { Cookie: `tollgate=${ann.cookie}`, 'X-Tollgate-Key': bob.key } })).status;
    }),
    want: pending(401) },
  { name: 'two cookies of our name are as good as none',
    act: onQuestion(async (gate, it) => {
      const { cookie, key } = await gate.logIn(gate.ann);
      return (await gate.send('POST', `/api/permissions/${it.id}/approve`, { body: {}, headers: { Cookie: `tollgate=x; tollgate=${cookie}`, 'X-Tollgate-Key': key } })).status;
    }),
    want: pending(401) },
  { name: 'no answer lets another origin read it, not even a preflight\'s',
    act: onQuestion(async (gate, it) => {
      const out = [];
      for (const [method, path] of [['OPTIONS', `/api/permissions/${it.id}/approve`], ['GET', '/api/permissions'], ['GET', '/health']]) {
        const { headers } = await gate.send(method, path, { as: gate.ann, headers: { 'Access-Control-Request-Method': 'POST' } });
        out.push(Object.keys(headers).filter((name) => name.startsWith('access-control')).length);
      }
      return out;
    }),
    want: pending([0, 0, 0]) },
  { name: 'nothing is answered by GET, and no header changes the method',
    act: onQuestion(async (gate, it) => {
      const path = `/api/permissions/${it.id}/approve`;
      const override = { 'X-HTTP-Method-Override': 'POST', 'X-Method-Override': 'POST' };
      return [(await gate.send('GET', path, { as: gate.ann })).status, (await gate.send('HEAD', path, { as: gate.ann })).status,
        (await gate.send('GET', `${path}?_method=POST`, { as: gate.ann, headers: override })).status];
    }),
    want: pending([405, 405, 405]) },
  { name: 'a web socket from a foreign page is refused',
    act: onQuestion(async (gate) => {
      const { headers } = await gate.logIn(gate.ann);
      const out = [];
      for (const Origin of ['https://evil.example', 'null']) out.push((await gate.watch({ headers: { ...headers, Origin } })).status);
      return out;
    }),
    want: pending([403, 403]) },
  { name: 'a web socket from a page at another port of this machine is refused',
    act: onQuestion(async (gate, it) => {
      const { headers } = await gate.logIn(gate.ann);
      const socket = await gate.watch({ headers: { ...headers, Origin: `http://127.0.0.1:${gate.port + 1}`, 'Sec-Fetch-Site': 'same-site' } });
      if (socket.status !== 101) return socket.status;
      socket.say('permission', 'approval_response', { permissionId: it.id, decision: 'allow_once' });
      await socket.next('resolved');
      return 'it answered the question';
    }),
    want: pending(403) },
  { name: 'the cookie is for our pages alone and not for scripts',
    act: async (stage) => {
      const gate = await stage.gate();
      const entered = await gate.send('POST', '/api/login', { body: { credential: gate.ann } });
      const parts = entered.headers['set-cookie'][0].split('; ').slice(1).map((part) => part.replace(/\d+/, 'N'));
      return [...parts, entered.headers['cache-control'].includes('no-store')];
    },
    want: ['Path=/', 'HttpOnly', 'SameSite=Strict', 'Max-Age=N', true] },
];
