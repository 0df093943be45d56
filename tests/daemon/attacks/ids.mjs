// Whether an id exists is nobody's business: unknown ones look alike, whatever their shape.
// How long an answer takes is not measured here: on a busy machine it says nothing.
import { newPlace } from '../lib/http.mjs';
import { onQuestion } from './routes.mjs';

// What is the same about all these answers: [status, body, names of headers], and how many kinds there were.
async function kindsOf(gate, requests) {
  const kinds = new Set();
  for (const { method = 'POST', path, ...rest } of requests) {
    const { status, text, headers } = await gate.send(method, path, { from: newPlace(), ...rest });
    kinds.add(JSON.stringify([status, text, Object.keys(headers).sort(), headers['content-length']]));
  }
  return { kinds: kinds.size, statuses: [...new Set([...kinds].map((kind) => JSON.parse(kind)[0]))] };
}

const near = (id) => ['0'.repeat(id.length), 'f'.repeat(id.length), id.slice(0, -1), `${id}0`, `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`, id.toUpperCase(), 'x', `${id}%20`];

export const rows = [
  { name: 'unknown questions look alike to an approver',
    act: onQuestion((gate, it) => kindsOf(gate, near(it.id).filter((id) => id !== it.id).flatMap((id) => ['approve', 'deny'].map((act) => ({ path: `/api/permissions/${id}/${act}`, as: gate.ann, body: {} }))))),
    want: { got: { kinds: 1, statuses: [404] }, state: 'pending' } },
  { name: 'without a credential a question that exists looks like one that does not',
    act: onQuestion((gate, it) => kindsOf(gate, [it.id, ...near(it.id)].flatMap((id) => [{ path: `/api/permissions/${id}/approve`, body: {} }, { method: 'GET', path: `/api/permissions/${id}` }]))),
    want: { got: { kinds: 1, statuses: [401] }, state: 'pending' } },
  { name: 'with a wrong credential a question that exists looks like one that does not',
    act: onQuestion((gate, it) => kindsOf(gate, [it.id, ...near(it.id)].map((id) => ({ path: `/api/permissions/${id}/approve`, body: {}, as: 'tga_wrong' })))),
    want: { got: { kinds: 1, statuses: [401] }, state: 'pending' } },
  { name: 'a session that has ended looks like one that never was, on MCP',
    act: onQuestion(async (gate, it) => {
      const ended = await gate.session();
      await gate.send('DELETE', `/api/sessions/${ended.id}`, { as: gate.operator });
      const body = { jsonrpc: '2.0', id: 1, method: 'ping' };
      return kindsOf(gate, [ended.id, ...near(it.session.id)].map((id) => ({ path: `/mcp/${id}`, body })));
    }),
    want: { got: { kinds: 1, statuses: [404] }, state: 'pending' } },
  { name: 'a session that has ended looks like one that never was, on the hook\'s route',
    act: onQuestion(async (gate, it) => {
      const ended = await gate.session();
      await gate.send('DELETE', `/api/sessions/${ended.id}`, { as: gate.operator });
      return kindsOf(gate, [ended.id, ...near(it.session.id)].flatMap((id) => ['claude', 'nobody'].map((client) => ({ path: `/hook/${id}/${client}`, body: {} }))));
    }),
    want: { got: { kinds: 1, statuses: [404] }, state: 'pending' } },
  { name: 'unknown sessions look alike to an operator',
    act: onQuestion((gate, it) => kindsOf(gate, near(it.session.id).flatMap((id) => [{ method: 'PATCH', path: `/api/sessions/${id}`, as: gate.operator, body: { mode: 'plan' } }, { method: 'DELETE', path: `/api/sessions/${id}`, as: gate.operator }]))),
    want: { got: { kinds: 1, statuses: [404] }, state: 'pending' } },
  { name: 'unknown grants look alike',
    act: onQuestion((gate, it) => kindsOf(gate, near(it.id).map((id) => ({ method: 'DELETE', path: `/api/grants/${id}`, as: gate.ann })))),
    want: { got: { kinds: 1, statuses: [404] }, state: 'pending' } },
  { name: 'an unknown name and a wrong secret look alike at the login',
    act: onQuestion((gate) => kindsOf(gate, ['tga_x', gate.ann.slice(0, -1), `${gate.ann}0`, gate.ann.toUpperCase(), 'ann', 'tgl_x'].map((credential) => ({ path: '/api/login', body: { credential } })))),
    want: { got: { kinds: 1, statuses: [401] }, state: 'pending' } },
  { name: 'a spent link looks like one that never was',
    act: onQuestion(async (gate) => {
      const link = (await gate.send('POST', '/api/links', { as: gate.ann })).json.login;
      await gate.send('GET', new URL(link).pathname);
      return kindsOf(gate, [new URL(link).pathname, `/login/tgl_${'0'.repeat(64)}`, '/login/x'].map((path) => ({ method: 'GET', path })));
    }),
    want: { got: { kinds: 1, statuses: [401] }, state: 'pending' } },
  { name: 'an unknown web socket\'s session is refused, whatever it looks like',
    act: onQuestion(async (gate, it) => {
      const out = new Set();
      for (const id of near(it.session.id)) out.add((await gate.watch({ path: `/ws?session=${id}` })).status);
      return [...out];
    }),
    want: { got: [404], state: 'pending' } },
  { name: 'ids are long, and no two have a part in common',
    act: async (stage) => {
      const gate = await stage.gate();
      const sessions = await Promise.all(Array.from({ length: 20 }, () => gate.session()));
      const asked = await Promise.all(sessions.map((each) => gate.asked(each)));
      const starts = new Set([...sessions.map(({ id }) => id.slice(0, 8)), ...asked.map(({ id }) => id.slice(0, 8))]);
      return [sessions.every(({ id }) => /^[0-9a-f]{64}$/.test(id)), asked.every(({ id }) => /^[0-9a-f]{32}$/.test(id)), starts.size];
    },
    want: [true, true, 40] },
];
