// A session wants to be another's child, to be somebody else, or to be less strict than it was made.
import { newPlace } from '../lib/http.mjs';
import { statusesOf } from './routes.mjs';

const sessions = async (gate) => (await gate.send('GET', '/api/sessions', { as: gate.ann })).json.sessions;
const payload = (gate, more) => ({ session_id: 'c1', cwd: gate.world.work, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'npm ci' }, tool_use_id: 'toolu_x', ...more });
const hook = async (gate, session, more, query = '?timeout=2') => {
  const { json } = await gate.send('POST', `/hook/${session.id}/claude${query}`, { body: payload(gate, more) });
  return json.hookSpecificOutput.permissionDecision;
};
const decide = async (gate, session, body) => (await gate.send('POST', '/api/decide', { as: session.id, body })).json.verdict;

export const rows = [
  { name: 'a session makes no session, neither below itself nor beside',
    act: async (stage) => {
      const gate = await stage.gate();
      const session = await gate.session();
      const before = (await sessions(gate)).length;
      const got = await statusesOf(gate, [{}, { parent: session.id }, { agent: 'backend', parent: session.id, mode: 'autonomous' }].map((body) => ['POST', '/api/sessions', body]),
        { headers: () => ({ Authorization: `Bearer ${session.id}`, 'X-Tollgate-Session': session.id }) });
      return [got, (await sessions(gate)).length - before];
    },
    want: [[401], 0] },
  { name: 'a session changes neither itself nor its parent',
    act: async (stage) => {
      const gate = await stage.gate();
      const parent = await gate.session();
      const child = await gate.session('backend', { parent: parent.id });
      const changes = [child.id, parent.id].flatMap((id) => [['PATCH', `/api/sessions/${id}`, { mode: 'autonomous', answer: 'yes', frozen: false }], ['DELETE', `/api/sessions/${id}`]]);
      const got = await statusesOf(gate, changes, { headers: () => ({ Authorization: `Bearer ${child.id}` }) });
      return [got, (await sessions(gate)).filter((each) => [child.id, parent.id].includes(each.id)).map(({ mode, answer }) => [mode, answer])];
    },
    want: [[401], [[null, null], [null, null]]] },
  { name: 'an unknown or ended parent is refused',
    act: async (stage) => {
      const gate = await stage.gate();
      const ended = await gate.session();
      await gate.send('DELETE', `/api/sessions/${ended.id}`, { as: gate.operator });
      const out = [];
      for (const parent of ['f'.repeat(64), 'x', ended.id, '../..']) {
        const { status, json } = await gate.send('POST', '/api/sessions', { as: gate.operator, body: { agent: 'backend', parent } });
        out.push(`${status} ${json.error?.code}`);
      }
      return out;
    },
    want: Array(4).fill('404 unknown-session') },
  { name: 'a parent cannot be changed after the session was made',
    act: async (stage) => {
      const gate = await stage.gate();
      const [one, other] = [await gate.session(), await gate.session()];
      return (await gate.send('PATCH', `/api/sessions/${one.id}`, { as: gate.operator, body: { parent: other.id } })).status;
    },
    want: 400 },
  { name: 'a sub-agent that a hook names is below the hook\'s own session, whatever its name',
    act: async (stage) => {
      const gate = await stage.gate();
      const [own, other] = [await gate.session(), await gate.session('frontend')];
      for (const agent_id of [other.id, `../${other.id}`, `${other.id}.x`, '.', 'a/b', '\u0000']) await hook(gate, own, { agent_id, agent_type: 'x' });
      const made = (await sessions(gate)).filter((each) => each.parent === own.id || each.parent === other.id);
      return [made.length, new Set(made.map((each) => each.parent === own.id && each.id.startsWith(`${own.id}.`))), made.every(({ agent }) => agent === 'backend')];
    },
    want: [6, new Set([true]), true] },
  { name: 'a child is bound by its parent\'s policy, whatever its own agent may do',
    act: async (stage) => {
      const gate = await stage.gate();
      const parent = await gate.session('strict');
      const child = await gate.session('backend', { parent: parent.id });
      return [(await gate.verdict(child, 'make deploy prod')).slice(0, 4), await gate.verdict(child, 'make all')];
    },
    want: ['deny', 'allow'] },
  { name: 'a child with a looser mode than its parent does no more than the parent',
    act: async (stage) => {
      const gate = await stage.gate();
      const parent = await gate.session('backend', { mode: 'plan' });
      const child = await gate.session('backend', { parent: parent.id, mode: 'autonomous' });
      return (await gate.verdict(child, 'npm install left-pad')).slice(0, 4);
    },
    want: 'deny' },
  { name: 'sessions stand at most eight deep',
    act: async (stage) => {
      const gate = await stage.gate();
      let parent = await gate.session();
      for (let depth = 1; depth <= 20; ++depth) {
        const made = await gate.send('POST', '/api/sessions', { as: gate.operator, body: { agent: 'backend', parent: parent.id } });
        if (made.status !== 201) return [depth, made.status, made.json.error.code];
        parent = made.json;
      }
      return 'no end';
    },
    want: [8, 422, 'chain-too-deep'] },
  { name: 'a session that says it is another agent is judged as its own',
    act: async (stage) => {
      const gate = await stage.gate();
      const strict = await gate.session('strict');
      return [await decide(gate, strict, { tool: 'Bash', input: { command: 'make deploy prod' }, agent: 'backend' }),
        await decide(gate, strict, { tool: 'Bash', input: { command: 'npm ci' }, agent: 'backend', mode: 'autonomous' }),
        await decide(gate, await gate.session('backend'), { tool: 'Bash', input: { command: 'make deploy prod' }, agent: 'strict' })];
    },
    want: ['deny', 'ask', 'allow'] },
  { name: 'a mode that a client claims does not loosen',
    act: async (stage) => {
      const gate = await stage.gate();
      const session = await gate.session();
      const out = [];
      for (const permission_mode of ['bypassPermissions', 'acceptEdits', 'autonomous', 'yolo']) out.push(await hook(gate, session, { permission_mode, tool_use_id: permission_mode }));
      return out;
    },
    want: ['deny', 'deny', 'deny', 'deny'] },
  { name: 'a session named in a payload or in the tool\'s arguments is not the one that asks',
    act: async (stage) => {
      const gate = await stage.gate();
      const [own, other] = [await gate.session(), await gate.session('frontend')];
      const call = gate.call(own, { command: 'npm ci', session: other.id, session_id: other.id, sessionId: other.id });
      const viaHook = gate.send('POST', `/hook/${own.id}/claude?timeout=4`, { body: payload(gate, { session_id: other.id, tool_use_id: 'toolu_forged' }) });
      const asked = [await gate.questionOf(call), await gate.questionOf({ use: 'toolu_forged' })];
      await Promise.all(asked.map((each) => gate.deny(each.permissionId)));
      await viaHook;
      return asked.map((each) => each.sessionId === own.id && each.agent);
    },
    want: ['backend', 'backend'] },
  { name: 'a child that nobody opened has no address',
    act: async (stage) => {
      const gate = await stage.gate();
      const session = await gate.session();
      return statusesOf(gate, [['POST', `/mcp/${session.id}.x`, {}], ['POST', `/hook/${session.id}.x/claude`, {}], ['POST', `/mcp/${session.id}.`, {}]]);
    },
    want: [404] },
  { name: 'an unknown session gets no decision',
    act: async (stage) => {
      const gate = await stage.gate();
      const body = { tool: 'Bash', input: { command: 'make all' } };
      return [(await gate.send('POST', '/api/decide', { headers: { 'X-Tollgate-Session': 'f'.repeat(64) }, body })).status,
        (await gate.send('POST', '/api/decide', { as: 'f'.repeat(64), body, from: newPlace() })).status, (await gate.send('POST', '/api/decide', { as: gate.ann, body })).status];
    },
    want: [401, 401, 403] },
];
