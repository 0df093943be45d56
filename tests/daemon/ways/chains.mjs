// Sessions below sessions, who settles their asks, and what an operator changes while they run.
import fs from 'node:fs';

import { callTool } from '../lib/mcp.mjs';
import { until } from '../lib/world.mjs';

const policy = `version: 1
settings: {permissionTimeout: 0}
rules: {allow: ["Bash(make *)"], deny: ["Bash(git push --force *)"]}
agents:
  lead: {rules: {allow: ["Bash(npm ci)"], deny: ["Bash(npm publish *)"]}}
  asking: {}
  forwarding: {answer: forward}
  obedient: {answer: parent}
  trusting: {answer: yes}
  silent: {answer: no}
`;

// Rules that say what happens when nobody answers.
const timed = `version: 1
settings: {permissionTimeout: 400ms}
agents:
  lead: {permissionTimeout: 0, rules: {allow: ["Bash(npm ci)"], ask: ["Bash(npm update *)"]}}
  yes: {answer: yes}
  no: {answer: no}
  child:
    rules:
      ask:
        - {rule: "Bash(npm ci)", onTimeout: forward}
        - {rule: "Bash(npm update *)", onTimeout: forward}
        - {rule: "Bash(npm publish *)", onTimeout: forward}
        - {rule: "Bash(npm audit *)", onTimeout: deny}
        - {rule: "Bash(npm link *)", onTimeout: escalate}
`;
// Rules that say who settles them, whatever their agent says.
const ruled = `version: 1
settings: {permissionTimeout: 400ms}
agents:
  lead: {permissionTimeout: 0, rules: {allow: ["Bash(npm ci)"]}}
  child:
    rules:
      ask:
        - {rule: "Bash(npm test)", answer: yes}
        - {rule: "Bash(npm publish)", answer: no}
        - {rule: "Bash(npm ci)", answer: forward}
        - {rule: "Bash(npm update)", answer: parent}
        - {rule: "Bash(npm link)", onTimeout: deny}
`;

// What a call of `child` under `above` comes to while nobody answers.
const unanswered = (above, command) => async (stage) => {
  const gate = await stage.fresh({ policy: timed });
  const parent = above === '' ? undefined : (await gate.session(above)).id;
  return gate.verdict(await gate.session('child', { parent }), command);
};

// A child of `lead`, and what becomes of its calls.
const family = async (stage, agent) => {
  const gate = await stage.fresh({ policy });
  const parent = await gate.session('lead');
  return { gate, parent, child: await gate.session(agent, { parent: parent.id }) };
};
const verdicts = (agent, commands) => async (stage) => {
  const { gate, child } = await family(stage, agent);
  const out = [];
  for (const command of commands) out.push((await gate.verdict(child, command)).split(':')[0]);
  return out;
};
const tool = async (gate, session, name, args) => {
  const result = await callTool(gate.port, session.id, name, args).result();
  return { failed: result.isError ?? false, text: result.content[0].text };
};

