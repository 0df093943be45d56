// What is tried on every client, and what has to come of it.
// A command that a client runs by a shell is the hook with a tail: whatever the hook says, a status
// that is not one of its own becomes one that blocks.
//
// `want` is by client, `*` for the others:
//   ran      the call ran
//   told     it did not run, and the model was told why in our words
//   refused  it did not run, and the model was told something else or nothing
// `plugin` cases are for clients that can be started with a plugin from a directory.

import fs from 'node:fs';

const told = { '*': 'told' };
const deadlineSeconds = 3;   // the hook answers two seconds before

const policies = {
  allow: 'version: 1\nrules: {allow: ["Bash(touch *)"]}\n',
  deny: 'version: 1\nrules: {deny: ["Bash(touch *)"]}\n',
  silent: 'version: 1\nrules: {}\n',
  broken: 'version: 1\nrules: {allow: [\n',
};

// Turns every failure that the hook could not answer itself into a blocking one.
const failed = 'Tollgate: the hook failed, so the call is blocked';
const tails = {
  '*': `|| { echo '${failed}' >&2; exit 2; }`,
  copilot: `|| { echo '${JSON.stringify({ permissionDecision: 'deny', permissionDecisionReason: failed })}'; exit 2; }`,
};

export const cases = [
  { name: 'installed: an allowed call runs', policy: 'allow', want: { '*': 'ran' }, recorded: true, installed: true },
  { name: 'installed: a denied call does not', policy: 'deny', want: told, reason: 'the rule forbids it', recorded: true,
    installed: true },
  { name: 'installed: the hook is gone', policy: 'allow', want: told, reason: 'Tollgate: the hook', installed: true,
    spoil: ({ bin }) => fs.rmSync(`${bin}/tollgate-hook`) },
  { name: 'installed as a plugin: an allowed call runs', policy: 'allow', want: { '*': 'ran' }, recorded: true,
    installed: true, plugin: true },
  { name: 'installed as a plugin: a denied call does not', policy: 'deny', want: told, reason: 'the rule forbids it',
    recorded: true, installed: true, plugin: true },
  { name: 'installed as a plugin: the hook is gone', policy: 'allow', want: told, reason: 'Tollgate: the hook',
    installed: true, plugin: true, spoil: ({ bin }) => fs.rmSync(`${bin}/tollgate-hook`) },
  { name: 'an allowed call runs', policy: 'allow', want: { '*': 'ran' }, recorded: true },
  { name: 'a denied call does not', policy: 'deny', want: told, reason: 'the rule forbids it', recorded: true },
  { name: 'an ask, without a daemon', policy: 'silent', want: told, reason: 'no rule lets', recorded: true },
  { name: 'a broken policy', policy: 'broken', want: told, reason: 'the policy is broken' },
  { name: 'no policy', policy: null, want: told, reason: 'the policy is broken' },
  { name: 'an option that the hook does not know', policy: 'allow', want: told, reason: 'unknown option',
    command: ({ hook, tail }) => `${hook} --open ${tail}` },
  { name: 'a hook that crashes', policy: 'allow', want: told, reason: 'the gate failed or took too long',
    command: ({ faulty, hook, tail }) => `${faulty} SEGV ${hook} ${tail}` },
  { name: 'a hook past its deadline', policy: 'allow', want: told, reason: 'the gate failed or took too long',
    command: ({ hook, tail, world }) => `${hook} --timeout ${deadlineSeconds} <> ${world.silence} ${tail}` },
  { name: 'a hook that is killed', policy: 'allow', want: told, reason: 'the hook failed',
    command: ({ faulty, hook, tail }) => `${faulty} KILL ${hook} ${tail}` },
  { name: 'a hook that is not there', policy: 'allow', want: told, reason: 'the hook failed',
    command: ({ hook, tail }) => `${hook.replace('tollgate-hook', 'tollgate-nothing')} ${tail}` },
  { name: 'a hook that is killed, without the tail', policy: 'allow', reason: 'Tollgate:',
    want: { '*': 'ran', copilot: 'refused', opencode: 'told' },
    command: ({ faulty, hook }) => `${faulty} KILL ${hook}` },
  { name: 'a hook that stays past the client\'s own timer', policy: 'allow', reason: 'Tollgate:',
    want: { '*': 'ran', opencode: 'told' }, seconds: 1, command: stuck },
  { name: 'the same, where the client itself refuses', policy: 'allow', reason: 'Tollgate:',
    want: { '*': 'refused', opencode: 'told' }, seconds: 1, own: true, command: stuck },
];

function stuck({ world }) {
  return `cat ${world.silence}`;
}

export function writePolicy(case_, world) {
  if (case_.policy !== null) world.write(world.policy, policies[case_.policy]);
}

export const isFor = (case_, client) => !case_.plugin || client.plugin !== undefined;

export const wanted = (case_, client) => case_.want[client] ?? case_.want['*'];

// Writes the policy of a case and gives the command to register.
export function prepare(case_, { client, world, bin, here }) {
  writePolicy(case_, world);
  const hook = `${bin}/tollgate-hook ${client} --config ${world.policy} --data ${world.data}`;
  const tail = tails[client] ?? tails['*'];
  const make = case_.command ?? (() => `${hook} ${tail}`);
  return { command: make({ hook, tail, world, faulty: `${here}/faulty` }), seconds: case_.seconds ?? 20 };
}
