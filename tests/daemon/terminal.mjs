// The commands for people, at a pseudo terminal as `script` makes it, and the permission server over standard input.
import fs from 'node:fs';

import { json, type } from './lib/terminal.mjs';
import { until, within } from './lib/world.mjs';

const bare = (gate, words) => gate.world.run(`${gate.world.bin}/tollgate`, [...words, '--data', gate.world.data]);

// The permission server of `tollgate mcp --stdio`: lines in, lines out.
function stdio(gate, session, { env = { TOLLGATE_SESSION: session.id }, args = [] } = {}) {
  const child = gate.world.start(`${gate.world.bin}/tollgate`, ['mcp', '--stdio', '--data', gate.world.data, ...args], { env });
  return {
    child,
    say: (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`),
    answer: (id) => until(() => child.out.split('\n').filter(Boolean).map((line) => JSON.parse(line)).find((each) => each.id === id), `the answer to ${id}`),
  };
}
const approve = (id, command, use) => ({ id, method: 'tools/call', params: { name: 'approve', arguments: { tool_name: 'Bash', input: { command }, tool_use_id: use } } });
const behavior = (message) => JSON.parse(message.result.content[0].text).behavior;

const commands = [
  { name: 'pending shows the question, the gate\'s reading first, and never the credential',
    act: async (stage) => {
      const gate = await stage.fresh();
      const empty = await type(gate, ['pending']);
      const { id } = await gate.asked(await gate.session(), 'npm ci');
      const { status, shown, leaked } = await type(gate, ['pending']);
      const lines = shown.split('\n');
      return [empty.shown, status, lines[0].includes(id), lines[1].trim(), /no rule covers/.test(lines[2]), leaked || empty.leaked];
    },
    want: ['nothing is open', 0, true, 'Bash  npm ci', true, false] },
  { name: 'what an agent writes is shown inert',
    act: async (stage) => {
      const gate = await stage.fresh();
      await gate.asked(await gate.session(), 'npm ci # \u001b[2J\u001b]0;x\u0007 \u202eevil');
      const { shown } = await type(gate, ['pending']);
      return [/[\u0007\u001b\u202e]/.test(shown), shown.includes('npm ci #')];
    },
    want: [false, true] },
  { name: 'approve and deny answer, and the second of them is told so',
    act: async (stage) => {
      const gate = await stage.fresh();
      const session = await gate.session();
      const [one, two] = [await gate.asked(session, 'npm ci'), await gate.asked(session, 'npm update')];
      const yes = await type(gate, ['approve', one.id, '--scope', 'agent', '--rule', 'Bash(npm ci)', '--reason', 'fine']);
      const no = await type(gate, ['deny', two.id, '--reason', 'not today']);
      const late = await type(gate, ['approve', two.id]);
      return [yes.status, yes.shown.replace(one.id, 'ID'), (await one.call.said()).behavior, no.status, no.shown.replace(two.id, 'ID'), /not today/.test((await two.call.said()).message), late.status, /already-answered/.test(late.shown), yes.leaked || no.leaked];
    },
    want: [0, 'approved  ID  from now on: Bash(npm ci)', 'allow', 0, 'denied  ID', true, 1, true, false] },
  { name: 'a wrong credential is refused, and one typed is not shown',
    act: async (stage) => {
      const gate = await stage.fresh();
      const { status, shown, leaked } = await type(gate, ['pending'], 'tga_0123456789abcdef');
      return [status, /bad-credential/.test(shown), leaked];
    },
    want: [1, true, false] },
  { name: 'a login link may be typed in place of a credential, once',
    act: async (stage) => {
      const gate = await stage.fresh();
      const { id } = await gate.asked(await gate.session());
      const link = (await gate.send('POST', '/api/links', { as: gate.bob })).json.login;
      const first = await type(gate, ['approve', id], link);
      const second = await type(gate, ['pending'], link);
      return [first.status, first.shown.startsWith('approved'), second.status, first.leaked || second.leaked];
    },
    want: [0, true, 1, false] },
  { name: 'sessions are opened, listed, changed and ended',
    act: async (stage) => {
      const gate = await stage.fresh();
      const made = await json(gate, ['sessions', 'open', '--agent', 'backend', '--cwd', gate.world.work], gate.operator);
      const works = await gate.verdict(made, 'make all');
      const listed = await type(gate, ['sessions']);
      await type(gate, ['sessions', 'set', made.handle, '--mode', 'plan'], gate.operator);
      const strict = (await gate.verdict(made, 'npm ci')).split(':')[0];
      const refused = await type(gate, ['sessions', 'end', made.handle]);
      const ended = await type(gate, ['sessions', 'end', made.handle], gate.operator);
      const all = (await json(gate, ['sessions', '--all'])).sessions;
      return [works, listed.shown.includes(made.handle), strict, refused.status, ended.status, ended.shown.replace(made.handle, 'HANDLE'), (await json(gate, ['sessions'])).sessions.length, all.map((each) => each.state)];
    },
    want: ['allow', true, 'deny', 1, 0, 'ended  HANDLE', 0, ['ended']] },
  { name: 'a session that none has, or that is named by its id, is refused',
    act: async (stage) => {
      const gate = await stage.fresh();
      const { id } = await gate.session();
      const out = [];
      for (const words of [['sessions', 'end', '0000000000'], ['sessions', 'end', id], ['sessions', 'set', `${id}.child`, '--frozen', 'yes'], ['sessions', 'open', '--parent', id], ['log', '--session', id], ['log', '--session', '0000000000']]) {
        const { status, shown } = await type(gate, words, gate.operator);
        out.push(`${status} ${/error\[([a-z-]+)\]/.exec(shown)?.[1]} ${shown.includes(id)}`);
      }
      return out;
    },
    want: ['1 unknown-session false', '2 bad-usage false', '2 bad-usage false', '2 bad-usage false', '2 bad-usage false', '1 unknown-session false'] },
  { name: 'several questions that are alike are answered by one command, and what is not alike is refused by its id',
    act: async (stage) => {
      const gate = await stage.fresh({ policy: 'version: 1\nsettings: {permissionTimeout: 0}\nrules: {ask: [{rule: "Bash(git push *)", reason: others pull from there}]}\nagents: {backend: {}}\n' });
      const session = await gate.session();
      const asked = [];
      for (const command of ['git push origin one', 'git push origin two', 'npm ci', 'git push origin three', 'git push origin four']) asked.push(await gate.asked(session, command));
      const name = (text) => asked.reduce((out, { id }, i) => out.replaceAll(id, `#${i}`), text);
      const yes = await type(gate, ['approve', asked[0].id, asked[1].id, asked[2].id, '--reason', 'fine']);
      const no = await type(gate, ['deny', asked[3].id, asked[4].id, '--reason', 'not today']);
      const said = [];
      for (const i of [0, 1, 3, 4]) said.push((await asked[i].call.said()).behavior);
      const wide = await type(gate, ['approve', asked[2].id, asked[3].id, '--rule', 'Bash']);
      return [yes.status, name(yes.shown).split('\n').sort(), no.status, name(no.shown).split('\n').sort(), said, (await gate.permission(asked[2].id)).state, wide.status];
    },
    want: [1, ['approved  #0', 'approved  #1', 'not answered  #2  this question is not of the group that is answered together [not-together]'], 0, ['denied  #3', 'denied  #4'], ['allow', 'allow', 'deny', 'deny'], 'pending', 2] },
  { name: 'breakers are not answered together, whatever is named beside them',
    act: async (stage) => {
      const gate = await stage.fresh();
      const session = await gate.session();
      const asked = [await gate.asked(session, 'git reset --hard'), await gate.asked(session, 'git reset --hard', { use: 'toolu_other' })];
      const { status, shown } = await type(gate, ['approve', ...asked.map(({ id }) => id)]);
      return [asked.map(({ question }) => question.breaker === true), status, shown.match(/not-together/g)?.length, (await gate.pending()).length];
    },
    want: [[true, true], 1, 2, 2] },
  { name: 'grants are listed and revoked',
    act: async (stage) => {
      const gate = await stage.fresh();
      const { call, id } = await gate.asked(await gate.session(), 'npm ci');
      await gate.approve(id, { scope: 'everyone', expires: 3_600_000 });
      await call.done;
      const { grants: [grant] } = await json(gate, ['grants']);
      const revoked = await type(gate, ['grants', 'revoke', grant.id]);
      return [grant.rule, grant.scope, revoked.shown, (await type(gate, ['grants'])).shown, (await json(gate, ['grants', '--all'])).grants[0].state];
    },
    want: ['Bash(npm ci)', 'everyone', 'revoked  Bash(npm ci)', 'no grants', 'revoked'] },
  { name: 'the log shows what was decided, newest last',
    act: async (stage) => {
      const gate = await stage.fresh();
      const session = await gate.session();
      await gate.verdict(session, 'make first');
      await gate.verdict(session, 'git push --force');
      const { shown } = await type(gate, ['log', '--kind', 'call']);
      const denied = (await type(gate, ['log', '--verdict', 'deny', '--since', '1h', '--json'])).shown.split('\n').map((line) => JSON.parse(line));
      return [shown.split('\n').map((line) => /(allow|deny).*(make first|git push)/.exec(line)?.slice(1, 3).join(' ')), denied.map((row) => row.record.call.input.command)];
    },
    want: [['allow make first', 'deny git push'], ['git push --force']] },
  { name: 'approvers are added, listed and revoked; the new credential is shown once and works',
    act: async (stage) => {
      const gate = await stage.fresh();
      const added = await type(gate, ['approver', 'add', 'carol', '--role', 'lead'], gate.operator);
      const credential = /tga_[0-9a-f]+/.exec(added.shown)[0];
      const me = (await gate.send('GET', '/api/me', { as: credential })).json;
      const listed = await type(gate, ['approver', 'list']);
      const refused = await type(gate, ['approver', 'add', 'dave']);
      const revoked = await type(gate, ['approver', 'revoke', 'carol'], gate.operator);
      return [me.name, me.roles, me.operator, listed.shown.includes('carol') && !listed.shown.includes('tga_'), refused.status, revoked.shown, (await gate.send('GET', '/api/me', { as: credential })).status, added.leaked];
    },
    want: ['carol', ['lead'], false, true, 1, 'revoked carol', 401, false] },
  { name: 'freeze stops an agent and everything, and lifts it',
    act: async (stage) => {
      const gate = await stage.fresh();
      const session = await gate.session();
      const verdict = async () => (await gate.verdict(session, 'make all')).split(':')[0];
      const out = [];
      for (const words of [['freeze', 'backend'], ['freeze', 'backend', '--lift'], ['freeze'], ['freeze', '--lift']]) out.push((await type(gate, words)).shown, await verdict());
      return out;
    },
    want: ['backend is frozen', 'deny', 'backend goes on', 'allow', 'everything is frozen', 'deny', 'everything goes on', 'allow'] },
  { name: 'without a terminal no command takes a credential, from wherever it comes',
    act: async (stage) => {
      const gate = await stage.fresh();
      const { id } = await gate.asked(await gate.session());
      const out = new Set();
      for (const words of [['pending'], ['approve', id], ['deny', id], ['sessions'], ['grants'], ['log'], ['approver'], ['freeze'], ['pair'], ['pair', '--list'], ['pair', '--revoke', 'x']]) {
        const { world } = gate;
        const { status, err } = await world.run(`${world.bin}/tollgate`, [...words, '--data', world.data], { input: `${gate.ann}\n`, env: { TOLLGATE_CREDENTIAL: gate.ann, TOLLGATE_TOKEN: gate.ann } });
        out.add(`${status} ${/bad-credential/.test(err)}`);
      }
      return [[...out], (await gate.permission(id)).state];
    },
    want: [['1 true'], 'pending'] },
  { name: 'without a daemon every command says so',
    act: async (stage) => {
      const gate = await stage.fresh();
      await gate.stop();
      const { status, err } = await bare(gate, ['pending']);
      return [status, /no-daemon/.test(err)];
    },
    want: [1, true] },
];