export const rows = [
  { name: 'a child under a stricter parent: the parent\'s deny holds', act: verdicts('trusting', ['npm publish', 'make all', 'git push -f']), want: ['deny', 'allow', 'deny'] },
  { name: 'answer no denies, answer yes allows what the parent allows', act: verdicts('silent', ['npm ci', 'make all']), want: ['deny', 'allow'] },
  { name: 'answer yes allows what every level allows', act: verdicts('trusting', ['npm ci', 'make all']), want: ['allow', 'allow'] },
  { name: 'answer yes of a child does not settle the ask of its parent',
    act: async (stage) => {
      const { gate, child } = await family(stage, 'trusting');
      const { call, id, question } = await gate.asked(child, 'npm update');
      await gate.approve(id);
      return [question.chain, (await call.said()).behavior];
    },
    want: [['trusting', 'lead'], 'allow'] },
  { name: 'answer forward: the parent\'s policy settles it', act: verdicts('forwarding', ['npm ci', 'npm publish']), want: ['allow', 'deny'] },
  { name: 'answer forward: what the parent asks goes to people, once for the whole chain',
    act: async (stage) => {
      const { gate, child } = await family(stage, 'forwarding');
      const { call, id, question } = await gate.asked(child, 'npm update');
      await gate.approve(id);
      return [question.chain, question.forSession, (await call.said()).behavior, (await gate.audit()).filter((row) => row.kind === 'question').length];
    },
    want: [['forwarding', 'lead'], null, 'allow', 1] },
  { name: 'answer forward or parent without a parent: nobody to ask',
    act: async (stage) => {
      const gate = await stage.fresh({ policy });
      const out = [];
      for (const agent of ['forwarding', 'obedient']) out.push(/^deny: .*nobody to ask/.test(await gate.verdict(await gate.session(agent), 'npm update')));
      return out;
    },
    want: [true, true] },
  { name: 'answer parent: the parent\'s agent lists and allows what its own policy allows',
    act: async (stage) => {
      const { gate, parent, child } = await family(stage, 'obedient');
      const { call, id } = await gate.asked(child, 'npm ci');
      const listed = JSON.parse((await tool(gate, parent, 'list_child_permissions', {})).text).permissions;
      const answered = await tool(gate, parent, 'answer_child_permission', { permission_id: id, decision: 'allow', reason: 'go on' });
      const { answer } = await gate.permission(id);
      return [listed.map((each) => [each.permissionId === id, each.toolInput.command, each.sessionId === child.id.slice(0, 8)]), answered, (await call.said()).behavior, answer.by === `parent:${parent.id.slice(0, 8)}`];
    },
    want: [[[true, 'npm ci', true]], { failed: false, text: 'approved' }, 'allow', true] },
  { name: 'answer parent: the parent\'s agent says no, and the reason reaches the child',
    act: async (stage) => {
      const { gate, parent, child } = await family(stage, 'obedient');
      const { call, id } = await gate.asked(child, 'npm ci');
      await tool(gate, parent, 'answer_child_permission', { permission_id: id, decision: 'deny', reason: 'not that one' });
      const { behavior, message } = await call.said();
      const again = await tool(gate, parent, 'answer_child_permission', { permission_id: id, decision: 'allow' });
      return [behavior, /not that one/.test(message), again.failed];
    },
    want: ['deny', true, true] },
  { name: 'answer parent: what the parent would have to ask goes to people, not to its agent',
    act: async (stage) => {
      const { gate, parent, child } = await family(stage, 'obedient');
      const { call, id } = await gate.asked(child, 'npm update');
      const listed = JSON.parse((await tool(gate, parent, 'list_child_permissions', {})).text).permissions.length;
      const tried = await tool(gate, parent, 'answer_child_permission', { permission_id: id, decision: 'allow' });
      await gate.approve(id);
      return [listed, tried.failed, (await call.said()).behavior];
    },
    want: [0, true, 'allow'] },
  { name: 'answer parent: a person may answer as well',
    act: async (stage) => {
      const { gate, child } = await family(stage, 'obedient');
      const { call, id } = await gate.asked(child, 'npm ci');
      return [(await gate.approve(id)).status, (await call.said()).behavior];
    },
    want: [200, 'allow'] },
  { name: 'a grandchild is bound by every session above it',
    act: async (stage) => {
      const { gate, child } = await family(stage, 'asking');
      const grandchild = await gate.session('trusting', { parent: child.id });
      const { question } = await gate.asked(grandchild, 'npm update');
      return [question.chain, (await gate.verdict(grandchild, 'npm publish')).split(':')[0]];
    },
    want: [['trusting', 'asking', 'lead'], 'deny'] },
  { name: 'delegate lets a named child exceed its parent',
    act: async (stage) => {
      const gate = await stage.fresh({ policy: policy.replace('lead: {', 'lead: {delegate: [trusting], ') });
      const parent = await gate.session('lead');
      const [named, other] = [await gate.session('trusting', { parent: parent.id }), await gate.session('asking', { parent: parent.id })];
      return [(await gate.verdict(named, 'npm publish')).split(':')[0], (await gate.verdict(other, 'npm publish')).split(':')[0]];
    },
    want: ['allow', 'deny'] },
  { name: 'an operator changes mode and answer while the session runs, and takes it back',
    act: async (stage) => {
      const gate = await stage.fresh({ policy });
      const session = await gate.session('asking');
      const decide = async () => (await gate.send('POST', '/api/decide', { as: session.id, body: { tool: 'Bash', input: { command: 'npm update' } } })).json.verdict;
      const out = [await decide()];
      for (const body of [{ mode: 'plan' }, { mode: 'autonomous' }, { mode: null }, { answer: 'yes' }, { answer: 'no' }, { answer: null }, { mode: 'dontAsk' }, { mode: null, frozen: true }, { frozen: false }]) {
        const { status } = await gate.send('PATCH', `/api/sessions/${session.id}`, { as: gate.operator, body });
        out.push(`${status} ${await decide()}`);
      }
      return out;
    },
    want: ['ask', '200 deny', '200 allow', '200 ask', '200 allow', '200 deny', '200 ask', '200 deny', '200 deny', '200 ask'] },
  { name: 'what an operator changed holds after a kill',
    act: async (stage) => {
      const gate = await stage.fresh({ policy });
      const session = await gate.session('asking');
      await gate.send('PATCH', `/api/sessions/${session.id}`, { as: gate.operator, body: { mode: 'plan' } });
      await gate.stop('SIGKILL');
      await gate.run();
      return (await gate.verdict(session, 'npm update')).split(':')[0];
    },
    want: 'deny' },
  { name: 'onTimeout forward: what the parent\'s policy allows runs', act: unanswered('lead', 'npm ci'), want: 'allow' },
  { name: 'onTimeout forward: the parent\'s answerer says yes', act: unanswered('yes', 'npm publish'), want: 'allow' },
  { name: 'onTimeout forward: the parent\'s answerer says no', act: async (stage) => (await unanswered('no', 'npm publish')(stage)).split(':')[0], want: 'deny' },
  { name: 'onTimeout forward without a parent: deny, with that reason', act: unanswered('', 'npm ci'),
    want: 'deny: Tollgate: nobody answered in time; there is nobody to ask: this session leaves the answer to its parent and has none (forward, built-in)' },
  { name: 'onTimeout deny, and no word of it: deny, whatever the parent would say',
    act: async (stage) => [await unanswered('yes', 'npm audit fix')(stage), await unanswered('yes', 'npm install x')(stage)].map((said) => said.replace(/ \(.*/, '')), want: Array(2).fill('deny: Tollgate: nobody answered in time') },
  { name: 'onTimeout forward: what the parent asks goes to its people as a question of theirs, for their own time',
    act: async (stage) => {
      const gate = await stage.fresh({ policy: timed });
      const child = await gate.session('child', { parent: (await gate.session('lead')).id });
      const call = gate.call(child, 'npm update x');
      const first = await gate.questionOf(call);
      const second = await until(async () => (await gate.pending()).find((each) => each.permissionId !== first.permissionId), 'the second question');
      await gate.approve(second.permissionId);
      return [first.expiresAt !== null, (await gate.permission(first.permissionId)).state, second.expiresAt, second.context.forwarded.question === first.permissionId, (await call.said()).behavior];
    },
    want: [true, 'expired', null, true, 'allow'] },
  { name: 'onTimeout forward: a call that comes again is judged under its parent once more',
    act: async (stage) => {
      const gate = await stage.fresh({ policy: timed });
      const child = await gate.session('child', { parent: (await gate.session('lead')).id });
      const { call, id } = await gate.asked(child, 'npm ci');
      call.hangUp();
      await until(async () => (await gate.permission(id)).state === 'expired', 'the end');
      return gate.verdict(child, 'npm ci', { use: call.use });
    },
    want: 'allow' },
  { name: 'onTimeout escalate: the question is put once more, says so, and then is denied',
    act: async (stage) => {
      const gate = await stage.fresh({ policy: timed });
      const watcher = await gate.watch({ headers: { Authorization: `Bearer ${gate.ann}` } });
      const said = await gate.verdict(await gate.session('child'), 'npm link x');
      const told = [await watcher.next('created'), await watcher.next('created'), await watcher.next('timeout')].map(({ data }) => [data.permissionId, 'escalated' in data.context]);
      return [said.replace(/ \(.*/, ''), new Set(told.map(([id]) => id)).size, told.map(([, again]) => again)];
    },
    want: ['deny: Tollgate: nobody answered in time, twice', 1, [false, true, true]] },
  { name: 'a rule says who settles it: yes, no, forward to the parent\'s policy, and onTimeout deny',
    act: async (stage) => {
      const gate = await stage.fresh({ policy: ruled });
      const parent = await gate.session('lead');
      const alone = await gate.session('child'), child = await gate.session('child', { parent: parent.id });
      const short = async (session, command) => (await gate.verdict(session, command)).replace(/^(deny: Tollgate: nobody|deny|allow).*/, '$1');
      return [await short(alone, 'npm test'), await short(alone, 'npm publish'), await short(child, 'npm ci'), await short(alone, 'npm ci'), await short(alone, 'npm link')];
    },
    want: ['allow', 'deny', 'allow', 'deny', 'deny: Tollgate: nobody'] },
  { name: 'a rule with answer parent: the parent\'s agent is asked, and its word settles it',
    act: async (stage) => {
      const gate = await stage.fresh({ policy: ruled.replace('Bash(npm ci)"]', 'Bash(npm ci)", "Bash(npm update)"]').replace('400ms', '0') });
      const parent = await gate.session('lead');
      const child = await gate.session('child', { parent: parent.id });
      const { call, id } = await gate.asked(child, 'npm update');
      const { failed } = await tool(gate, parent, 'answer_child_permission', { permission_id: id, decision: 'allow', reason: 'go on' });
      return [failed, (await call.said()).behavior, (await gate.permission(id)).answer.by === `parent:${parent.id.slice(0, 8)}`];
    },
    want: [false, 'allow', true] },
  { name: 'onTimeout of a project\'s file is an error: nothing of it loosens',
    act: async (stage) => {
      const gate = await stage.fresh({ policy: timed });
      fs.writeFileSync(`${gate.world.work}/tollgate.yaml`, 'version: 1\nrules: {ask: [{rule: "Bash(npm install x)", onTimeout: forward}]}\n');
      return (await gate.verdict(await gate.session('child', { parent: (await gate.session('yes')).id }), 'npm install x')).split(':')[0];
    },
    want: 'deny' },
];
