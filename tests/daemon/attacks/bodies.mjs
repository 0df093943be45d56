// JSON that two readers could understand differently, members that nobody knows, values of other types.
import { callTool } from '../lib/mcp.mjs';
import { onQuestion } from './routes.mjs';

// Every route that reads a body, with one that it takes: [method, path, body].
const routes = (it) => [
  ['POST', `/api/permissions/${it.id}/approve`, { scope: 'once', reason: 'x' }],
  ['POST', `/api/permissions/${it.id}/deny`, { reason: 'x' }],
  ['POST', `/api/permissions/${it.id}/preview`, { rule: 'Bash(npm install left-pad)' }],
  ['POST', '/api/sessions', { agent: 'backend', mode: 'plan' }],
  ['PATCH', `/api/sessions/${it.session.id}`, { mode: 'plan', frozen: false }],
  ['POST', '/api/freeze', { agent: 'frontend', frozen: false }],
  ['POST', '/api/approvers', { name: 'eve', person: 'eve' }],
  ['POST', '/api/login', { credential: 'x' }],
];

// The statuses of all routes, with a body made out of the one that they take.
const all = (make, { as = (gate) => gate.operator } = {}) => onQuestion(async (gate, it) => {
  const out = new Set();
  for (const [method, path, body] of routes(it)) out.add((await gate.send(method, path, { as: as(gate), body: make(body) })).status);
  return [...out];
});
const refused = { got: [400], state: 'pending' };
const refusedByName = { got: [400, 422], state: 'pending' };   // a mode that is no text is one that is not known

