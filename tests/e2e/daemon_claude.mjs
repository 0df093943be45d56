// Claude Code and the daemon: the permission-prompt tool over HTTP and over standard input, the hook
// beside it, and its own questions to people.
//
// A case says what the model calls, how the client asks (`prepare`), what the person does meanwhile
// (`people`), and what has to come of it; daemon.mjs reads `want`.
import fs from 'node:fs';

const touch = (...names) => (tools) => names.map((name) => tools.shell(`touch ${name}`));
const silent = { rules: {} };
// LIMIT: when its stream breaks off, the client waits a minute and a half before it gives the call up.
const slowSeconds = 400;

// The daemon's own MCP server, as docs/daemon.md writes it.
export const overHttp = (more) => async ({ client, gate, row }) => {
  row.session = await gate.openSession();
  const server = { type: 'http', url: `${gate.url}/mcp/\${TOLLGATE_SESSION}` };
  return { options: { asking: client.asking({ server, ...more }) }, variables: { TOLLGATE_SESSION: row.session.id } };
};

const overStdio = async ({ client, gate, row, world, bin }) => {
  row.session = await gate.openSession();
  const server = { command: `${bin}/tollgate`, args: ['mcp', '--stdio', '--data', world.data] };
  return { options: { asking: client.asking({ server }) }, variables: { TOLLGATE_SESSION: row.session.id } };
};

// The hook of the same session besides, which leaves an ask to the prompt tool. The session stands elsewhere than the client, so that a
// directory can come from nowhere but the hook's payload.
const withHook = async ({ client, gate, row, world }) => {
  row.session = await gate.openSession({ cwd: world.dir });
  const hook = { type: 'http', url: `${row.session.hook_url}?ask=client` };
  const settings = world.write('settings.json', JSON.stringify({ hooks: { PreToolUse: [{ matcher: '*', hooks: [hook] }] } }));
  fs.chmodSync(settings, 0o600);
  const server = { type: 'http', url: `${gate.url}/mcp/\${TOLLGATE_SESSION}` };
  return { options: { asking: client.asking({ server, settings }) }, variables: { TOLLGATE_SESSION: row.session.id } };
};

const approve = (how) => async ({ gate }) => {
  await gate.approve(await gate.question(), how);
};

const deny = (reason) => async ({ gate }) => {
  await gate.deny(await gate.question(), reason);
};

const form = (tools) => [tools.form([{ question: 'Which colour?', header: 'Colour', multiSelect: false,
  options: [{ label: 'Red', description: 'warm' }, { label: 'Blue', description: 'cold' }] }])];

const plan = 'First look, then touch the marker.';

// A question that people leave open for longer than any silent connection lives.
const held = (seconds, act) => async (scene) => {
  const { gate, row } = scene;
  const question = await gate.question();
  const began = Date.now();
  await gate.until('the time is over', () => Date.now() - began >= seconds * 1000, seconds + 30);
  row.waited = Date.now() - began;
  await act(gate, question);
};

