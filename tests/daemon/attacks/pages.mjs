// A page of another site in the browser of somebody who is logged in, or a name that was pointed at this machine.
import { raw, statuses } from '../lib/http.mjs';
import { guarded, onQuestion, statusesOf } from './routes.mjs';

const pending = (got) => ({ got, state: 'pending' });

// The page's act: an approval with the cookie and these headers.
const withCookie = (make) => onQuestion(async (gate, it) => {
  const { cookie, csrf } = await gate.logIn(gate.ann);
  const given = make(gate, csrf);
  const out = [];
  for (const { body = {}, ...headers } of Array.isArray(given) ? given : [given])
    out.push((await gate.send('POST', `/api/permissions/${it.id}/approve`, { body, headers: { Cookie: `tollgate=${cookie}`, ...headers } })).status);
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
  { name: 'forged form: text/plain with the cookie is refused', act: withCookie(() => ({ 'Content-Type': 'text/plain' })), want: pending([403]) },
  { name: 'forged form: urlencoded with the cookie is refused', act: withCookie(() => ({ 'Content-Type': 'application/x-www-form-urlencoded', body: 'scope=once' })), want: pending([403]) },
  { name: 'forged form: multipart with the cookie is refused',
    act: withCookie(() => ({ 'Content-Type': 'multipart/form-data; boundary=x', body: '--x\r\nContent-Disposition: form-data; name="scope"\r\n\r\nonce\r\n--x--\r\n' })), want: pending([403]) },
  { name: 'forged form: a form of another page of this machine is refused',
    act: withCookie((gate) => ({ 'Content-Type': 'text/plain', Origin: `http://127.0.0.1:${gate.port + 1}`, 'Sec-Fetch-Site': 'same-site' })), want: pending([403]) },
  { name: 'a fetch that the browser calls cross-site, same-site or typed is refused',
    act: withCookie(() => ['cross-site', 'same-site', 'none', 'garbage'].map((site) => ({ 'Sec-Fetch-Site': site }))), want: pending([403, 403, 403, 403]) },
  { name: 'a page at another port of this machine may not act with the cookie',
    act: withCookie((gate) => [`http://127.0.0.1:${gate.port + 1}`, 'http://127.0.0.1', `http://localhost:${gate.port}`].map((Origin) => ({ Origin }))), want: pending([403, 403, 403]) },
  { name: 'a wrong CSRF token does not help a foreign page',
    act: withCookie((gate, csrf) => [csrf.slice(1), csrf.toUpperCase(), '', `${csrf}0`].map((token) => ({ 'Sec-Fetch-Site': 'cross-site', 'X-Tollgate-Csrf': token }))), want: pending([403, 403, 403, 403]) },
  { name: 'the CSRF token of another login does not help',
    act: onQuestion(async (gate, it) => {
      const [ann, bob] = [await gate.logIn(gate.ann), await gate.logIn(gate.bob)];
      return (await gate.send('POST', `/api/permissions/${it.id}/approve`, { body: {}, headers: { Cookie: `tollgate=${ann.cookie}`, 'X-Tollgate-Csrf': bob.csrf, 'Sec-Fetch-Site': 'cross-site' } })).status;
    }),
    want: pending(403) },
  { name: 'two cookies of our name are as good as none',
    act: onQuestion(async (gate, it) => {
      const { cookie } = await gate.logIn(gate.ann);
      return (await gate.send('POST', `/api/permissions/${it.id}/approve`, { body: {}, headers: { Cookie: `tollgate=x; tollgate=${cookie}` } })).status;
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
      const { cookie } = await gate.logIn(gate.ann);
      const out = [];
      for (const Origin of ['https://evil.example', 'null']) out.push((await gate.watch({ headers: { Cookie: `tollgate=${cookie}`, Origin } })).status);
      return out;
    }),
    want: pending([403, 403]) },
  { name: 'a web socket from a page at another port of this machine is refused',
    act: onQuestion(async (gate, it) => {
      const { cookie } = await gate.logIn(gate.ann);
      const socket = await gate.watch({ headers: { Cookie: `tollgate=${cookie}`, Origin: `http://127.0.0.1:${gate.port + 1}`, 'Sec-Fetch-Site': 'same-site' } });
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