const twice = (body) => {
  const [[name, value], ...rest] = Object.entries(body);
  const member = `${JSON.stringify(name)}:${JSON.stringify(value)}`;
  return `{${[member, ...rest.map(([key, each]) => `${JSON.stringify(key)}:${JSON.stringify(each)}`), member].join(',')}}`;
};
const escapedTwice = (body) => twice(body).replace(/^\{"(.)/, (_, first) => `{"\\u${first.charCodeAt(0).toString(16).padStart(4, '0')}`);

const answers = async (gate, it, texts, path) => {
  const out = [];
  for (const text of texts) out.push((await gate.send('POST', path, { as: it.session.id, body: text })).json.verdict);
  return out;
};

export const rows = [
  { name: 'duplicate keys are refused in every body', act: all(twice), want: refused },
  { name: 'duplicate keys that are written differently are refused', act: all(escapedTwice), want: refused },
  { name: 'a member that is not known is refused in every body', act: all((body) => ({ ...body, approved: true })), want: refused },
  { name: 'a member that differs by case is not known', act: all((body) => ({ ...body, Scope: 'everyone', NAME: 'x' })), want: refused },
  { name: 'members of another type are refused in every body',
    act: all((body) => Object.fromEntries(Object.entries(body).map(([name]) => [name, { x: [] }]))),
    want: refusedByName },
  { name: 'lists and numbers do not stand for texts', act: all((body) => Object.fromEntries(Object.entries(body).map(([name]) => [name, [1]]))), want: refusedByName },
  { name: 'what is no object is refused', act: all(() => '["scope"]'), want: refused },
  { name: 'what is no JSON is refused', act: all(() => '{scope: "once"}'), want: refused },
  { name: 'more than one value is refused', act: all((body) => `${JSON.stringify(body)}{}`), want: refused },
  { name: 'a comment is no JSON', act: all((body) => `/**/${JSON.stringify(body)}`), want: refused },
  { name: 'text that is no UTF-8 is refused', act: all(() => Buffer.from('{"reason":"\xff"}', 'latin1')), want: refused },
  { name: 'half a character in an escape is refused', act: all((body) => JSON.stringify(body).replace(/\}$/, ',"rule":"\\ud800"}')), want: refused },
  { name: 'a number that is none is refused', act: all((body) => JSON.stringify(body).replace(/\}$/, ',"expires":NaN}')), want: refused },
  { name: 'nesting without end is refused', act: all(() => `{"updatedInput":${'['.repeat(100_000)}${']'.repeat(100_000)}}`), want: refused },
  { name: 'a body above four megabytes is refused',
    act: onQuestion(async (gate, it) => (await gate.send('POST', `/api/permissions/${it.id}/approve`, { as: gate.ann, body: `{"reason":"${'x'.repeat(5 << 20)}"}` }).catch(() => ({ status: 413 }))).status),
    want: { got: 413, state: 'pending' } },
  { name: 'an unknown scope, lifetime or answer is refused, never taken for a smaller one',
    act: onQuestion(async (gate, it) => {
      const out = [];
      for (const body of [{ scope: 'all' }, { scope: 'Once' }, { scope: 'session', expires: -1 }, { scope: 'session', expires: '1h' }, { scope: 'session', expires: 1.5 }, { scope: 'session', expires: 0 }, { updatedInput: 'x' }, { updatedInput: [] }])
        out.push((await gate.approve(it.id, body)).status);
      return out;
    }),
    want: { got: [400, 400, 400, 400, 400, 400, 400, 400], state: 'pending' } },
  { name: 'a call for a decision that can be read twice is denied',
    act: onQuestion((gate, it) => answers(gate, it, ['{"tool":"Bash","tool":"Read","input":{"command":"make"}}', '{"tool":"Bash","input":{"command":"make","command":"npm ci"}}', '{"tool":"Bash","input":"make"}',
      '{"tool":"Bash","input":{"command":"make"},"x":1}', '[]', ''], '/api/decide')),
    want: { got: Array(6).fill('deny'), state: 'pending' } },
  { name: 'a hook\'s payload that can be read twice is denied',
    act: onQuestion(async (gate, it) => {
      const out = [];
      const start = `{"session_id":"s","cwd":"${gate.world.work}","hook_event_name":"PreToolUse","tool_name":"Bash","tool_use_id":"t"`;
      for (const body of [`${start},"tool_input":{"command":"make","command":"make"}}`, `${start},"tool_input":{"command":"make"},"tool_input":{"command":"make"}}`, `${start},"tool_input":"make"}`, `${start}`, ''])
        out.push((await gate.send('POST', `/hook/${it.session.id}/claude`, { body })).json.hookSpecificOutput?.permissionDecision);
      return out;
    }),
    want: { got: Array(5).fill('deny'), state: 'pending' } },
  { name: 'an MCP message that can be read twice calls nothing',
    act: onQuestion(async (gate, it) => {
      const out = [];
      const call = (inside) => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"approve","arguments":${inside}}}`;
      for (const body of [call('{"tool_name":"Bash","input":{"command":"make","command":"make"}}'), call('{"tool_name":"Bash","tool_name":"Bash","input":{"command":"make"}}'), `{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}`]) {
        const { json } = await gate.send('POST', `/mcp/${it.session.id}`, { body, headers: { Accept: 'application/json' } });
        out.push(json.error !== undefined && json.result === undefined);
      }
      return out;
    }),
    want: { got: [true, true, true], state: 'pending' } },
  { name: 'a permission call with arguments of another type is denied',
    act: onQuestion(async (gate, it) => {
      const out = [];
      for (const args of [{}, { tool_name: 'Bash' }, { tool_name: 'Bash', input: 'make' }, { tool_name: 1, input: {} }, { tool_name: '', input: {} }, { tool_name: 'Bash', input: [] }, { tool_name: ['Bash'], input: {} }])
        out.push((await callTool(gate.port, it.session.id, 'approve', args).said())?.behavior);
      return out;
    }),
    want: { got: Array(7).fill('deny'), state: 'pending' } },
  { name: 'a web socket\'s message that can be read twice does nothing',
    act: onQuestion(async (gate, it) => {
      const socket = await gate.watch({ headers: { Authorization: `Bearer ${gate.ann}` } });
      await socket.next('all');
      socket.sayText(`{"channel":"x","event":"approval_response","data":{"permissionId":"${it.id}","decision":"deny","decision":"allow_once"}}`);
      return (await socket.next('refused')).data.error.code;
    }),
    want: { got: 'malformed-request', state: 'pending' } },
  { name: 'a web socket\'s answer with members that are not known or of another type does nothing',
    act: onQuestion(async (gate, it) => {
      const socket = await gate.watch({ headers: { Authorization: `Bearer ${gate.ann}` } });
      await socket.next('all');
      const out = [];
      for (const data of [{ permissionId: it.id, decision: 'allow' }, { permissionId: it.id, decision: true }, { permissionId: it.id }, { permissionId: [it.id], decision: 'allow_once' }, { decision: 'allow_once' }, { permissionId: it.id, callId: 'x', decision: 'ALLOW_ONCE' }]) {
        socket.say('permission', 'approval_response', data);
        out.push((await socket.next('refused')).data.error.code);
      }
      return out;
    }),
    want: { got: ['malformed-request', 'malformed-request', 'malformed-request', 'unknown-question', 'unknown-question', 'malformed-request'], state: 'pending' } },
];
