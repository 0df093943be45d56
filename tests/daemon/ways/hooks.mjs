// Hooks: over HTTP in the name of a session, and the real program over the local socket or without any daemon.
import fs from 'node:fs';

import { Daemon } from '../lib/daemon.mjs';
import { until } from '../lib/world.mjs';

const payload = (world, command, more = {}) => ({ session_id: 'client-1', cwd: world.work, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command }, tool_use_id: 'toolu_h', ...more });
const decisionOf = (answer) => answer.hookSpecificOutput?.permissionDecision ?? answer.hookSpecificOutput?.decision?.behavior;
const hook = (gate, session, client, body, query = '') => gate.send('POST', `/hook/${session.id}/${client}${query}`, { body }).then(({ json }) => json);

// The program as `install` registers it.
const program = (world, client, input, { timeout = 60, agent = 'backend' } = {}) => world.run(`${world.bin}/tollgate-hook`,
  [client, '--config', world.policy, '--agent', agent, '--data', world.data, '--timeout', String(timeout)], { input: JSON.stringify(input) });
// That nobody has answered yet; on a busy machine the hook's own deadline may come first, and blocks with its last word.
const saidNo = ({ status, out, err }) => out === '' ? status === 2 && err !== ''
  : decisionOf(JSON.parse(out)) === 'deny' && /still pending/.test(out);
const open = (gate) => until(async () => (await gate.pending())[0], 'the question');
const calls = (rows) => rows.filter((row) => row.kind === 'call').map((row) => row.record.call.input.command);

