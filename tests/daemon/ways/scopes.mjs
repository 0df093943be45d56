// What an approval covers afterwards, by its scope.
import fs from 'node:fs';

import { until } from '../lib/world.mjs';

// Approves one call with a scope, then tries others: allow, or ask where a person would be needed again.
const after = (body, tries) => async (stage) => {
  const gate = await stage.fresh();
  const one = await gate.session('backend');
  const sessions = { one, same: await gate.session('backend'), other: await gate.session('frontend') };
  const { call, id } = await gate.asked(one, 'npm install left-pad');
  const { status } = await gate.approve(id, body);
  const out = [status, (await call.said()).behavior];
  for (const [who, command = 'npm install left-pad'] of tries)
    out.push((await gate.send('POST', '/api/decide', { as: sessions[who].id, body: { tool: 'Bash', input: { command } } })).json.verdict);
  return out;
};

export const rows = [
  { name: 'once covers nothing afterwards', act: after({}, [['one'], ['same'], ['other']]), want: [200, 'allow', 'ask', 'ask', 'ask'] },
  { name: 'session covers the session', act: after({ scope: 'session' }, [['one'], ['same'], ['other']]), want: [200, 'allow', 'allow', 'ask', 'ask'] },
  { name: 'agent covers every session of the agent', act: after({ scope: 'agent' }, [['one'], ['same'], ['other']]), want: [200, 'allow', 'allow', 'allow', 'ask'] },
  { name: 'always is agent', act: after({ scope: 'always' }, [['same'], ['other']]), want: [200, 'allow', 'allow', 'ask'] },
  { name: 'everyone covers everybody', act: after({ scope: 'everyone' }, [['one'], ['same'], ['other']]), want: [200, 'allow', 'allow', 'allow', 'allow'] },
  { name: 'without a rule it is the exact call', act: after({ scope: 'agent' }, [['one', 'npm install right-pad'], ['one', 'npm install left-pad --force'], ['one', 'npm install left-pad && npm ci']]), want: [200, 'allow', 'ask', 'ask', 'ask'] },
  { name: 'with a rule it is what the rule says', act: after({ scope: 'agent', rule: 'Bash(npm install *)' }, [['one', 'npm install right-pad'], ['one', 'npm ci']]), want: [200, 'allow', 'allow', 'ask'] },
  { name: 'a call with the same id gets the same answer, one with another id is asked about',
    act: async (stage) => {
      const gate = await stage.gate();
      const session = await gate.session();
      const { call, id } = await gate.asked(session, 'npm ci');
      await gate.approve(id);
      const first = await call.said();
      const again = await gate.call(session, 'npm ci', { use: call.use }).said();
      const other = await gate.asked(session, 'npm ci');
      return [first.behavior, again.behavior, other.id !== id];
    },
    want: ['allow', 'allow', true] },
  { name: 'a call without an id is allowed once, and not again',
    act: async (stage) => {
      const gate = await stage.gate();
      const session = await gate.session();
      const { call, id } = await gate.asked(session, 'npm ci', { use: '' });
      await gate.approve(id);
      const first = await call.said();
      const second = gate.call(session, 'npm ci', { use: '' });
      await second.alive();
      // It is listed once it is on the disk.
      const open = async () => (await gate.pending()).filter((each) => each.sessionId === session.id).length;
      return [first.behavior, await until(open, 'the second question')];
    },
    want: ['allow', 1] },
  { name: 'grants survive a kill, those of a session that ends do not survive it',
    act: async (stage) => {
      const gate = await stage.fresh();
      const session = await gate.session();
      const rules = async () => (await gate.send('GET', '/api/grants', { as: gate.ann })).json.grants.map(({ rule, scope }) => `${rule} ${scope}`);
      for (const [command, scope] of [['npm ci', 'agent'], ['npm update', 'session']]) {
        const { call, id } = await gate.asked(session, command);
        await gate.approve(id, { scope });
        await call.done;
      }
      await gate.stop('SIGKILL');
      await gate.run();
      const kept = [await rules(), await gate.verdict(session, 'npm ci'), await gate.verdict(session, 'npm update')];
      await gate.send('DELETE', `/api/sessions/${session.id}`, { as: gate.operator });
      const left = await rules();
      await gate.stop('SIGKILL');
      await gate.run();
      return [...kept, left, await rules()];
    },
    want: [['Bash(npm ci) agent', 'Bash(npm update) session'], 'allow', 'allow', ['Bash(npm ci) agent'], ['Bash(npm ci) agent']] },
  { name: 'a grant on a relative program holds in its own workspace alone',
    act: async (stage) => {
      const gate = await stage.fresh();
      const one = await gate.session('backend');
      const { call, id } = await gate.asked(one, './configure --fast');
      await gate.approve(id, { scope: 'agent' });
      await call.done;
      const elsewhere = await gate.session('backend', { cwd: gate.world.home });
      const decide = async (session) => (await gate.send('POST', '/api/decide', { as: session.id, body: { tool: 'Bash', input: { command: './configure --fast' } } })).json.verdict;
      return [await decide(one), await decide(elsewhere)];
    },
    want: ['allow', 'ask'] },
  { name: 'a rule is written into the policy file on request, comments kept, by operators alone',
    act: async (stage) => {
      const gate = await stage.fresh();
      gate.world.setPolicy(`# mine\n${fs.readFileSync(gate.world.policy, 'utf8')}`);
      const session = await gate.session('backend');
      const { id } = await gate.asked(session, 'npm install left-pad');
      const body = { scope: 'everyone', rule: 'Bash(npm install *)', persist: true };
      const refused = [(await gate.approve(id, body)).status, (await gate.approve(id, { ...body, scope: 'session' }, gate.operator)).status];
      const { status, json } = await gate.approve(id, body, gate.operator);
      const text = fs.readFileSync(gate.world.policy, 'utf8');
      return [refused, status, json.policy.error ?? null, text.startsWith('# mine\n'), text.includes('Bash(npm install *)')];
    },
    want: [[403, 400], 200, null, true, true] },
];
