// An answer is for what the person was shown: a retry, a swap of files, a stricter policy or another's call does not get it.
import fs from 'node:fs';

import { callTool } from '../lib/mcp.mjs';
import { until } from '../lib/world.mjs';

const write = (world) => ({ file_path: `${world.work}/out.txt`, content: 'x\n' });
const kinds = (questions) => questions.map(({ decision }) => decision.reasons.at(-1).kind);
const swap = (world, name = '.bashrc') => {
  fs.writeFileSync(`${world.home}/${name}`, '');
  fs.rmSync(`${world.work}/out.txt`, { force: true });
  fs.symlinkSync(`${world.home}/${name}`, `${world.work}/out.txt`);
};
const left = (gate, id) => until(async () => (await gate.permission(id)).goneAt !== null, 'the end of the connection');
// The question that takes the place of `id`.
const next = (gate, id) => until(async () => (await gate.pending()).find((each) => each.permissionId !== id), 'a question of its own');

const hook = (world, session, cwd, command, id) => world.run(`${world.bin}/tollgate-hook`, ['claude', '--config', world.policy, '--agent', 'backend', '--data', world.data, '--timeout', '20'],
  { input: JSON.stringify({ session_id: session, cwd, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command }, tool_use_id: id }) });
const merging = 'version: 1\nrules: {ask: [{rule: "Bash(gh pr merge *)", reason: "production", approve: {any: 2, of: [lead]}}]}\n';
// A client that begins in a project with a rule of its own, and goes elsewhere before it first asks.
const strayed = async (stage) => {
  const gate = await stage.fresh();
  fs.writeFileSync(`${gate.world.work}/tollgate.yaml`, merging);
  await hook(gate.world, 'client', gate.world.work, 'cd /', 'toolu_0');
  return gate;
};

