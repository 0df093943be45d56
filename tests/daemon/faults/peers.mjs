// Whoever is at the other end hangs, writes half a line, or holds what the daemon needs.
import fs from 'node:fs';

import { Agent, all, isSanitized, verdicts } from '../lib/faults.mjs';
import { until } from '../lib/world.mjs';

const payload = (world, command) => JSON.stringify({ session_id: 'client-1', cwd: world.work, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command }, tool_use_id: 'toolu_h' });
const hook = (world, command, ...more) => world.run(`${world.bin}/tollgate-hook`, ['claude', '--config', world.policy, '--agent', 'backend', '--data', world.data, ...more], { input: payload(world, command) });
const verdictOf = ({ out }) => (out === '' ? 'none' : JSON.parse(out).hookSpecificOutput.permissionDecision);

// A program that does this to the store, and holds it until it is let go.
const locking = async (world, ...statements) => {
  const script = 'import sqlite3, sys\nc = sqlite3.connect(sys.argv[1], isolation_level=None)\nfor each in sys.argv[2:]: c.execute(each)\nprint("held", flush=True)\nsys.stdin.read()';
  const holder = world.start('python3', ['-c', script, `${world.data}/tollgate.db`, ...statements]);
  await Promise.race([until(() => holder.out.includes('held'), 'the lock'), holder.ended]);
  return holder.out.includes('held') ? holder : { reason: `python3 with sqlite3 is not there: ${holder.err}` };
};
const letGo = (holder) => { holder.stdin.end(); return holder.ended; };

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
      // A sanitizer keeps what was freed for a while.
      const most = (isSanitized(gate.world.bin) ? 512 : 64) * 1024;
      return [hung.status, heard, grown < most, await agent.sound()];
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
  { name: 'another program that locks the open database: calls are denied with the reason, answers refused, and both go on when it ends',
    act: async (stage) => {
      const gate = await stage.fresh();
      const agent = new Agent(gate, await gate.session());
      await agent.asks(1);
      const { call, id } = await gate.asked(agent.session);
      const holder = await locking(gate.world, 'BEGIN EXCLUSIVE');
      if (holder.reason) return holder.reason;
      const begun = Date.now();
      const during = await agent.asks(1);
      const took = Date.now() - begun;
      const refused = (await gate.approve(id)).status;
      await letGo(holder);
      await agent.recovers();
      await agent.asks(1);
      const approved = await until(async () => (await gate.approve(id)).status === 200 && 'approved', 'the answer');
      return [verdicts(during), during.every(({ message }) => /could not be recorded/.test(message)), took < 30_000, refused, approved, (await call.said()).behavior, await agent.sound()];
    },
    want: [['deny'], true, true, 503, 'approved', 'allow', all] },
  { name: 'another program that holds the whole database: the daemon does not start on it and says why, and starts when it is let go',
    act: async (stage) => {
      const gate = await stage.fresh();
      const { world } = gate;
      const session = await gate.session();
      await gate.stop();
      const holder = await locking(world, 'PRAGMA locking_mode = EXCLUSIVE', 'BEGIN EXCLUSIVE');
      if (holder.reason) return holder.reason;
      const { status, err } = await world.run(`${world.bin}/tollgate`, ['serve', '--listen', '127.0.0.1:0', '--data', world.data, '--config', world.policy]);
      await letGo(holder);
      await gate.run();
      return [status, /locked/.test(err), await gate.verdict(session, 'make all')];
    },
    want: [1, true, 'allow'] },
];