const overStdio = [
  { name: 'a conversation over standard input, with two calls at the same time',
    act: async (stage) => {
      const gate = await stage.fresh();
      const server = stdio(gate, await gate.session());
      server.say({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } } });
      const begun = await server.answer(1);
      server.say({ method: 'notifications/initialized' });
      server.say({ id: 2, method: 'tools/list' });
      const listed = await server.answer(2);
      server.say(approve(3, 'npm ci', 'toolu_a'));
      server.say(approve(4, 'npm update', 'toolu_b'));
      const [first, second] = [await gate.questionOf({ use: 'toolu_a' }), await gate.questionOf({ use: 'toolu_b' })];
      await gate.deny(second.permissionId);
      const no = behavior(await server.answer(4));
      await gate.approve(first.permissionId);
      const yes = behavior(await server.answer(3));
      server.child.stdin.end();
      const { status } = await within(server.child.ended, 'the end of the server');
      return [begun.result.protocolVersion, listed.result.tools[0].name, no, yes, status, server.child.spawnargs.join(' ').includes(first.sessionId)];
    },
    want: ['2025-06-18', 'approve', 'deny', 'allow', 0, false] },
  { name: 'the end of standard input ends the server while a call waits; the question is kept for a retry',
    act: async (stage) => {
      const gate = await stage.fresh();
      const session = await gate.session();
      const server = stdio(gate, session);
      server.say(approve(1, 'npm ci', 'toolu_a'));
      const { permissionId } = await gate.questionOf({ use: 'toolu_a' });
      server.child.stdin.end();
      const { status } = await within(server.child.ended, 'the end of the server');
      await until(async () => (await gate.permission(permissionId)).goneAt !== null, 'that the agent is gone');
      const again = stdio(gate, session);
      again.say(approve(1, 'npm ci', 'toolu_a'));
      await until(async () => (await gate.permission(permissionId)).goneAt === null, 'the retry');
      await gate.approve(permissionId);
      return [status, behavior(await again.answer(1))];
    },
    want: [0, 'allow'] },
  { name: 'the session may come from a file of ours, and from no file that others read',
    act: async (stage) => {
      const gate = await stage.fresh();
      const session = await gate.session();
      const file = `${gate.world.dir}/session`;
      fs.writeFileSync(file, `${session.id}\n`, { mode: 0o600 });
      const server = stdio(gate, session, { env: {}, args: ['--session-file', file] });
      server.say(approve(1, 'make all', 'toolu_a'));
      const yes = behavior(await server.answer(1));
      fs.chmodSync(file, 0o644);
      const refused = stdio(gate, session, { env: {}, args: ['--session-file', file] });
      return [yes, (await refused.child.ended).status, (await stdio(gate, session, { env: {} }).child.ended).status];
    },
    want: ['allow', 1, 1] },
  { name: 'an unknown session and a daemon that is gone are errors, never a yes',
    act: async (stage) => {
      const gate = await stage.fresh();
      const unknown = stdio(gate, { id: 'f'.repeat(64) });
      unknown.say(approve(1, 'make all', 'toolu_a'));
      const first = await unknown.answer(1);
      const server = stdio(gate, await gate.session());
      await gate.stop('SIGKILL');
      server.say(approve(1, 'make all', 'toolu_a'));
      const second = await server.answer(1);
      return [first.result, typeof first.error.message, second.result, typeof second.error.message];
    },
    want: [undefined, 'string', undefined, 'string'] },
  { name: 'lines that are no message do not stop it',
    act: async (stage) => {
      const gate = await stage.fresh();
      const server = stdio(gate, await gate.session());
      server.child.stdin.write('nonsense\n\n[]\n{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}\n');
      server.say(approve(7, 'make all', 'toolu_a'));
      return behavior(await server.answer(7));
    },
    want: 'allow' },
];

export const groups = { commands, 'mcp --stdio': overStdio };