export const rows = [
  { name: 'files that are swapped while the question is open are asked about anew',
    act: async (stage) => {
      const gate = await stage.fresh();
      const { id } = await gate.asked(await gate.session(), write(gate.world), { tool: 'Write' });
      swap(gate.world);
      await gate.approve(id);
      return kinds([await next(gate, id)]);
    },
    want: ['guarded'] },
  { name: 'a swap into another file that is asked about alike is asked about anew',
    act: async (stage) => {
      const gate = await stage.fresh();
      const { id, question } = await gate.asked(await gate.session(), write(gate.world), { tool: 'Write' });
      swap(gate.world, 'important');
      await gate.approve(id);
      return [kinds([question]), (await next(gate, id)).decision.reasons.map(({ rule, kind }) => rule || kind)];
    },
    want: [['default'], ['world-changed', 'default']] },
  { name: 'a retry over swapped files does not join the question before it',
    act: async (stage) => {
      const gate = await stage.fresh();
      const session = await gate.session();
      const { call, id } = await gate.asked(session, write(gate.world), { tool: 'Write', use: 'toolu_s' });
      call.hangUp();
      await left(gate, id);
      swap(gate.world);
      gate.call(session, write(gate.world), { tool: 'Write', use: 'toolu_s' });
      return kinds([await next(gate, id)]);
    },
    want: ['guarded'] },
  { name: 'a retry over swapped files does not get the answer before it',
    act: async (stage) => {
      const gate = await stage.fresh();
      const session = await gate.session();
      const { call, id } = await gate.asked(session, write(gate.world), { tool: 'Write', use: 'toolu_s' });
      await gate.approve(id);
      const first = (await call.said()).behavior;
      const same = await gate.verdict(session, write(gate.world), { tool: 'Write', use: 'toolu_s' });
      swap(gate.world);
      gate.call(session, write(gate.world), { tool: 'Write', use: 'toolu_s' });
      return [first, same, kinds([await next(gate, id)])];
    },
    want: ['allow', 'allow', ['guarded']] },
  { name: 'what nobody answered is put to those above as it is read then, and a retry over swapped files does not get their answer',
    act: async (stage) => {
      const asks = 'rules: {ask: [{rule: Write, onTimeout: forward}]}';
      const gate = await stage.fresh({ policy: `version: 1\nsettings: {permissionTimeout: 400ms}\nagents: {boss: {permissionTimeout: 0, rules: {ask: [Write]}}, kid: {${asks}}}\n` });
      const kid = await gate.session('kid', { parent: (await gate.session('boss')).id });
      swap(gate.world, 'important');
      const { call, id } = await gate.asked(kid, write(gate.world), { tool: 'Write', use: 'toolu_s' });
      fs.rmSync(`${gate.world.work}/out.txt`);
      const { permissionId } = await next(gate, id);
      await gate.approve(permissionId);
      const first = (await call.said()).behavior;
      swap(gate.world, 'important');
      const again = gate.call(kid, write(gate.world), { tool: 'Write', use: 'toolu_s' });
      return [first, await Promise.race([again.said().then(({ behavior }) => behavior), next(gate, permissionId).then(({ state }) => state)])];
    },
    want: ['allow', 'pending'] },
  { name: 'a retry under a policy that wants two does not join a question for one',
    act: async (stage) => {
      const policy = (rule) => `version: 1\nsettings: {permissionTimeout: 0}\nrules: {ask: [${rule}]}\nagents: {backend: {}}\n`;
      const gate = await stage.fresh({ policy: policy('"Bash(deploy *)"') });
      const session = await gate.session();
      const { call, id } = await gate.asked(session, 'deploy prod', { use: 'toolu_s' });
      call.hangUp();
      await left(gate, id);
      gate.world.setPolicy(policy('{rule: "Bash(deploy *)", approve: {any: 2}}'));
      await until(() => /read again/.test(gate.process.out + gate.process.err), 'the policy');
      gate.call(session, 'deploy prod', { use: 'toolu_s' });
      const { permissionId } = await next(gate, id);
      return (await gate.approve(permissionId)).json.state;
    },
    want: 'pending' },
  { name: 'a parent\'s agent does not settle a retry that wants a person',
    act: async (stage) => {
      const gate = await stage.fresh({ policy: 'version: 1\nsettings: {permissionTimeout: 0}\nagents: {boss: {mode: acceptEdits}, kid: {answer: parent}}\n' });
      const boss = await gate.session('boss');
      const kid = await gate.session('kid', { parent: boss.id });
      const { call, id } = await gate.asked(kid, write(gate.world), { tool: 'Write', use: 'toolu_s' });
      call.hangUp();
      await left(gate, id);
      swap(gate.world);
      gate.call(kid, write(gate.world), { tool: 'Write', use: 'toolu_s' });
      const { permissionId, forSession } = await next(gate, id);
      const said = await callTool(gate.port, boss.id, 'answer_child_permission', { permission_id: permissionId, decision: 'allow' }, { from: gate.place }).result();
      return [forSession, said.content[0].text];
    },
    want: [null, 'this question is not for that agent to answer'] },
  { name: 'an answer by call id is refused where two calls have that id',
    act: async (stage) => {
      const gate = await stage.fresh();
      await gate.asked(await gate.session('frontend'), 'npm run steal', { use: 'c2' });
      gate.call(await gate.session(), 'npm ci', { use: 'c2' });
      await until(async () => (await gate.pending()).length === 2, 'both');
      const socket = await gate.watch({ headers: { Authorization: `Bearer ${gate.ann}` } });
      socket.say('permission', 'approval_response', { callId: 'c2', decision: 'allow_once' });
      return [(await socket.next('refused')).data.error.code, (await gate.pending()).length];
    },
    want: ['malformed-request', 2] },
  { name: 'a grant does not settle a rule that only the hook sees',
    act: async (stage) => {
      const gate = await strayed(stage);
      const { id, call } = await gate.asked(await gate.session('backend', { cwd: gate.world.home }), 'gh pr merge 7');
      await gate.approve(id, { scope: 'agent', rule: 'Bash(gh pr *)' });
      await call.done;
      hook(gate.world, 'client', '/', 'gh pr merge 1', 'toolu_1');
      return (await gate.questionOf({ use: 'toolu_1' })).decision.reasons.map(({ rule }) => rule);
    },
    want: ['Bash(gh pr merge *)'] },
  { name: 'the people whom a hook\'s own rule wants are asked for',
    act: async (stage) => {
      const gate = await strayed(stage);
      hook(gate.world, 'client', '/', 'gh pr merge 1', 'toolu_1');
      const { permissionId, decision } = await gate.questionOf({ use: 'toolu_1' });
      return [decision.quorums, decision.reasons.map(({ kind }) => kind), (await gate.approve(permissionId)).json.error?.code];
    },
    want: [[{ any: 2, of: ['lead'], deny: 1 }], ['default', 'rule'], 'answer-not-counted'] },
  { name: 'what only the hook asks about is denied after its answer where the policy has come to deny it',
    act: async (stage) => {
      const policy = (rules) => `version: 1\nsettings: {permissionTimeout: 0}\nrules: {${rules}}\nagents: {backend: {}}\n`;
      const gate = await stage.fresh({ policy: policy('allow: ["Bash(gh pr *)"]') });
      fs.writeFileSync(`${gate.world.work}/tollgate.yaml`, 'version: 1\nrules: {ask: ["Bash(gh pr merge *)"]}\n');
      await hook(gate.world, 'client', gate.world.work, 'cd /', 'toolu_0');
      const call = hook(gate.world, 'client', '/', 'gh pr merge 1', 'toolu_1');
      const { permissionId } = await gate.questionOf({ use: 'toolu_1' });
      gate.world.setPolicy(policy('deny: ["Bash(gh *)"]'));
      await until(() => /read again/.test(gate.process.out + gate.process.err), 'the policy');
      await gate.approve(permissionId);
      return JSON.parse((await call).out).hookSpecificOutput.permissionDecision;
    },
    want: 'deny' },
];
