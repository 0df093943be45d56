// A question ends once, whoever races; what has ended is not answered, what was ended does not run.
import { callTool } from '../lib/mcp.mjs';
import { until, usual } from '../lib/world.mjs';

const short = usual.replace('permissionTimeout: 0', 'permissionTimeout: 300ms');
// 409 with the end that stands.
const late = async (response) => [response.status, response.json.error?.code, response.json.permission?.state];
const answers = async (gate, id) => (await gate.audit(`&question=${id}`)).filter((row) => row.kind === 'answer').length;

export const rows = [
  { name: 'double answers in a race: one counts, all others are told which',
    act: async (stage) => {
      const gate = await stage.gate();
      const out = [];
      for (let round = 0; round < 4; ++round) {
        const { id, call } = await gate.asked(await gate.session());
        const got = await Promise.all(Array.from({ length: 50 }, (_, i) => gate[i % 3 === 0 ? 'deny' : 'approve'](id, {}, i % 2 === 0 ? gate.ann : gate.bob)));
        const won = got.filter((each) => each.status === 200);
        const told = new Set(got.filter((each) => each.status !== 200).map((each) => `${each.status} ${each.json.permission?.state} ${each.json.permission?.answer.by}`));
        const { state, answer } = won[0].json;
        const said = (await call.said()).behavior;
        out.push([won.length, told.size, told.has(`409 ${state} ${answer.by}`), said === (state === 'approved' ? 'allow' : 'deny'), await answers(gate, id)]);
      }
      return out;
    },
    want: Array(4).fill([1, 1, true, true, 1]) },
  { name: 'double answers over a web socket and HTTP: one counts',
    act: async (stage) => {
      const gate = await stage.gate();
      const { id } = await gate.asked(await gate.session());
      const socket = await gate.watch({ headers: { Authorization: `Bearer ${gate.bob}` } });
      await socket.next('all');
      for (let i = 0; i < 10; ++i) socket.say('permission', 'approval_response', { permissionId: id, decision: i % 2 ? 'deny' : 'allow_once' });
      const got = await Promise.all(Array.from({ length: 10 }, () => gate.approve(id)));
      await until(() => socket.messages.filter((each) => each.event === 'refused').length >= 9, 'the refusals');
      return [got.filter((each) => each.status === 200).length + 10 - socket.messages.filter((each) => each.event === 'refused').length, await answers(gate, id)];
    },
    want: [1, 1] },
  { name: 'an expired question is not answered, and its call was denied',
    act: async (stage) => {
      const gate = await stage.fresh({ policy: short });
      const session = await gate.session();
      const call = gate.call(session, 'npm ci');
      const { behavior } = await call.said();
      const [{ permissionId }] = (await gate.send('GET', '/api/permissions?state=resolved', { as: gate.ann })).json.permissions;
      return [behavior, await late(await gate.approve(permissionId)), await late(await gate.deny(permissionId))];
    },
    want: ['deny', [409, 'already-answered', 'expired'], [409, 'already-answered', 'expired']] },
  { name: 'a cancelled question is not answered',
    act: async (stage) => {
      const gate = await stage.gate();
      const session = await gate.session();
      const { call, id } = await gate.asked(session);
      await gate.send('POST', `/mcp/${session.id}`, { body: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: call.id, reason: 'changed my mind' } }, headers: { Accept: 'application/json, text/event-stream' } });
      await until(async () => (await gate.permission(id)).state !== 'pending', 'the end');
      return late(await gate.approve(id));
    },
    want: [409, 'already-answered', 'cancelled'] },
  { name: 'a session cancels no call of another session',
    act: async (stage) => {
      const gate = await stage.gate();
      const { call, id } = await gate.asked(await gate.session());
      const other = await gate.session();
      await gate.send('POST', `/mcp/${other.id}`, { body: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: call.id } }, headers: { Accept: 'application/json, text/event-stream' } });
      await gate.verdict(other, 'make all');
      return (await gate.permission(id)).state;
    },
    want: 'pending' },
  { name: 'a session that has ended is gone from every route, and its questions are cancelled',
    act: async (stage) => {
      const gate = await stage.gate();
      const parent = await gate.session();
      const child = await gate.session('backend', { parent: parent.id });
      const asked = [await gate.asked(parent), await gate.asked(child)];
      const { status } = await gate.send('DELETE', `/api/sessions/${parent.id}`, { as: gate.operator });
      const behaviors = await Promise.all(asked.map(async ({ call }) => (await call.said()).behavior));
      const out = [status, ...behaviors];
      for (const { id } of asked) out.push(...await late(await gate.approve(id)));
      for (const { id } of [parent, child])
        out.push((await callTool(gate.port, id, 'approve', {}).done).error?.code, (await gate.send('POST', `/hook/${id}/claude`, { body: {} })).status, (await gate.watch({ path: `/ws?session=${id}` })).status);
      return out;
    },
    want: [200, 'deny', 'deny', 409, 'already-answered', 'cancelled', 409, 'already-answered', 'cancelled', 'unknown-session', 404, 404, 'unknown-session', 404, 404] },
  { name: 'a frozen agent is denied everything, others go on',
    act: async (stage) => {
      const gate = await stage.fresh();
      const [one, other] = [await gate.session('backend'), await gate.session('frontend')];
      await gate.send('POST', '/api/freeze', { as: gate.ann, body: { agent: 'backend' } });
      const out = [(await gate.verdict(one, 'make all')).slice(0, 4), await gate.verdict(other, 'make all')];
      await gate.send('POST', '/api/freeze', { as: gate.ann, body: { agent: 'backend', frozen: false } });
      return [...out, await gate.verdict(one, 'make all')];
    },
    want: ['deny', 'allow', 'allow'] },
  { name: 'a freeze of everything denies everything on every way in, also after a kill',
    act: async (stage) => {
      const gate = await stage.fresh();
      const session = await gate.session();
      await gate.send('POST', '/api/freeze', { as: gate.ann, body: {} });
      const ways = async () => {
        const hooked = await gate.send('POST', `/hook/${session.id}/claude`, { body: { session_id: 's', cwd: gate.world.work, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'make' }, tool_use_id: 't' } });
        return [(await gate.verdict(session, 'make all')).slice(0, 4), hooked.json.hookSpecificOutput.permissionDecision, (await gate.send('POST', '/api/decide', { as: session.id, body: { tool: 'Bash', input: { command: 'make' } } })).json.verdict];
      };
      const before = await ways();
      await gate.stop('SIGKILL');
      await gate.run();
      return [...before, ...await ways()];
    },
    want: Array(6).fill('deny') },
  { name: 'what is approved while everything is frozen does not run',
    act: async (stage) => {
      const gate = await stage.fresh();
      const { id, call } = await gate.asked(await gate.session());
      await gate.send('POST', '/api/freeze', { as: gate.bob, body: {} });
      await gate.approve(id);
      return (await call.said()).behavior;
    },
    want: 'deny' },
  { name: 'what is approved while its session is frozen does not run',
    act: async (stage) => {
      const gate = await stage.gate();
      const session = await gate.session();
      const { id, call } = await gate.asked(session);
      await gate.send('PATCH', `/api/sessions/${session.id}`, { as: gate.operator, body: { frozen: true } });
      await gate.approve(id);
      return (await call.said()).behavior;
    },
    want: 'deny' },
  { name: 'what is approved after the policy came to deny it does not run',
    act: async (stage) => {
      const gate = await stage.fresh();
      const watcher = await gate.watch({ headers: { Authorization: `Bearer ${gate.ann}` } });
      const { id, call } = await gate.asked(await gate.session());
      gate.world.setPolicy(usual.replace('"Bash(git push --force *)"', '"Bash(npm *)"'));
      await watcher.next('changed', 'policy');
      await gate.approve(id);
      return (await call.said()).behavior;
    },
    want: 'deny' },
];
