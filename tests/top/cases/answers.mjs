// Answers by single keys: each reaches the agent, and the screen says how far it has come.
import { until, usual } from '../../daemon/lib/world.mjs';

const ready = '[y] once';
const asks = `version: 1
settings: {permissionTimeout: 0}
rules:
  ask: [{rule: "Bash(npm publish *)", reason: a release is announced first}]
agents:
  backend: {}
`;

export const rows = [
  { name: 'a question that is open when it starts is there, whole, with the reason and its place',
    act: async (scene) => {
      const gate = await scene.fresh({ policy: asks });
      await gate.asked(await gate.session(), 'npm publish --tag next');
      const pane = await scene.pane(gate);
      const text = await pane.shows('[y] once');
      return [/PERMISSION: backend wants to use Bash/.test(text), /why +a release is announced first/.test(text), /Bash\(npm publish \*\) +.*tollgate\.yaml:4/.test(text),
        /\$ npm publish --tag next/.test(text), /\[s\]ession/.test(text), text.includes('● live')];
    },
    want: [true, true, true, true, false, true] },
  { name: 'a question that comes later comes to the screen, and rings',
    act: async (scene) => {
      const gate = await scene.fresh();
      const pane = await scene.pane(gate);
      await pane.shows('nothing is open');
      const quiet = pane.written().includes('\u0007');
      await gate.asked(await gate.session(), 'npm ci');
      await pane.shows('$ npm ci');
      await until(() => pane.written().includes('\u0007'), 'the bell');
      return quiet;
    },
    want: false },
  { name: 'y allows it once; recorded and delivered are shown',
    act: async (scene) => {
      const gate = await scene.fresh();
      const { call, id } = await gate.asked(await gate.session(), 'npm ci');
      const pane = await scene.pane(gate);
      await pane.shows(ready);
      await pane.press('y');
      const text = await pane.shows('delivered to the agent');
      const { answer } = await gate.permission(id);
      return [(await call.said()).behavior, /✔ approved by ann +recorded +delivered/.test(text), answer.scope, answer.by];
    },
    want: ['allow', true, 'once', 'ann'] },
  { name: 's allows it for the session: the next one is not asked about',
    act: async (scene) => {
      const gate = await scene.fresh();
      const session = await gate.session();
      const { call } = await gate.asked(session, 'npm ci');
      const pane = await scene.pane(gate);
      await pane.shows('[s]ession');
      await pane.press('s');
      await pane.shows('delivered');
      return [(await call.said()).behavior, await gate.verdict(session, 'npm ci')];
    },
    want: ['allow', 'allow'] },
  { name: 'a teaches a rule that was edited, for everyone; what it covers is shown first',
    act: async (scene) => {
      const gate = await scene.fresh();
      const session = await gate.session();
      const { call, id } = await gate.asked(session, 'npm run build');
      const pane = await scene.pane(gate);
      await pane.shows('[a]lways');
      await pane.press('a');
      await pane.shows('Allow always');
      await pane.shows('it would have covered');
      await pane.press('C-u');
      await pane.type('Bash(npm run *)');
      await pane.shows('Bash(npm run *)');
      await pane.press('Tab', 'Right');
      await pane.shows('(•) everyone');
      await pane.press('Enter');
      await pane.shows('delivered');
      const { answer } = await gate.permission(id);
      return [(await call.said()).behavior, answer.scope, answer.rule, await gate.verdict(await gate.session('frontend'), 'npm run lint')];
    },
    want: ['allow', 'everyone', 'Bash(npm run *)', 'allow'] },
  { name: 'a question of several people says how far it is, after each vote',
    act: async (scene) => {
      const policy = usual.replace('  deny:', '  ask:\n    - {rule: "Bash(npm publish *)", approve: [{any: 2, name: two of us}, {any: 1, of: [security]}]}\n  deny:');
      const gate = await scene.fresh({ policy });
      const { call, id } = await gate.asked(await gate.session(), 'npm publish');
      const pane = await scene.pane(gate);
      await pane.shows('two of us: 0 of 2, nobody yet, 2 missing');
      await pane.shows('or 0 of 1 (security)');
      await pane.shows(ready);
      await pane.press('y');
      await pane.shows('two of us: 1 of 2, ann, 1 missing');
      await gate.approve(id, {}, gate.bob);
      await pane.shows('✔ approved by bob');
      return (await call.said()).behavior;
    },
    want: 'allow' },
  { name: 'a rule that the gate refuses is said with its reason, and nothing is answered',
    act: async (scene) => {
      const gate = await scene.fresh();
      const { id } = await gate.asked(await gate.session(), 'npm ci');
      const pane = await scene.pane(gate);
      await pane.shows('[a]lways');
      await pane.press('a');
      await pane.shows('it would have covered');
      await pane.press('C-u');
      await pane.type('Bash(git log)');
      await pane.hides('it would have covered');
      await pane.press('Enter');
      await until(async () => /does not cover|refused|covers/.test(await pane.text()), 'what the gate says');
      const state = (await gate.permission(id)).state;
      await pane.press('Escape');
      await pane.shows(ready);
      return state;
    },
    want: 'pending' },
  { name: 'n denies it with a reason that the agent reads',
    act: async (scene) => {
      const gate = await scene.fresh();
      const { call } = await gate.asked(await gate.session(), 'npm ci');
      const pane = await scene.pane(gate);
      await pane.shows(ready);
      await pane.press('n');
      await pane.shows('reason, which the agent is told');
      await pane.type('use the läger cache: y s a n');
      await pane.press('Enter');
      const text = await pane.shows('delivered');
      const { behavior, message } = await call.said();
      return [behavior, message.includes('use the läger cache: y s a n'), /✘ denied by ann/.test(text)];
    },
    want: ['deny', true, true] },
  { name: 'e allows another input, of several lines',
    act: async (scene) => {
      const gate = await scene.fresh();
      const { call } = await gate.asked(await gate.session(), 'npm install left-pad');
      const pane = await scene.pane(gate);
      await pane.shows('[e]dit');
      await pane.press('e');
      await pane.shows('Edit the input');
      await pane.press('BSpace', 'BSpace', 'BSpace');
      await pane.type('lib');
      await pane.press('Enter');
      await pane.type('npm audit');
      await pane.press('C-d');
      await pane.shows('delivered');
      return await call.said();
    },
    want: { behavior: 'allow', updatedInput: { command: 'npm install left-lib\nnpm audit' } } },
  { name: 'Escape leaves a form, and nothing is answered',
    act: async (scene) => {
      const gate = await scene.fresh();
      const { id } = await gate.asked(await gate.session(), 'npm ci');
      const pane = await scene.pane(gate);
      await pane.shows(ready);
      await pane.press('n');
      await pane.shows('which the agent is told');
      await pane.type('no');
      await pane.press('Escape');
      await pane.hides('which the agent is told');
      return (await gate.permission(id)).state;
    },
    want: 'pending' },
  { name: 'several are a list: j and k move, and an answer is for the one that is looked at',
    act: async (scene) => {
      const gate = await scene.fresh();
      const session = await gate.session();
      const one = await gate.asked(session, 'npm ci'), two = await gate.asked(session, 'npm update'), three = await gate.asked(session, 'npm dedupe');
      const pane = await scene.pane(gate);
      await pane.shows('1 questions 3');
      await pane.press('j');
      await pane.shows('$ npm update');
      await pane.shows(ready);
      await pane.press('y');
      await pane.shows('delivered');
      await pane.press('k');
      await pane.shows('$ npm ci');
      await pane.shows('1 questions 2');
      const states = [];
      for (const each of [one, two, three]) states.push((await gate.permission(each.id)).state);
      return states;
    },
    want: ['pending', 'approved', 'pending'] },
  { name: 'g answers all that ask for the same stated reason',
    act: async (scene) => {
      const gate = await scene.fresh({ policy: asks });
      const session = await gate.session();
      const calls = [];
      for (const tag of ['next', 'latest', 'beta']) calls.push((await gate.asked(session, `npm publish --tag ${tag}`)).call);
      const pane = await scene.pane(gate);
      await pane.shows(ready);
      await pane.press('g');
      await pane.shows('3 questions ask for the same stated reason');
      await pane.press('Enter');
      await pane.shows('recorded: 3 answered');
      return Promise.all(calls.map(async (call) => (await call.said()).behavior));
    },
    want: ['allow', 'allow', 'allow'] },
  { name: 'what somebody else answered meanwhile is shown, and a form about it closes',
    act: async (scene) => {
      const gate = await scene.fresh();
      const { id } = await gate.asked(await gate.session(), 'npm ci');
      const pane = await scene.pane(gate);
      await pane.shows(ready);
      await pane.press('n');
      await pane.shows('which the agent is told');
      await gate.approve(id, {}, gate.bob);
      const text = await pane.shows('approved by bob');
      return text.includes('which the agent is told');
    },
    want: false },
  { name: 'a question with options is answered by one of them, or in own words',
    act: async (scene) => {
      const gate = await scene.fresh();
      const session = await gate.session();
      const { callTool } = await import('../../daemon/lib/mcp.mjs');
      const ask = (question) => callTool(gate.port, session.id, 'ask_user', { question, options: ['the first', 'the second'] }, { from: gate.place });
      const first = ask('Which migration goes first?');
      const pane = await scene.pane(gate);
      const text = await pane.shows('[y] answer');
      await pane.press('y');
      await pane.shows('send the answer');
      await pane.press('Down');
      await pane.press('Enter');
      await pane.shows('delivered');
      const second = ask('And then?');
      await pane.shows('And then?');
      await pane.shows('[y] answer');
      await pane.press('y');
      await pane.shows('in your own words');
      await pane.press('Tab');
      await pane.type('neither');
      await pane.press('Enter');
      const said = [JSON.stringify(await first.said()), JSON.stringify(await second.said())];
      return [text.includes('backend ASKS'), said[0].includes('the second'), said[1].includes('neither')];
    },
    want: [true, true, true] },
  { name: 'a plan is prose; it is approved as it stands, or denied with a reason, and takes no words with a yes',
    act: async (scene) => {
      const gate = await scene.fresh();
      const session = await gate.session();
      const { call: first } = await gate.asked(session, { plan: 'First the tests.\n\nThen the code.' }, { tool: 'ExitPlanMode' });
      const pane = await scene.pane(gate);
      const text = await pane.shows('[y] approve');
      await pane.press('y');
      await pane.shows('delivered');
      const { call: second } = await gate.asked(session, { plan: 'Delete the tests.' }, { tool: 'ExitPlanMode' });
      await pane.press('j');
      await pane.shows('Delete the tests.');
      await pane.shows('[y] approve');
      await pane.press('n');
      await pane.shows('reason, which the agent is told');
      await pane.type('keep the tests');
      await pane.press('Enter');
      const { behavior, message } = await second.said();
      return [/First the tests\.\s+Then the code\./.test(text), text.includes('{"plan"'), (await first.said()).behavior, behavior, message.includes('keep the tests')];
    },
    want: [true, false, 'allow', 'deny', true] },
  { name: 'what no rule can settle offers no more than once',
    act: async (scene) => {
      const gate = await scene.fresh();
      const { id } = await gate.asked(await gate.session(), 'rm -rf ../work');
      const pane = await scene.pane(gate);
      const text = await pane.shows('[e]dit');
      await pane.press('s');
      await pane.shows('no rule can settle');
      await pane.press('a');
      return [text.includes('BREAKER'), text.includes('[s]ession'), (await gate.permission(id)).state];
    },
    want: [true, false, 'pending'] },
  { name: 'an agent that is gone is shown as gone',
    act: async (scene) => {
      const gate = await scene.fresh();
      const { call } = await gate.asked(await gate.session(), 'npm ci');
      const pane = await scene.pane(gate);
      await pane.shows(ready);
      call.hangUp();
      await pane.shows('agent gone');
      await pane.press('y');
      const text = await pane.shows('recorded');
      return [/approved by ann.*agent gone/.test(await pane.text()), text.includes('delivered to the agent')];
    },
    want: [true, false] },
  { name: 'what is pasted is no answer',
    act: async (scene) => {
      const gate = await scene.fresh();
      const { id } = await gate.asked(await gate.session(), 'npm ci');
      const pane = await scene.pane(gate);
      await pane.shows(ready);
      await pane.paste('yyy');
      await pane.shows('what is pasted is no answer');
      return (await gate.permission(id)).state;
    },
    want: 'pending' },
];