export const rows = [
  { name: 'the hook\'s route answers Claude Code in its own words',
    act: async (stage) => {
      const gate = await stage.gate();
      const session = await gate.session();
      return [decisionOf(await hook(gate, session, 'claude', payload(gate.world, 'make all'))), decisionOf(await hook(gate, session, 'claude', payload(gate.world, 'git push --force'))),
        await hook(gate, session, 'claude', { session_id: 'x', cwd: gate.world.work, hook_event_name: 'PostToolUse', tool_name: 'Bash' })];
    },
    want: ['allow', 'deny', {}] },
  { name: 'the hook\'s route answers Codex in its own words',
    act: async (stage) => {
      const gate = await stage.gate();
      const session = await gate.session();
      return [decisionOf(await hook(gate, session, 'codex', payload(gate.world, 'make all'))), decisionOf(await hook(gate, session, 'codex', payload(gate.world, 'git push -f'))),
        decisionOf(await hook(gate, session, 'codex', { session_id: 's', cwd: gate.world.work, hook_event_name: 'PermissionRequest', tool_name: 'Bash', tool_input: { command: 'make all' } }))];
    },
    want: ['allow', 'deny', 'allow'] },
  { name: 'a hook\'s ask over HTTP waits for a person',
    act: async (stage) => {
      const gate = await stage.fresh();
      const answer = hook(gate, await gate.session(), 'claude', payload(gate.world, 'npm ci'), '?timeout=60');
      await gate.approve((await open(gate)).permissionId, { updatedInput: { command: 'npm ci --offline' } });
      const { hookSpecificOutput } = await answer;
      return [hookSpecificOutput.permissionDecision, hookSpecificOutput.updatedInput];
    },
    want: ['allow', { command: 'npm ci --offline' }] },
  { name: 'a hook over HTTP is told before its client\'s timer to try again, and the retry joins',
    act: async (stage) => {
      const gate = await stage.fresh();
      const session = await gate.session();
      const first = (await hook(gate, session, 'codex', payload(gate.world, 'npm ci'), '?timeout=3')).hookSpecificOutput;
      const { permissionId } = await open(gate);
      const again = hook(gate, session, 'codex', payload(gate.world, 'npm ci'), '?timeout=60');
      await until(async () => (await gate.permission(permissionId)).goneAt === null, 'the retry');
      await gate.approve(permissionId);
      return [first.permissionDecision, /retry the same call/.test(first.permissionDecisionReason), decisionOf(await again), (await gate.audit()).filter((row) => row.kind === 'question').length];
    },
    want: ['deny', true, 'allow', 1] },
  { name: 'the prompt tool takes directory and sub-agent from the hook that saw the call',
    act: async (stage) => {
      const gate = await stage.fresh();
      const session = await gate.session();
      const inside = `${gate.world.work}/inside`;
      fs.mkdirSync(inside);
      const hooked = hook(gate, session, 'claude', payload(gate.world, 'npm ci', { cwd: inside, agent_id: 'sub1', agent_type: 'reviewer', tool_use_id: 'toolu_p' }), '?timeout=60');
      const first = await open(gate);
      const { question } = await gate.asked(session, 'npm ci', { use: 'toolu_p' });
      await gate.approve(question.permissionId);
      await hooked;
      return [question.permissionId === first.permissionId, question.cwd === inside, question.sessionId === `${session.id}.sub1`];
    },
    want: [true, true, true] },
  { name: 'the real hook asks the daemon, and a person approves',
    act: async (stage) => {
      const gate = await stage.fresh();
      const answer = program(gate.world, 'claude', payload(gate.world, 'npm ci'));
      const { permissionId, agent, toolInput } = await open(gate);
      await gate.approve(permissionId);
      const { status, out } = await answer;
      return [agent, toolInput, status, decisionOf(JSON.parse(out))];
    },
    want: ['backend', { command: 'npm ci' }, 0, 'allow'] },
  { name: 'the real hook of Codex is told no with the reason',
    act: async (stage) => {
      const gate = await stage.fresh();
      const answer = program(gate.world, 'codex', payload(gate.world, 'npm ci'));
      await gate.deny((await open(gate)).permissionId, { reason: 'not on Fridays' });
      const { hookSpecificOutput } = JSON.parse((await answer).out);
      return [hookSpecificOutput.permissionDecision, /not on Fridays/.test(hookSpecificOutput.permissionDecisionReason)];
    },
    want: ['deny', true] },
  { name: 'the real hook takes an approver\'s input',
    act: async (stage) => {
      const gate = await stage.fresh();
      const answer = program(gate.world, 'claude', payload(gate.world, 'npm ci'));
      await gate.approve((await open(gate)).permissionId, { updatedInput: { command: 'npm ci --offline' } });
      const { hookSpecificOutput } = JSON.parse((await answer).out);
      return [hookSpecificOutput.permissionDecision, hookSpecificOutput.updatedInput];
    },
    want: ['allow', { command: 'npm ci --offline' }] },
  { name: 'the real hook says in time that nobody has answered, and its retry joins',
    act: async (stage) => {
      const gate = await stage.fresh();
      const first = await program(gate.world, 'codex', payload(gate.world, 'npm ci'), { timeout: 5 });
      const { permissionId } = await open(gate);
      const again = program(gate.world, 'codex', payload(gate.world, 'npm ci'));
      await until(async () => (await gate.permission(permissionId)).goneAt === null, 'the retry');
      await gate.approve(permissionId);
      return [saidNo(first), decisionOf(JSON.parse((await again).out))];
    },
    want: [true, 'allow'] },
  { name: 'the real hook does not ask what the policy settles',
    act: async (stage) => {
      const gate = await stage.fresh();
      const outs = [await program(gate.world, 'claude', payload(gate.world, 'make all')), await program(gate.world, 'claude', payload(gate.world, 'git push --force'))];
      return [...outs.map(({ out }) => decisionOf(JSON.parse(out))), (await gate.pending()).length];
    },
    want: ['allow', 'deny', 0] },
  { name: 'an allow of a rule settles no ask of a hook, a grant does',
    act: async (stage) => {
      const gate = await stage.fresh();
      const ask = () => program(gate.world, 'claude', payload(gate.world, 'npm ci', { tool_use_id: `toolu_${Math.random()}` }));
      const first = ask();
      await gate.approve((await open(gate)).permissionId, { scope: 'agent' });
      return [decisionOf(JSON.parse((await first).out)), decisionOf(JSON.parse((await ask()).out)), (await gate.audit()).filter((row) => row.kind === 'question').length];
    },
    want: ['allow', 'allow', 1] },
  { name: 'what hooks decided without a daemon is taken into the record, each once',
    act: async (stage) => {
      const world = stage.world();
      for (const name of ['one', 'two', 'three']) await program(world, 'claude', payload(world, `make ${name}`, { tool_use_id: name }));
      const gate = await Daemon.start(world);
      const all = () => until(async () => { const found = calls(await gate.audit()); return found.length >= 3 && found; }, 'the spool');
      const first = await all();
      await program(world, 'claude', payload(world, 'make four', { tool_use_id: 'four' }));
      await until(async () => calls(await gate.audit()).includes('make four'), 'the fourth');
      await gate.stop('SIGKILL');
      await gate.run();
      await program(world, 'claude', payload(world, 'make five', { tool_use_id: 'five' }));
      await until(async () => calls(await gate.audit()).includes('make five'), 'the fifth');
      return [first, calls(await gate.audit())];
    },
    want: [['make one', 'make two', 'make three'], ['make one', 'make two', 'make three', 'make four', 'make five']] },
  { name: 'the prompt tool\'s question shows the last five messages of the transcript that the hook named',
    act: async (stage) => {
      const gate = await stage.fresh();
      const session = await gate.session();
      const transcript = `${gate.world.dir}/talk.jsonl`;
      const said = (role, text) => JSON.stringify({ type: role, message: { role, content: [{ type: 'text', text }] } });
      fs.writeFileSync(transcript, [...Array.from({ length: 7 }, (_, i) => said('assistant', `step ${i}`)), 'no JSON', said('user', 'x'.repeat(5_000))].join('\n'));
      const note = (use, path) => hook(gate, session, 'claude', payload(gate.world, 'npm ci', { tool_use_id: use, transcript_path: path }), '?ask=client');
      await note('toolu_t', transcript);
      const { question, call, id } = await gate.asked(session, 'npm ci', { use: 'toolu_t' });
      await gate.approve(id);
      await call.done;
      await note('toolu_u', `${gate.world.dir}/missing.jsonl`);
      const bare = await gate.asked(session, 'npm ci', { use: 'toolu_u' });
      const { messages } = question.context;
      return [messages.map(({ role, text }) => [role, text.slice(0, 6)]), /\(3000 bytes more\)$/.test(messages.at(-1).text), bare.question.context.messages ?? null];
    },
    want: [[['assistant', 'step 3'], ['assistant', 'step 4'], ['assistant', 'step 5'], ['assistant', 'step 6'], ['user', 'xxxxxx']], true, null] },
  { name: 'after a kill a retry with a new call id takes over the question of the first',
    act: async (stage) => {
      const gate = await stage.fresh();
      const ask = (use) => program(gate.world, 'codex', payload(gate.world, 'npm ci', { tool_use_id: use }));
      const first = ask('call_1');
      const { permissionId } = await open(gate);
      await gate.stop('SIGKILL');
      await first;
      await gate.run();
      const again = ask('call_2');
      await until(async () => (await gate.permission(permissionId)).goneAt === null, 'the retry');
      await gate.approve(permissionId);
      return [decisionOf(JSON.parse((await again).out)), (await gate.audit()).filter((row) => row.kind === 'question').length];
    },
    want: ['allow', 1] },
  { name: 'a freeze holds for the real hook too, which settles by itself, also without a daemon',
    act: async (stage) => {
      const gate = await stage.fresh();
      const make = async () => decisionOf(JSON.parse((await program(gate.world, 'claude', payload(gate.world, 'make all', { tool_use_id: `toolu_${Math.random()}` }))).out));
      const freeze = async (body) => (await gate.send('POST', '/api/freeze', { as: gate.ann, body })).status;
      const out = [await make()];
      for (const body of [{ agent: 'frontend' }, { agent: 'backend' }, { agent: 'backend', frozen: false }, {}]) out.push(`${await freeze(body)} ${await make()}`);
      await gate.stop('SIGKILL');
      out.push(await make());
      await gate.run();
      out.push(await make(), `${await freeze({ frozen: false })} ${await make()}`);
      fs.writeFileSync(`${gate.world.data}/frozen.json`, 'half a fil');
      return [...out, await make()];
    },
    want: ['allow', '200 allow', '200 deny', '200 allow', '200 deny', 'deny', 'deny', '200 allow', 'deny'] },
  { name: 'the freeze of one session holds for its own hook, also after a kill, and for no other',
    act: async (stage) => {
      const gate = await stage.fresh();
      const make = async (session_id) => decisionOf(JSON.parse((await program(gate.world, 'claude', payload(gate.world, 'make all', { session_id, tool_use_id: `toolu_${Math.random()}` }))).out));
      const asked = program(gate.world, 'claude', payload(gate.world, 'npm update', { session_id: 'one', tool_use_id: 'toolu_a' }));
      await gate.deny((await gate.questionOf({ use: 'toolu_a' })).permissionId);
      await asked;
      const { sessions } = (await gate.send('GET', '/api/sessions', { as: gate.operator })).json;
      const { id } = sessions.find((each) => each.clientSession === 'one');
      const change = async (frozen) => (await gate.send('PATCH', `/api/sessions/${id}`, { as: gate.operator, body: { frozen } })).status;
      const out = [await make('one'), `${await change(true)} ${await make('one')} ${await make('two')}`];
      await gate.stop('SIGKILL');
      out.push(await make('one'));
      await gate.run();
      return [...out, await make('one'), `${await change(false)} ${await make('one')}`];
    },
    want: ['allow', '200 deny allow', 'deny', 'deny', '200 allow'] },
];
