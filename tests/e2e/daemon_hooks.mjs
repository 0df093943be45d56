// Hooks and the daemon: what `tollgate-hook` asks over gate.sock, and Codex' hook that calls the
// permission tool. daemon.mjs says what a case is.
import { install } from './install.mjs';

const touch = (...names) => (tools) => names.map((name) => tools.shell(`touch ${name}`));
const silent = { rules: {} };
// The hook says the second where the machine is so busy that it misses the moment for the first.
const pending = ['still pending: nobody has answered yet; retry the same call', 'took too long, so the call is blocked; retry it'];
const shortSeconds = 12;   // of a client that does not wait long; the hook answers two seconds before

// By `tollgate install`, for the data directory that the daemon has.
const installed = async ({ client, world, model, bin }) => {
  await install(client, world, { bin, env: client.launch(world, model, {}).env });
  return { options: {} };
};

// The same with a timer that is over soon.
const hurried = async ({ client, world, bin, program }) => {
  const command = `${bin}/tollgate-hook ${client.name} --config ${world.policy} --data ${world.data} --timeout ${shortSeconds} || exit 2`;
  await client.register(world, { command, seconds: shortSeconds }, { program });
  return { options: {} };
};

const byTool = async ({ client, world, gate, program }) => {
  const { mcp_url } = await gate.openSession({ provider: 'codex' });
  await client.register(world, { url: mcp_url, seconds: 60 }, { program });
  return { options: {} };
};

const approve = (how) => async ({ gate }) => {
  await gate.approve(await gate.question(), how);
};

const deny = (reason) => async ({ gate }) => {
  await gate.deny(await gate.question(), reason);
};

// Answers when the agent has been told to try again.
const late = (act) => async ({ gate, model }) => {
  const question = await gate.question();
  await gate.until('the model is told to retry', () => model.results.some((text) => pending.some((words) => text.includes(words))));
  await act(gate, question);
};

const answeredByPerson = (client) => [
  { client, name: 'installed: an ask that is approved runs', policy: silent, calls: touch('marker'), prepare: installed, people: approve(),
    want: { ran: ['marker'], asked: 1 } },
  { client, name: 'installed: one that is denied does not, and the model sees why', policy: silent, calls: touch('marker'), prepare: installed,
    people: deny('not on a Friday'), want: { refused: ['marker'], told: ['ann denied it: not on a Friday'], asked: 1 } },
];

export const hookCases = [
  ...answeredByPerson('codex'),
  { client: 'codex', name: 'installed: approved for the session, the same call is not asked again', policy: silent, calls: touch('marker', 'marker'),
    prepare: installed, people: approve({ scope: 'session' }), want: { ran: ['marker'], asked: 1 } },
  { client: 'codex', name: 'not answered in time: blocked, and the retry gets the approval', policy: silent, calls: touch('marker', 'marker'),
    prepare: hurried, people: late((gate, question) => gate.approve(question)), want: { ran: ['marker'], told: [pending], asked: 1 } },
  { client: 'codex', name: 'not answered in time: blocked, and the retry gets the denial', policy: silent, calls: touch('marker', 'marker'),
    prepare: hurried, people: late((gate, question) => gate.deny(question, 'not on a Friday')),
    want: { refused: ['marker'], told: [pending, 'not on a Friday'], asked: 1 } },
  { client: 'codex', name: 'not answered in time: one approval is for one retry', policy: silent, calls: touch('marker', 'marker', 'marker'),
    prepare: hurried, people: async (scene) => {
      const { gate } = scene;
      await late((_, question) => gate.approve(question))(scene);
      await gate.deny(await gate.question(), 'once is enough');
    },
    want: { ran: ['marker'], told: [pending, 'once is enough'], asked: 2 } },

  { client: 'codex', name: 'hook by tool: an allowed call runs, a denied one does not',
    policy: { rules: { allow: ['Bash(touch marker)'], deny: ['Bash(touch other)'] } }, calls: touch('marker', 'other'), prepare: byTool,
    want: { ran: ['marker'], refused: ['other'], told: ['the rule forbids it'], asked: 0 } },
  { client: 'codex', name: 'hook by tool: an ask that is approved runs', policy: silent, calls: touch('marker'), prepare: byTool, people: approve(),
    want: { ran: ['marker'], asked: 1 } },
  { client: 'codex', name: 'hook by tool: approved with another input, that one runs', policy: silent, calls: touch('marker'), prepare: byTool,
    people: approve({ updatedInput: { command: 'touch other' } }), want: { ran: ['other'], refused: ['marker'], asked: 1 } },
  { client: 'codex', name: 'hook by tool: one that is denied does not, and the model sees why', policy: silent, calls: touch('marker'),
    prepare: byTool, people: deny('not on a Friday'), want: { refused: ['marker'], told: ['not on a Friday'], asked: 1 } },

  ...['copilot', 'gemini', 'opencode'].flatMap(answeredByPerson),
  { client: 'gemini', name: 'not answered in time: blocked, and the retry gets the approval', policy: silent, calls: touch('marker', 'marker'),
    prepare: hurried, people: late((gate, question) => gate.approve(question)), want: { ran: ['marker'], told: [pending], asked: 1 } },
];
