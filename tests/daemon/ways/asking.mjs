// MCP in both eras, decisions over HTTP, web sockets of applications and people.
import { callTool, modernMeta } from '../lib/mcp.mjs';
import { until } from '../lib/world.mjs';

const json = 'application/json';
// A call that is approved: how it came, and what was said.
const approved = (options, body = {}) => async (stage) => {
  const gate = await stage.gate();
  const { call, id } = await gate.asked(await gate.session(), 'npm ci', options);
  await gate.approve(id, body);
  return [await call.said(), call.status, call.type?.split(';')[0]];
};
const person = (gate, who = gate.ann) => gate.watch({ headers: { Authorization: `Bearer ${who}` } });
const application = async (gate) => {
  const session = await gate.session();
  return { session, socket: await gate.watch({ path: `/ws?session=${session.id}` }) };
};
const rpc = (gate, session, message, headers = {}) => gate.send('POST', `/mcp/${session.id}`, { body: message, headers: { Accept: `${json}, text/event-stream`, ...headers } });

export const rows = [
  { name: 'legacy MCP: a conversation begins, lists its tools and ends',
    act: async (stage) => {
      const gate = await stage.gate();
      const session = await gate.session();
      const begun = await rpc(gate, session, { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } } });
      const noted = await rpc(gate, session, { jsonrpc: '2.0', method: 'notifications/initialized' });
      const listed = await rpc(gate, session, { jsonrpc: '2.0', id: 2, method: 'tools/list' }, { 'MCP-Protocol-Version': '2025-06-18' });
      return [begun.json.result.protocolVersion, begun.json.result.serverInfo.name, noted.status, listed.json.result.tools.map(({ name }) => name)];
    },
    want: ['2025-06-18', 'tollgate', 202, ['approve', 'permissions__approve', 'handle_permission_request', 'ask_user', 'list_child_permissions', 'answer_child_permission']] },
  { name: 'legacy MCP as JSON: a person approves', act: approved({ accept: json }), want: [{ behavior: 'allow', updatedInput: { command: 'npm ci' } }, 200, json] },
  { name: 'legacy MCP as a stream: a person approves', act: approved({}), want: [{ behavior: 'allow', updatedInput: { command: 'npm ci' } }, 200, 'text/event-stream'] },
  { name: 'modern MCP: a person approves', act: approved({ modern: true }), want: [{ behavior: 'allow', updatedInput: { command: 'npm ci' } }, 200, 'text/event-stream'] },
  { name: 'modern MCP: the server says what it is without a beginning',
    act: async (stage) => {
      const gate = await stage.gate();
      const { result } = (await rpc(gate, await gate.session(), { jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta: modernMeta } }, { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'server/discover' })).json;
      return result.supportedVersions.includes('2026-07-28');
    },
    want: true },
  { name: 'MCP: an approver\'s input takes the place of the call\'s', act: approved({}, { updatedInput: { command: 'npm ci --ignore-scripts' } }),
    want: [{ behavior: 'allow', updatedInput: { command: 'npm ci --ignore-scripts' } }, 200, 'text/event-stream'] },
  { name: 'MCP: the permission tool goes by three names',
    act: async (stage) => {
      const gate = await stage.gate();
      const session = await gate.session();
      const out = [];
      for (const name of ['approve', 'permissions__approve', 'handle_permission_request'])
        out.push((await callTool(gate.port, session.id, name, { tool_name: 'Bash', input: { command: 'make all' } }).said()).behavior);
      return out;
    },
    want: ['allow', 'allow', 'allow'] },
  { name: 'MCP: a batch of 2025-03-26 is answered together',
    act: async (stage) => {
      const gate = await stage.gate();
      const session = await gate.session();
      const one = (id, command) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'approve', arguments: { tool_name: 'Bash', input: { command } } } });
      const { json: answers } = await gate.send('POST', `/mcp/${session.id}`, { headers: { Accept: json, 'MCP-Protocol-Version': '2025-03-26' }, body: [one(1, 'make all'), one(2, 'git push --force'), { jsonrpc: '2.0', id: 3, method: 'ping' }] });
      return answers.map(({ id, result }) => [id, result.content ? JSON.parse(result.content[0].text).behavior : 'pong']).sort();
    },
    want: [[1, 'allow'], [2, 'deny'], [3, 'pong']] },
  { name: 'MCP: GET and DELETE of a session\'s address are not for this',
    act: async (stage) => {
      const gate = await stage.gate();
      const { id } = await gate.session();
      return [(await gate.send('GET', `/mcp/${id}`)).status, (await gate.send('DELETE', `/mcp/${id}`)).status];
    },
    want: [405, 405] },
  { name: 'ask_user: an option, a text, both, and a no',
    act: async (stage) => {
      const gate = await stage.gate();
      const session = await gate.session();
      const out = [];
      for (const [act, body] of [['approve', { option: 'blue' }], ['approve', { text: 'green, please' }], ['approve', { option: 'red', text: 'dark' }], ['deny', { reason: 'not now' }]]) {
        const call = callTool(gate.port, session.id, 'ask_user', { question: `which colour for ${JSON.stringify(body)}?`, options: ['red', 'blue'] });
        const question = await until(async () => (await gate.pending()).find((each) => each.sessionId === session.id), 'the question');
        await gate[act](question.permissionId, body);
        const { content, isError } = await call.result();
        out.push([question.type, question.toolInput.options, isError ?? false, content[0].text]);
      }
      return out;
    },
    want: [['escalation', ['red', 'blue'], false, 'blue'], ['escalation', ['red', 'blue'], false, 'green, please'], ['escalation', ['red', 'blue'], false, 'red\ndark'],
      ['escalation', ['red', 'blue'], true, 'ann denied it: not now']] },
  { name: 'AskUserQuestion over the permission tool: the answers go into its input',
    act: async (stage) => {
      const gate = await stage.gate();
      const input = { questions: [{ question: 'which?', header: 'x', options: [{ label: 'a' }, { label: 'b' }], multiSelect: false }] };
      const { call, id } = await gate.asked(await gate.session(), input, { tool: 'AskUserQuestion' });
      await gate.approve(id, { answers: { 'which?': 'b' } });
      return (await call.said()).updatedInput.answers;
    },
    want: { 'which?': 'b' } },
  { name: 'AskUserQuestion: one option for a form with several questions is refused, and the form stays open',
    act: async (stage) => {
      const gate = await stage.gate();
      const input = { questions: [{ question: 'which?', options: [{ label: 'a' }] }, { question: 'how many?', options: [{ label: '1' }] }] };
      const { call, id } = await gate.asked(await gate.session(), input, { tool: 'AskUserQuestion' });
      const refused = [];
      for (const body of [{ option: 'a' }, { text: 'a' }, { answers: 'a' }, { answers: { 'who?': 'a' } }, { answers: { 'which?': ['a'] } }]) {
        const { status, json: answer } = await gate.approve(id, body);
        refused.push(`${status} ${answer.error?.code} ${/answers/.test(answer.error?.hint)}`);
      }
      const { status } = await gate.approve(id, { answers: { 'which?': 'a', 'how many?': '1' } });
      return [[...new Set(refused)], status, (await call.said()).updatedInput.answers];
    },
    want: [['422 answer-refused true'], 200, { 'which?': 'a', 'how many?': '1' }] },
  { name: 'ExitPlanMode: words do not approve a plan, a reason denies it and reaches the agent',
    act: async (stage) => {
      const gate = await stage.gate();
      const { call, id, question } = await gate.asked(await gate.session(), { plan: 'Delete the tests.' }, { tool: 'ExitPlanMode' });
      const refused = [];
      for (const body of [{ option: 'go on' }, { text: 'go on' }, { answers: {} }]) {
        const { status, json } = await gate.approve(id, body);
        refused.push([status, json.error?.code]);
      }
      const { state } = await gate.permission(id);
      await gate.deny(id, { reason: 'keep the tests' });
      const { behavior, message } = await call.said();
      return [question.type, refused, state, behavior, message.includes('keep the tests')];
    },
    want: ['escalation', Array(3).fill([422, 'answer-refused']), 'pending', 'deny', true] },
  { name: 'AskUserQuestion over a hook: the answers go into its input',
    act: async (stage) => {
      const gate = await stage.gate();
      const session = await gate.session();
      const input = { questions: [{ question: 'which?', header: 'x', options: [{ label: 'a' }, { label: 'b' }], multiSelect: false }] };
      const answer = gate.send('POST', `/hook/${session.id}/claude?timeout=60`, { body: { session_id: 'c', cwd: gate.world.work, hook_event_name: 'PreToolUse', tool_name: 'AskUserQuestion', tool_input: input, tool_use_id: 'toolu_form' } });
      const { permissionId, type } = await gate.questionOf({ use: 'toolu_form' });
      await gate.approve(permissionId, { option: 'b' });
      const { hookSpecificOutput } = (await answer).json;
      return [type, hookSpecificOutput.permissionDecision, hookSpecificOutput.updatedInput?.answers];
    },
    want: ['escalation', 'allow', { 'which?': 'b' }] },
  { name: 'ExitPlanMode shows the plan, whole, to a person, in every mode',
    act: async (stage) => {
      const gate = await stage.gate();
      const plan = `# The plan\n${'one more step\n'.repeat(500)}`;
      const out = [];
      for (const mode of ['plan', 'default', 'autonomous']) {
        const { call, id, question } = await gate.asked(await gate.session('backend', { mode }), { plan }, { tool: 'ExitPlanMode' });
        await gate.approve(id);
        out.push([question.type, question.toolInput.plan === plan, (await call.said()).behavior]);
      }
      return out;
    },
    want: Array(3).fill(['escalation', true, 'allow']) },
  { name: 'a decision over HTTP: by a session as bearer or header, by an operator, without asking anybody',
    act: async (stage) => {
      const gate = await stage.gate();
      const { id } = await gate.session();
      const body = (command) => ({ tool: 'Bash', input: { command }, id: 7 });
      const before = (await gate.pending()).length;
      const out = [];
      for (const given of [{ as: id, body: body('make all') }, { headers: { 'X-Tollgate-Session': id }, body: body('npm ci') }, { as: gate.operator, body: { ...body('git push --force'), agent: 'backend', cwd: gate.world.work } }]) {
        const { status, json: decided } = await gate.send('POST', '/api/decide', given);
        out.push([status, decided.id, decided.verdict]);
      }
      return [...out, (await gate.pending()).length - before];
    },
    want: [[200, 7, 'allow'], [200, 7, 'ask'], [200, 7, 'deny'], 0] },
  { name: 'an application\'s socket: allowed at once, and asked about',
    act: async (stage) => {
      const gate = await stage.gate();
      const { socket } = await application(gate);
      socket.say('agent', 'gate_request', { turnId: 't1', callId: 'c1', tool: 'Bash', args: { command: 'make all' } });
      const first = (await socket.next('gate_decision')).data;
      socket.say('agent', 'gate_request', { turnId: 't2', callId: 'c2', tool: 'Bash', args: { command: 'npm ci' } });
      const asked = await gate.questionOf({ use: 'c2' });
      await gate.approve(asked.permissionId, { updatedInput: { command: 'npm ci --offline' } });
      const second = (await socket.next('gate_decision')).data;
      return [[first.turnId, first.callId, first.verdict], [asked.toolName, asked.decision.suggestions], [second.turnId, second.callId, second.verdict, second.updatedInput]];
    },
    want: [['t1', 'c1', 'allow'], ['Bash', ['Bash(npm ci)']], ['t2', 'c2', 'allow', { command: 'npm ci --offline' }]] },
  { name: 'an application is told that a person is asked',
    act: async (stage) => {
      const gate = await stage.gate();
      const { socket } = await application(gate);
      socket.say('agent', 'gate_request', { turnId: 't2', callId: 'told', tool: 'Bash', args: { command: 'npm ci' } });
      const { permissionId } = await gate.questionOf({ use: 'told' });
      const asked = (await socket.next('approval_request', 'agent', 5_000)).data;
      return [asked.permissionId === permissionId, asked.turnId, asked.callId, asked.tool, asked.specifier, asked.mode, asked.suggestions, asked.expiresAt];
    },
    want: [true, 't2', 'told', 'Bash', { command: 'npm ci' }, 'default', ['Bash(npm ci)'], null] },
  { name: 'an application is told the mode that an operator has set',
    act: async (stage) => {
      const gate = await stage.gate();
      const { session, socket } = await application(gate);
      await gate.send('PATCH', `/api/sessions/${session.id}`, { as: gate.operator, body: { mode: 'acceptEdits' } });
      socket.say('agent', 'gate_request', { turnId: 't3', callId: 'mode', tool: 'Bash', args: { command: 'npm ci' } });
      return (await socket.next('approval_request')).data.mode;
    },
    want: 'acceptEdits' },
  { name: 'an application lists the tools of its manifest',
    act: async (stage) => {
      const gate = await stage.gate();
      const { socket } = await application(gate);
      socket.say('agent', 'manifest', { tools: [{ name: 'files.rename' }, { name: 'files.read' }] });
      await socket.next('tools');
      socket.say('agent', 'list_tools', {});
      return (await socket.next('tools')).data.tools.map(({ name }) => name);
    },
    want: ['files.rename', 'files.read'] },
  { name: 'people see what is open, then each thing as it happens',
    act: async (stage) => {
      const gate = await stage.fresh();
      const session = await gate.session();
      const first = await gate.asked(session);
      const socket = await person(gate);
      const all = (await socket.next('all')).data.permissions.map((each) => each.permissionId);
      const { call, id } = await gate.asked(session, 'npm ci');
      const created = (await socket.next('created')).data.permissionId;
      await gate.approve(id);
      const resolved = (await socket.next('resolved')).data;
      await call.done;
      const delivered = (await socket.next('delivered')).data;
      first.call.hangUp();
      const gone = (await socket.next('gone')).data;
      return [all.length, all[0] === first.id, created === id, resolved.state, resolved.answer.by, delivered.permissionId === id, gone.permissionId === first.id, gone.goneAt !== null];
    },
    want: [1, true, true, 'approved', 'ann', true, true, true] },
  { name: 'people answer over their socket: once, always, no; by question or by call',
    act: async (stage) => {
      const gate = await stage.fresh();
      const session = await gate.session();
      const socket = await person(gate);
      const out = [];
      for (const [command, make] of [['npm ci', ({ id }) => ({ permissionId: id, decision: 'allow_once' })], ['npm update', ({ call }) => ({ callId: call.use, decision: 'deny', reason: 'no' })],
        ['npm install x', ({ id }) => ({ permissionId: id, decision: 'allow_always', rule: 'Bash(npm install *)' })]]) {
        const asked = await gate.asked(session, command);
        socket.say('permission', 'approval_response', make(asked));
        out.push((await asked.call.said()).behavior);
      }
      return [...out, await gate.verdict(session, 'npm install y'), (await gate.send('GET', '/api/grants', { as: gate.ann })).json.grants.map(({ rule, scope }) => [rule, scope])];
    },
    want: ['allow', 'deny', 'allow', 'allow', [['Bash(npm install *)', 'agent']]] },
  { name: 'a denial\'s reason reaches the agent',
    act: async (stage) => {
      const gate = await stage.gate();
      const { call, id } = await gate.asked(await gate.session());
      await gate.deny(id, { reason: 'use the staging registry' });
      const { behavior, message } = await call.said();
      return [behavior, message.includes('ann denied it: use the staging registry')];
    },
    want: ['deny', true] },
  { name: 'a preview says what a rule would have covered',
    act: async (stage) => {
      const gate = await stage.fresh();
      const session = await gate.session();
      for (const name of ['a', 'b']) {
        const { call, id } = await gate.asked(session, `npm install ${name}`);
        await gate.approve(id);
        await call.done;
      }
      const { id } = await gate.asked(session, 'npm install c');
      const { json: shown } = await gate.send('POST', `/api/permissions/${id}/preview`, { as: gate.ann, body: { rule: 'Bash(npm install *)' } });
      return [shown.rule, shown.covers >= 2];
    },
    want: ['Bash(npm install *)', true] },
  { name: 'what the daemon has to show: agents, policy, settings, counts',
    act: async (stage) => {
      const gate = await stage.gate();
      const get = async (path) => (await gate.send('GET', path, { as: gate.ann }));
      await gate.verdict(await gate.session(), 'make all');
      return [(await get('/api/agents')).json.agents.map(({ name }) => name).filter(Boolean).sort(), (await get('/api/policy?agent=strict')).json.rules.deny.map(({ rule }) => rule).filter((rule) => rule.startsWith('Bash')).sort(),
        (await get('/api/settings')).json.permissionTimeoutMs, /^tollgate_decisions_total\{verdict="allow"\} [1-9]/m.test((await get('/metrics')).text)];
    },
    want: [['backend', 'frontend', 'strict'], ['Bash(git push --force *)', 'Bash(make deploy *)'], 0, true] },
];
