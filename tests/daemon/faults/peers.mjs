// Whoever is at the other end hangs, writes half a line, or holds what the daemon needs.
import fs from 'node:fs';

import { Agent, all } from '../lib/faults.mjs';
import { until } from '../lib/world.mjs';

const payload = (world, command) => JSON.stringify({ session_id: 'client-1', cwd: world.work, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command }, tool_use_id: 'toolu_h' });
const hook = (world, command, ...more) => world.run(`${world.bin}/tollgate-hook`, ['claude', '--config', world.policy, '--agent', 'backend', '--data', world.data, ...more], { input: payload(world, command) });
const verdictOf = ({ out }) => (out === '' ? 'none' : JSON.parse(out).hookSpecificOutput.permissionDecision);

export const rows = [
  { name: 'an approver whose socket takes nothing any more: others hear and answer as before, and memory stays',
    act: async (stage) => {
      const gate = await stage.fresh();
      const session = await gate.session();
      const agent = new Agent(gate, session);
      const hung = await gate.watch({ headers: { Authorization: `Bearer ${gate.ann}` } });
      const awake = await gate.watch({ headers: { Authorization: `Bearer ${gate.bob}` } });
      hung.socket.pause();
      const before = Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${gate.pid}/status`, 'utf8'))[1]);
      for (let i = 0; i < 150; ++i) {
        const { call, id } = await gate.asked(session, `npm install ${'long-'.repeat(4_000)}${i}`);
        await gate[i % 2 === 0 ? 'approve' : 'deny'](id, {}, gate.bob);
        await call.said();
      }
      const heard = awake.messages.filter(({ channel, event }) => channel === 'permission' && event === 'created').length;
      const grown = Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${gate.pid}/status`, 'utf8'))[1]) - before;
      await agent.asks(2);
      awake.close();
      hung.close();
      return [hung.status, heard, grown < 64 * 1024, await agent.sound()];
    },
    want: [101, 150, true, all] },
  { name: 'a daemon that hangs: the hook blocks before its client\'s timer, and is answered when it goes on',
    act: async (stage) => {
      const gate = await stage.fresh();
      process.kill(gate.pid, 'SIGSTOP');
      const during = await hook(gate.world, 'npm ci', '--timeout', '4');
      process.kill(gate.pid, 'SIGCONT');
      const waiting = hook(gate.world, 'npm ci again');
      const { permissionId } = await until(async () => (await gate.pending()).find((each) => each.toolInput.command === 'npm ci again'), 'the question');
      await gate.approve(permissionId);
      return [during.out === '' ? during.status === 2 : verdictOf(during) === 'deny', `${during.out}${during.err}` !== '', verdictOf(await waiting)];
    },
    want: [true, true, 'allow'] },
  { name: 'a torn line in the spool: it is told of, and every whole line before and behind it is taken in once',
    act: async (stage) => {
      const gate = await stage.fresh();
      const { world } = gate;
      const spool = `${world.data}/spool.jsonseq`;
      const said = [verdictOf(await hook(world, 'make before'))];
      const whole = fs.readFileSync(spool);
      fs.appendFileSync(spool, whole.subarray(0, whole.length / 2));   // as a hook leaves it that was killed
      said.push(verdictOf(await hook(world, 'make behind')));
      const rows = await until(async () => {
        const found = await gate.audit();
        return found.some(({ record }) => record.call?.input.command === 'make behind') && found;
      }, 'the spool');
      await gate.stop('SIGKILL');
      fs.appendFileSync(spool, whole.subarray(0, 40));
      await gate.run();
      await hook(world, 'make last');
      const later = await until(async () => {
        const found = await gate.audit();
        return found.some(({ record }) => record.call?.input.command === 'make last') && found;
      }, 'the spool after the start');
      const times = (list, command) => list.filter(({ record }) => record.call?.input.command === command).length;
      return [said, rows.filter(({ kind, record }) => kind === 'spool' && record.torn).length, ['make before', 'make behind', 'make last'].map((command) => times(later, command)), later.filter(({ kind, record }) => kind === 'spool' && record.torn).length];
    },
    want: [['allow', 'allow'], 1, [1, 1, 1], 2] },
  { name: 'another program that holds the whole database: the daemon does not start on it and says why, and starts when it is let go',
    act: async (stage) => {
      const gate = await stage.fresh();
      const { world } = gate;
      const session = await gate.session();
      await gate.stop();
      const holder = world.start('python3', ['-c', 'import sqlite3, sys\nc = sqlite3.connect(sys.argv[1], isolation_level=None)\nc.execute("PRAGMA locking_mode = EXCLUSIVE")\nc.execute("BEGIN EXCLUSIVE")\nprint("held", flush=True)\nsys.stdin.read()', `${world.data}/tollgate.db`]);
      await Promise.race([until(() => holder.out.includes('held'), 'the lock'), holder.ended]);
      if (!holder.out.includes('held')) return `python3 with sqlite3 is not there: ${holder.err}`;
      const { status, err } = await world.run(`${world.bin}/tollgate`, ['serve', '--listen', '127.0.0.1:0', '--data', world.data, '--config', world.policy]);
      holder.stdin.end();
      await holder.ended;
      await gate.run();
      return [status, /locked/.test(err), await gate.verdict(session, 'make all')];
    },
    want: [1, true, 'allow'] },
];