const cases = [
  { name: 'an allowed call runs', policy: { rules: { allow: ['Bash(touch *)'] } }, calls: touch('marker'), want: { ran: ['marker'], asked: 0 } },
  { name: 'a denied call does not, and the model sees why',
    policy: { rules: { deny: [{ rule: 'Bash(touch *)', reason: 'markers are made by hand' }] } }, calls: touch('marker'),
    want: { refused: ['marker'], told: ['markers are made by hand'], asked: 0 } },
  { name: 'an ask that is approved runs', policy: silent, calls: touch('marker'), people: approve(),
    want: { ran: ['marker'], asked: 1, also: isDelivered } },
  { name: 'an ask that is denied does not, and the model sees why', policy: silent, calls: touch('marker'), people: deny('not on a Friday'),
    want: { refused: ['marker'], told: ['ann denied it: not on a Friday'], asked: 1, also: isDelivered } },
  { name: 'approved with another input, that one runs', policy: silent, calls: touch('marker'),
    people: approve({ updatedInput: { command: 'touch other', description: 'x' } }), want: { ran: ['other'], refused: ['marker'], asked: 1 } },
  { name: 'approved for the session, the same call is not asked again', policy: silent, calls: touch('marker', 'marker', 'other'),
    people: async ({ gate, row }) => {
      row.first = await gate.question();
      await gate.approve(row.first, { scope: 'session' });
      const next = await gate.until('another question is open', async () =>
        (await gate.open()).find(({ permissionId }) => permissionId !== row.first.permissionId));
      await gate.deny(next, 'that is another');
    },
    want: { ran: ['marker'], refused: ['other'], told: ['that is another'], asked: 2, also: async ({ gate }) => {
      const verdicts = (await gate.record()).map(({ verdict }) => verdict).join(' ');
      return verdicts === 'allow allow deny' ? [] : [`the record says ${verdicts}`];
    } } },
  { name: 'a session that was ended asks nobody, and nothing runs', policy: { rules: { allow: ['Bash(touch later)'] } },
    calls: touch('marker', 'later'),
    people: async ({ gate, row }) => {
      await gate.question();
      await gate.endSession(row.session);
    },
    want: { refused: ['marker', 'later'], told: ['the session was ended'], asked: 1 } },
  { name: 'a daemon that is killed allows nothing, and has the question afterwards', seconds: slowSeconds, policy: silent, calls: touch('marker', 'other'),
    people: async ({ gate, row }) => {
      row.question = await gate.question();
      await gate.kill();
    },
    want: { refused: ['marker', 'other'], also: async ({ gate, row }) => {
      await gate.start();
      const open = (await gate.open()).map(({ permissionId }) => permissionId);
      if (open.length !== 1 || open[0] !== row.question.permissionId) return [`after the start there is open: ${open}`];
      const { state, deliveredAt } = await gate.approve(row.question);
      return state === 'approved' && deliveredAt === null ? [] : [`answered afterwards: ${state}, delivered at ${deliveredAt}`];
    } } },
  { name: 'a daemon that is started again takes the next call', long: true, seconds: slowSeconds, policy: silent, calls: touch('marker', 'other'),
    people: async ({ gate }) => {
      const { permissionId } = await gate.question();
      await gate.kill();
      await gate.start();
      await gate.approve(await gate.until('the next question', async () =>
        (await gate.open()).find((question) => question.permissionId !== permissionId), slowSeconds));
    },
    want: { refused: ['marker'], ran: ['other'], asked: 2 } },

  { name: 'hook and prompt tool: where the call is comes from the hook', policy: silent, calls: touch('marker'), prepare: withHook,
    people: async ({ gate, row }) => {
      row.question = await gate.question();
      await gate.approve(row.question);
    },
    want: { ran: ['marker'], asked: 1, also: async ({ gate, row, world }) => {
      const came = (await gate.record()).map(({ origin, verdict }) => `${origin} ${verdict}`).join(', ');
      return [
        ...(row.question.cwd === world.work ? [] : [`the question is about ${row.question.cwd}`]),
        ...(came === 'hook ask, mcp allow' ? [] : [`the record says ${came}`])];
    } } },
  { name: 'hook and prompt tool: an allowed and a denied call', policy: { rules: { allow: ['Bash(touch marker)'], deny: ['Bash(touch other)'] } },
    calls: touch('marker', 'other'), prepare: withHook,
    want: { ran: ['marker'], refused: ['other'], told: ['the rule forbids it'], asked: 0 } },
  { name: 'hook and prompt tool: a sub-agent is a child of the session', policy: { rules: { allow: ['Agent'] } },
    calls: (tools) => [tools.agent('make the marker', [tools.shell('touch marker')])], prepare: withHook,
    people: async ({ gate, row }) => {
      row.question = await gate.question();
      await gate.approve(row.question);
    },
    want: { ran: ['marker'], asked: 1, also: async ({ gate, row }) => {
      const child = (await gate.sessions()).find(({ parent }) => parent === row.session.id);
      if (child === undefined) return ['the session has no child'];
      return [
        ...(row.question.sessionId === child.id ? [] : [`${row.question.sessionId} asked, the child is ${child.id}`]),
        ...(child.childType === 'general-purpose' ? [] : [`the child is a ${child.childType}`])];
    } } },

  { name: 'a form: the model sees the option that was chosen', policy: silent, calls: form, people: approve({ option: 'Blue' }),
    want: { told: ['"Which colour?"="Blue"'], asked: 1, also: isEscalation } },
  { name: 'a form: the model sees what was written', policy: silent, calls: form, people: approve({ text: 'Green, with dots' }),
    want: { told: ['"Which colour?"="Green, with dots"'], asked: 1 } },
  { name: 'a form: the model sees answers by question', policy: silent, calls: form, people: approve({ answers: { 'Which colour?': 'Red' } }),
    want: { told: ['"Which colour?"="Red"'], asked: 1 } },
  { name: 'a form: a refusal and its reason', policy: silent, calls: form, people: deny('ask me tomorrow'), want: { told: ['ask me tomorrow'], asked: 1 } },
  { name: 'a plan: it is shown, and approved the work goes on', policy: { rules: { allow: ['Bash(touch *)'] } },
    calls: (tools) => [tools.plan(plan), tools.shell('touch marker')], prepare: overHttp({ mode: 'plan' }), people: approvePlan,
    want: { ran: ['marker'], asked: 1, also: isEscalation } },
  { name: 'a plan: denied, the model sees why', policy: silent, calls: (tools) => [tools.plan(plan)], prepare: overHttp({ mode: 'plan' }),
    people: deny('look more closely'), want: { told: ['look more closely'], asked: 1, also: isEscalation } },

  { name: 'over standard input: an ask that is approved runs', policy: silent, calls: touch('marker'), prepare: overStdio, people: approve(),
    want: { ran: ['marker'], asked: 1 } },
  { name: 'over standard input: one that is denied does not', policy: silent, calls: touch('marker'), prepare: overStdio,
    people: deny('not on a Friday'), want: { refused: ['marker'], told: ['not on a Friday'], asked: 1 } },

  { name: 'open for more than five minutes, then approved', long: true, seconds: 500, policy: silent, calls: touch('marker'),
    people: held(330, (gate, question) => gate.approve(question)), want: { ran: ['marker'], asked: 1, also: isDelivered } },
  { name: 'open for more than five minutes, then denied', long: true, seconds: 500, policy: silent, calls: touch('marker'),
    people: held(330, (gate, question) => gate.deny(question, 'too late for that')),
    want: { refused: ['marker'], told: ['too late for that'], asked: 1, also: isDelivered } },
  { name: 'over standard input: open for more than five minutes, then approved', long: true, seconds: 500, policy: silent, calls: touch('marker'),
    prepare: overStdio, people: held(330, (gate, question) => gate.approve(question)), want: { ran: ['marker'], asked: 1 } },
];

export const claudeCases = cases.map((case_) => ({ client: 'claude', prepare: overHttp({}), ...case_ }));

async function approvePlan({ gate, row }) {
  row.question = await gate.question();
  await gate.approve(row.question);
}

async function isEscalation({ gate, model }) {
  const [question] = await gate.questions();
  const problems = question.type === 'escalation' ? [] : [`the question is a ${question.type}`];
  const shown = JSON.stringify(question.toolInput);
  for (const word of Object.keys(model.calls[0].input)) if (!shown.includes(word)) problems.push(`the question does not show ${word}: ${shown}`);
  return problems;
}

async function isDelivered({ gate }) {
  const [question] = await gate.questions();
  return question.deliveredAt === null ? ['the answer counts as not delivered'] : [];
}
