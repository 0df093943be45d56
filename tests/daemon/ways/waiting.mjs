// How long a call waits, and what happens when it or the daemon goes away meanwhile.
import { until, usual, within } from '../lib/world.mjs';

const timed = usual.replace('permissionTimeout: 0', 'permissionTimeout: 400ms').replace('frontend: {}', 'frontend: {permissionTimeout: 0}')
  .replace('  deny:', '  ask:\n    - {rule: "Bash(npm publish *)", approve: {any: 1, within: 600ms}}\n  deny:');
const cancel = (gate, session, id) => gate.send('POST', `/mcp/${session.id}`, { headers: { Accept: 'application/json, text/event-stream' }, body: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id, reason: 'changed my mind' } } });
const ended = (gate, id) => until(async () => { const found = await gate.permission(id); return found.state !== 'pending' && found; }, 'the end');

export const rows = [
  { name: 'nobody answers in time: deny, with the reason',
    act: async (stage) => {
      const gate = await stage.fresh({ policy: timed });
      const began = Date.now();
      const { behavior, message } = await gate.call(await gate.session(), 'npm ci').said();
      const [question] = (await gate.send('GET', '/api/permissions?state=resolved', { as: gate.ann })).json.permissions;
      return [behavior, /nobody answered in time/.test(message), Date.now() - began >= 400, question.state, question.answer.by];
    },
    want: ['deny', true, true, 'expired', 'timeout'] },
  { name: 'a rule\'s own time and an agent\'s own time come before the general one',
    act: async (stage) => {
      const gate = await stage.fresh({ policy: timed });
      const span = async (agent, command) => {
        const { question } = await gate.asked(await gate.session(agent), command);
        return question.expiresAt === null ? null : Date.parse(question.expiresAt) - Date.parse(question.createdAt);
      };
      return [await span('frontend', 'npm ci'), await span('frontend', 'npm publish')];
    },
    want: [null, 600] },
  { name: 'a stream shows a sign of life at once and again within eleven seconds',
    act: async (stage) => {
      const gate = await stage.gate();
      const { call } = await gate.asked(await gate.session(), 'npm ci', { progress: 'token-1' });
      const began = Date.now();
      await call.alive();
      await until(() => call.events.length >= 2, 'the second sign', { milliseconds: 20_000 });
      return [call.events.map(({ method, params }) => [method, params.progressToken, params.progress]), Date.now() - began < 11_500];
    },
    want: [[['notifications/progress', 'token-1', 1], ['notifications/progress', 'token-1', 2]], true] },
  { name: 'a cancelled call takes its question back',
    act: async (stage) => {
      const gate = await stage.gate();
      const session = await gate.session();
      const { call, id } = await gate.asked(session);
      const { status } = await cancel(gate, session, call.id);
      const { state, answer } = await ended(gate, id);
      return [status, state, answer.reason];
    },
    want: [202, 'cancelled', 'changed my mind'] },
  { name: 'the stream of a cancelled call ends',
    act: async (stage) => {
      const gate = await stage.gate();
      const session = await gate.session();
      const { call } = await gate.asked(session);
      await cancel(gate, session, call.id);
      await within(call.done, 'the end of the stream', 5_000);
      return 'ended';
    },
    want: 'ended' },
  { name: 'a legacy client that is cut off finds its question again',
    act: async (stage) => {
      const gate = await stage.gate();
      const session = await gate.session();
      const { call, id } = await gate.asked(session);
      call.hangUp();
      await until(async () => (await gate.permission(id)).goneAt !== null, 'that the agent is gone');
      const again = gate.call(session, 'npm install left-pad', { use: call.use });
      await until(async () => (await gate.permission(id)).goneAt === null, 'that it is back');
      await gate.approve(id);
      const { behavior } = await again.said();
      await until(async () => (await gate.permission(id)).deliveredAt !== null, 'that it has its answer');
      return [behavior, (await gate.audit(`&session=${session.id}`)).filter((row) => row.kind === 'question').length];
    },
    want: ['allow', 1] },
  { name: 'a modern client that closes takes its call back',
    act: async (stage) => {
      const gate = await stage.gate();
      const { call, id } = await gate.asked(await gate.session(), 'npm ci', { modern: true });
      call.hangUp();
      return (await ended(gate, id)).state;
    },
    want: 'cancelled' },
  { name: 'an answer that came while the client was cut off is there when it comes back',
    act: async (stage) => {
      const gate = await stage.gate();
      const session = await gate.session();
      const { call, id } = await gate.asked(session);
      call.hangUp();
      await until(async () => (await gate.permission(id)).goneAt !== null, 'that the agent is gone');
      await gate.approve(id);
      return [(await gate.call(session, 'npm install left-pad', { use: call.use }).said()).behavior, (await gate.pending()).filter((each) => each.sessionId === session.id).length];
    },
    want: ['allow', 0] },
  { name: 'of two calls with one id both hear the answer',
    act: async (stage) => {
      const gate = await stage.gate();
      const session = await gate.session();
      const { call, id } = await gate.asked(session);
      const second = gate.call(session, 'npm install left-pad', { use: call.use });
      await second.alive();
      await gate.approve(id);
      return [(await call.said()).behavior, (await second.said()).behavior];
    },
    want: ['allow', 'allow'] },
  { name: 'a stop in order: who waits is told to try again, questions stay, and the retry joins',
    act: async (stage) => {
      const gate = await stage.fresh();
      const session = await gate.session();
      const watcher = await gate.watch({ headers: { Authorization: `Bearer ${gate.ann}` } });
      const { call, id } = await gate.asked(session);
      const whole = gate.call(session, 'npm ci', { accept: 'application/json' });
      await gate.questionOf(whole);
      const stopped = gate.stop('SIGTERM');
      const told = [await call.said(), await whole.said()].map(({ behavior, message }) => `${behavior} ${/retry the same call/.test(message)}`);
      const { status } = await stopped;
      await watcher.closed;
      await gate.run();
      const kept = (await gate.pending()).map((each) => each.permissionId);
      const again = gate.call(session, 'npm install left-pad', { use: call.use });
      await until(async () => (await gate.permission(id)).goneAt === null, 'the retry');
      await gate.approve(id);
      return [told, status, watcher.closeCode, kept.length, kept.includes(id), (await again.said()).behavior];
    },
    want: [['deny true', 'deny true'], 0, 1001, 2, true, 'allow'] },
  { name: 'an answer is recorded before it counts, and the agent\'s side after it',
    act: async (stage) => {
      const gate = await stage.gate();
      const session = await gate.session();
      const { call, id } = await gate.asked(session);
      await gate.approve(id, { reason: 'fine' });
      await call.done;
      return (await gate.audit(`&question=${id}`)).map((row) => [row.kind, row.verdict, row.by, row.origin]);
    },
    want: [['question', 'ask', '', 'daemon'], ['answer', 'allow', 'ann', 'http'], ['call', 'allow', 'ann', 'mcp']] },
  { name: 'the record is searched by session, verdict, kind and text',
    act: async (stage) => {
      const gate = await stage.fresh();
      const [one, other] = [await gate.session(), await gate.session()];
      await gate.verdict(one, 'make alpha');
      await gate.verdict(one, 'git push --force');
      await gate.verdict(other, 'make beta');
      const count = async (query) => (await gate.audit(query)).length;
      return [await count(`&kind=call&session=${one.id}`), await count('&kind=call&verdict=deny'), await count('&kind=call&grep=beta'), await count('&kind=call&tool=Read'), (await gate.send('GET', '/api/audit?nonsense=1', { as: gate.ann })).status];
    },
    want: [2, 1, 1, 0, 400] },
  { name: 'a client that takes no stream is told to retry when its patience is over, as configured',
    act: async (stage) => {
      const gate = await stage.fresh({ args: ['--patience', '600ms'] });
      const session = await gate.session();
      const { behavior, message } = await gate.call(session, 'npm ci', { accept: 'application/json', use: 'toolu_same' }).said();
      const [{ permissionId }] = await gate.pending();
      await gate.approve(permissionId);
      return [behavior, /still pending: nobody has answered yet; retry the same call/.test(message), (await gate.call(session, 'npm ci', { accept: 'application/json', use: 'toolu_same' }).said()).behavior];
    },
    want: ['deny', true, 'allow'] },
  { name: 'a question whose agent is gone is kept as long as configured',
    act: async (stage) => {
      const gate = await stage.fresh({ args: ['--keep-gone', '300ms'] });
      const { call, id } = await gate.asked(await gate.session());
      call.hangUp();
      const { state, answer } = await ended(gate, id);
      return [state, answer.reason];
    },
    want: ['cancelled', 'the agent was gone and did not come back'] },
];
