// What lies on the disk, stands in the log or is said to the wrong one; floods; what happens when something fails.
import fs from 'node:fs';

import { type } from '../lib/terminal.mjs';
import { until, usual } from '../lib/world.mjs';

const decide = async (gate, session, command = 'make all') => (await gate.send('POST', '/api/decide', { as: session.id, body: { tool: 'Bash', input: { command } } })).json;

// What is open once at least so many questions are: a stream begins before its question is put.
const questions = (gate, least) => until(async () => { const open = await gate.pending(); return open.length >= least && open; }, `${least} questions`);

export const rows = [
  { name: 'the store holds no secret: neither credentials nor links nor cookies nor keys',
    act: async (stage) => {
      const gate = await stage.fresh();
      const { cookie, key, headers } = await gate.logIn(gate.ann);
      const link = (await gate.send('POST', '/api/links', { as: gate.ann })).json.login.split('/').at(-1);
      await gate.send('POST', '/api/login', { body: { link } });
      const { id } = await gate.asked(await gate.session());
      await gate.send('POST', `/api/permissions/${id}/approve`, { body: {}, headers });
      const secrets = [gate.operator, gate.ann, gate.bob, gate.login.split('/').at(-1), gate.console.cookie, cookie, key, link];
      const found = () => secrets.map((secret) => [secret, secret.split('_').at(-1)].some((text) => gate.stored().includes(text)));
      const running = [...found(), /tg[alck]_[0-9a-f]{16}/.test(gate.stored())];
      await gate.stop();
      return { secrets: secrets.every((each) => each.length > 20), running, stopped: [...found(), /tg[alck]_[0-9a-f]{16}/.test(gate.stored())] };
    },
    want: { secrets: true, running: Array(9).fill(false), stopped: Array(9).fill(false) } },
  { name: 'neither secrets nor session ids stand in arguments, environment or log',
    act: async (stage) => {
      const gate = await stage.fresh();
      const session = await gate.session();
      const { id } = await gate.asked(session);
      await gate.send('POST', `/mcp/${session.id}`, { body: 'nonsense' });
      await gate.send('POST', `/hook/${session.id}/claude`, { body: 'nonsense' });
      await gate.approve(id);
      await gate.stop();
      const proc = `${gate.process.spawnargs.join(' ')}`;
      const secrets = [session.id, gate.ann, gate.operator, gate.console.cookie, gate.console.key];
      return [secrets.some((each) => gate.process.err.includes(each)), secrets.some((each) => gate.process.out.includes(each)), secrets.some((each) => proc.includes(each))];
    },
    want: [false, false, false] },
  { name: 'commands name sessions by handles: no argument and nothing that is printed holds an id',
    act: async (stage) => {
      const gate = await stage.fresh();
      const parent = await gate.session(), child = await gate.session('frontend', { parent: parent.handle });
      const { call, id } = await gate.asked(child, 'npm ci');
      const seen = [];
      const run = async (...words) => {
        for (const more of [[], ['--json']]) seen.push(await type(gate, [...words, ...more], gate.operator));
        return seen.at(-1);
      };
      const holds = (text) => [parent.id, child.id].some((each) => text.includes(each));
      const set = await run('sessions', 'set', child.handle, '--answer', 'ask');
      await run('pending');
      await run('approve', id, '--scope', 'session');
      await call.done;
      for (const words of [['sessions'], ['sessions', '--all'], ['grants'], ['log'], ['log', '--session', child.handle], ['log', 'explain', '1']]) await run(...words);
      seen.push(await type(gate, ['log', '--csv'], gate.operator));
      const ended = await type(gate, ['sessions', 'end', parent.handle], gate.operator);
      const opened = await type(gate, ['sessions', 'open', '--agent', 'backend'], gate.operator);
      const spent = seen.filter(({ status }) => status !== 0).map(({ shown }) => shown.split('\n')[0].replace(/ `.*/, ''));
      return [holds(set.shown), [...seen, ended].some(({ shown }) => holds(shown)), ended.status, /session [0-9a-f]{64}/.test(opened.shown), spent];
    },
    want: [false, false, 0, true, ['error[already-answered]: the question has ended before']] },
  { name: 'a handle opens nothing that a session\'s id opens',
    act: async (stage) => {
      const gate = await stage.gate();
      const { handle } = await gate.session();
      const got = [];
      for (const [path, body] of [[`/mcp/${handle}`, { jsonrpc: '2.0', id: 1, method: 'ping' }], [`/hook/${handle}/claude`, {}]]) got.push((await gate.send('POST', path, { body })).status);
      const call = { tool: 'Bash', input: { command: 'make all' } };
      got.push((await gate.send('POST', '/api/decide', { as: handle, body: call })).status, (await gate.send('POST', '/api/decide', { headers: { 'X-Tollgate-Session': handle }, body: call })).status);
      got.push((await gate.watch({ path: `/ws?session=${handle}` })).status);
      return got;
    },
    want: [404, 404, 401, 401, 404] },
  { name: 'a socket of a session hears of its own calls alone',
    act: async (stage) => {
      const gate = await stage.gate();
      const [own, other] = [await gate.session(), await gate.session()];
      const socket = await gate.watch({ path: `/ws?session=${own.id}` });
      const asked = await gate.asked(other);
      await gate.approve(asked.id);
      await asked.call.done;
      socket.say('agent', 'gate_request', { turnId: '1', callId: 'mine', tool: 'Bash', args: { command: 'make all' } });
      const decision = await socket.next('gate_decision');
      return [decision.data.callId, decision.data.verdict, socket.messages.map((each) => each.event)];
    },
    want: ['mine', 'allow', []] },
  { name: 'question flooding: 64 of a session, then deny; other sessions go on',
    act: async (stage) => {
      const gate = await stage.fresh();
      const [session, other] = [await gate.session('backend'), await gate.session('backend')];
      const calls = Array.from({ length: 64 }, (_, i) => gate.call(session, `npm install p${i}`));
      await questions(gate, calls.length);
      const above = await gate.call(session, 'npm install p64').said();
      const beside = await gate.asked(other);
      const free = await gate.verdict(session, 'make all');
      const open = (await gate.pending()).length;
      await gate.deny((await gate.pending())[0].permissionId);
      const room = await gate.asked(session, 'npm install p65');
      return [above.behavior, above.message.includes('64 questions'), beside.question.state, free, open, room.question.state];
    },
    want: ['deny', true, 'pending', 'allow', 65, 'pending'] },
  { name: 'question flooding: 256 of an agent, then deny; other agents go on',
    act: async (stage) => {
      const gate = await stage.fresh();
      const sessions = await Promise.all(Array.from({ length: 5 }, () => gate.session('backend')));
      const calls = Array.from({ length: 256 }, (_, i) => gate.call(sessions[i % 4], `npm install p${i}`));
      await questions(gate, calls.length);
      const above = await gate.call(sessions[4], 'npm install more').said();
      const beside = await gate.asked(await gate.session('frontend'));
      return [above.behavior, above.message.includes('256 questions'), beside.question.state];
    },
    want: ['deny', true, 'pending'] },
  { name: 'the same call again and again is one question',
    act: async (stage) => {
      const gate = await stage.fresh();
      const session = await gate.session();
      const calls = Array.from({ length: 100 }, () => gate.call(session, 'npm ci', { use: 'toolu_same' }));
      await Promise.all(calls.map((call) => call.alive()));
      const open = await questions(gate, 1);
      await gate.approve(open[0].permissionId);
      const said = new Set((await Promise.all(calls.map((call) => call.said()))).map((each) => each.behavior));
      return [open.length, [...said]];
    },
    want: [1, ['allow']] },
  { name: 'broken policy: the last good one holds, and /health and the log say so',
    act: async (stage) => {
      const gate = await stage.fresh();
      const session = await gate.session();
      const before = (await decide(gate, session)).verdict;
      gate.world.setPolicy(`${usual}nonsense: [\n`);
      const health = await until(async () => {
        const { json } = await gate.send('GET', '/health');
        return json.status !== 'ok' && json;
      }, 'the error on /health');
      const during = [(await decide(gate, session)).verdict, (await decide(gate, session, 'git push --force')).verdict];
      const logged = await until(() => /policy not taken over[^]*tollgate\.yaml:[0-9]+:[0-9]+: error/.test(gate.process.err), 'the error in the log');
      gate.world.setPolicy(usual);
      await until(async () => (await gate.send('GET', '/health')).json.status === 'ok', 'a good policy');
      return [before, health.status, health.policyErrors.length > 0, logged, ...during, (await decide(gate, session)).verdict];
    },
    want: ['allow', 'policy-error', true, true, 'allow', 'deny', 'allow'] },
  { name: 'broken policy: a directory that is asked about for the first time meanwhile is denied',
    act: async (stage) => {
      const gate = await stage.fresh();
      gate.world.setPolicy('version: 99\n');
      await until(async () => (await gate.send('GET', '/health')).json.status !== 'ok', 'the error on /health');
      fs.mkdirSync(`${gate.world.work}/new`);
      return (await decide(gate, await gate.session('backend', { cwd: `${gate.world.work}/new` }))).verdict;
    },
    want: 'deny' },
  { name: 'broken policy: a file that is gone keeps the last good one',
    act: async (stage) => {
      const gate = await stage.fresh();
      const session = await gate.session();
      const before = (await decide(gate, session)).verdict;
      fs.rmSync(gate.world.policy);
      await until(async () => (await gate.send('GET', '/health')).json.status !== 'ok', 'the error on /health');
      return [before, (await decide(gate, session)).verdict, (await decide(gate, session, 'git push --force')).verdict];
    },
    want: ['allow', 'allow', 'deny'] },
  { name: 'broken policy: a file that others may write is not taken over',
    act: async (stage) => {
      const gate = await stage.fresh();
      const session = await gate.session();
      const before = (await decide(gate, session, 'npm ci')).verdict;
      fs.writeFileSync(gate.world.policy, usual.replace('Bash(make *)', 'Bash(npm *)'));
      fs.chmodSync(gate.world.policy, 0o666);
      await until(async () => (await gate.send('GET', '/health')).json.status !== 'ok', 'the error on /health');
      return [before, (await decide(gate, session, 'npm ci')).verdict];
    },
    want: ['ask', 'ask'] },
  { name: 'a daemon does not start with a broken policy',
    act: async (stage) => {
      const world = stage.world({ policy: 'version: 99\n' });
      const { status } = await world.run(`${world.bin}/tollgate`, ['serve', '--listen', '127.0.0.1:0', '--data', world.data, '--config', world.policy]);
      return status !== 0;
    },
    want: true },
  { name: 'a store that cannot be written: everything is denied, the daemon stays, and goes on when it can',
    act: async (stage) => {
      const gate = await stage.fresh();
      const session = await gate.session();
      const { id } = await gate.asked(session);
      // Somebody else holds the database; whoever wants to write waits, and is refused in the end.
      const holder = gate.world.start('python3', ['-c', 'import sqlite3, sys\nc = sqlite3.connect(sys.argv[1], isolation_level=None)\nc.execute("BEGIN IMMEDIATE")\nprint("held", flush=True)\nsys.stdin.read()', `${gate.world.data}/tollgate.db`]);
      const held = await Promise.race([until(() => holder.out.includes('held'), 'the lock'), holder.ended]);
      if (held !== true) return 'python3 with sqlite3 is not there';
      const during = [(await gate.verdict(session, 'make all')).slice(0, 4), (await gate.approve(id)).status, (await gate.send('GET', '/health')).status];
      holder.stdin.end();
      await holder.ended;
      const after = await until(async () => (await gate.verdict(session, 'make all')) === 'allow' && 'allow', 'a store that can be written');
      return [...during, after, (await gate.permission(id)).state];
    },
    want: ['deny', 503, 200, 'allow', 'pending'] },
  { name: 'a second daemon on the same data is refused',
    act: async (stage) => {
      const gate = await stage.fresh();
      const { world } = gate;
      const second = await world.run(`${world.bin}/tollgate`, ['serve', '--listen', '127.0.0.1:0', '--data', world.data, '--config', world.policy]);
      return [second.status !== 0, (await gate.send('GET', '/health', { on: gate.socket })).status];
    },
    want: [true, 200] },
  { name: 'without a credential /health tells a local caller no more than counts',
    act: async (stage) => {
      const gate = await stage.gate();
      return Object.keys((await gate.send('GET', '/health')).json).sort();
    },
    want: ['connections', 'openFiles', 'pending', 'policyErrors', 'status', 'uptimeMs', 'version'] },
];
