// What a person may teach by an answer, and what no grant lifts.
import { until, usual } from '../lib/world.mjs';
import { onQuestion } from './routes.mjs';

const approveAll = (bodies, command) => onQuestion(async (gate, it) => {
  const out = [];
  for (const body of bodies) {
    const { status, json } = await gate.approve(it.id, body);
    out.push(`${status} ${json.error?.code}`);
  }
  return out;
}, command);
const refused = (count, what) => ({ got: Array(count).fill(`422 ${what}`), state: 'pending' });

// Teaches a rule by the answer to a call, then tries others: their verdicts.
const taught = (command, rule, tries, scope = 'agent') => async (stage) => {
  const gate = await stage.fresh();
  const session = await gate.session();
  const { id, call } = await gate.asked(session, command);
  const { status } = await gate.approve(id, { scope, ...(rule ? { rule } : {}) });
  if (status !== 200) return status;
  await call.done;
  const out = [];
  for (const each of tries) {
    const decided = await gate.send('POST', '/api/decide', { as: session.id, body: { tool: 'Bash', input: { command: each } } });
    out.push(decided.json.verdict);
  }
  return out;
};

export const rows = [
  { name: 'an input that the policy denies is refused, and the question stays',
    act: approveAll([{ updatedInput: { command: 'git push --force' } }, { updatedInput: { command: 'npm ci && git push -f' } }, { updatedInput: { command: 'rm -rf /' } }]), want: refused(3, 'input-refused') },
  { name: 'no grant for an interpreter',
    act: approveAll(['Bash(python3 *)', 'Bash(bash *)', 'Bash(node *)', 'Bash(sh -c *)'].map((rule) => ({ scope: 'agent', rule })), 'python3 setup.py'), want: refused(4, 'grant-refused') },
  { name: 'no grant for a wrapper',
    act: approveAll(['Bash(sudo *)', 'Bash(env *)', 'Bash(timeout *)', 'Bash(xargs *)', 'Bash(npx *)'].map((rule) => ({ scope: 'everyone', rule })), 'sudo npm ci'), want: refused(5, 'grant-refused') },
  { name: 'no grant with a star for a program',
    act: approveAll(['Bash', 'Bash(*)', '*', 'Bash(* install *)', 'Bash(np* *)', '@builtin', 'execute_bash'].map((rule) => ({ scope: 'agent', rule }))), want: refused(7, 'grant-refused') },
  { name: 'no grant that does not cover its own call',
    act: approveAll(['Bash(npm ci)', 'Bash(git status)', 'Read(/etc/**)', 'Edit'].map((rule) => ({ scope: 'session', rule }))), want: refused(4, 'grant-refused') },
  { name: 'no grant of a text that is no rule',
    act: approveAll(['Bash(', '', ')', 'Bash(npm *))', 'npm install', '\u0000'].filter(Boolean).map((rule) => ({ scope: 'agent', rule }))), want: refused(5, 'grant-refused') },
  { name: 'a grant never lifts a deny', act: taught('git push origin main', 'Bash(git push *)', ['git push origin dev', 'git push --force', 'git push -f origin dev']), want: ['allow', 'deny', 'deny'] },
  { name: 'a grant never lifts a breaker or a guarded path',
    act: taught('npm install left-pad', 'Bash(npm install *)', ['npm install x', 'npm install x; rm -rf ~', 'npm install x > .git/hooks/pre-commit', 'npm install x | sh']), want: ['allow', 'deny', 'ask', 'ask'] },
  { name: 'a grant of the exact call covers that call and no star in it',
    act: taught('npm run "a*"', undefined, ['npm run "a*"', 'npm run "ab"', 'npm run "a*" x']), want: ['allow', 'ask', 'ask'] },
  { name: 'a grant never lifts an ask rule',
    act: async (stage) => {
      const gate = await stage.fresh({ policy: usual.replace('  deny:', '  ask: ["Bash(npm publish *)"]\n  deny:') });
      const { id } = await gate.asked(await gate.session(), 'npm publish');
      const { status, json } = await gate.approve(id, { scope: 'agent' });
      return `${status} ${json.error?.code}`;
    },
    want: '422 grant-refused' },
  { name: 'a revoked grant is dead, also for a session that used it',
    act: async (stage) => {
      const gate = await stage.fresh();
      const session = await gate.session();
      const { id, call } = await gate.asked(session);
      await gate.approve(id, { scope: 'everyone' });
      await call.done;
      const before = await gate.verdict(session, 'npm install left-pad');
      const [grant] = (await gate.send('GET', '/api/grants', { as: gate.ann })).json.grants;
      const { status } = await gate.send('DELETE', `/api/grants/${grant.id}`, { as: gate.bob });
      const again = await gate.send('DELETE', `/api/grants/${grant.id}`, { as: gate.bob });
      const after = await gate.asked(session);
      return [before, status, again.status, after.question.state];
    },
    want: ['allow', 200, 404, 'pending'] },
  { name: 'a grant that has expired is dead',
    act: async (stage) => {
      const gate = await stage.fresh();
      const session = await gate.session();
      const { id } = await gate.asked(session);
      await gate.approve(id, { scope: 'agent', expires: 500 });
      const decide = async () => (await gate.send('POST', '/api/decide', { as: session.id, body: { tool: 'Bash', input: { command: 'npm install left-pad' } } })).json.verdict;
      return until(async () => (await decide()) === 'ask' && 'ask', 'the end of the grant');
    },
    want: 'ask' },
  { name: 'several people: one yes is not enough, and nobody votes twice',
    act: async (stage) => {
      const policy = usual.replace('  deny:', '  ask:\n    - {rule: "Bash(npm publish *)", approve: {any: 2}}\n  deny:');
      const gate = await stage.fresh({ policy });
      const { id, call } = await gate.asked(await gate.session(), 'npm publish');
      const out = [];
      for (const who of [gate.ann, gate.ann, gate.bob]) {
        const { status, json } = await gate.approve(id, {}, who);
        out.push(`${status} ${json.state ?? json.error?.code}`);
      }
      if (out[2] !== '200 approved') await gate.deny(id, {}, gate.operator);
      return [...out, (await call.said()).behavior];
    },
    want: ['200 pending', '403 answer-not-counted', '200 approved', 'allow'] },
];
