// A disk that is full, that may not be written, and a store that is damaged.
import fs from 'node:fs';

import { Daemon } from '../lib/daemon.mjs';
import { Agent, all, bound, cannotMount, onSmallDisk, verdicts } from '../lib/faults.mjs';

// Fills the disk of the daemon to the last byte; gives how to make room again.
function fill(gate) {
  const name = `/proc/${gate.pid}/root${gate.world.data}/filler`;
  const file = fs.openSync(name, 'w');
  for (const size of [1 << 16, 1 << 12, 1]) {
    try {
      for (;;) fs.writeSync(file, Buffer.alloc(size));
    } catch { /* that much does not fit any more */ }
  }
  fs.closeSync(file);
  return () => fs.rmSync(name);
}

const hook = async (world, command, under = bound) => {
  const payload = { session_id: 'client-1', cwd: world.work, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command }, tool_use_id: 'toolu_h' };
  const [file, ...words] = [...under, `${world.bin}/tollgate-hook`, 'claude', '--config', world.policy, '--agent', 'backend', '--data', world.data];
  const { status, out, err } = await world.run(file, words, { input: JSON.stringify(payload) });
  return { verdict: out === '' ? `blocked ${status}` : JSON.parse(out).hookSpecificOutput.permissionDecision, why: `${out}${err}` };
};

export const rows = [
  { name: 'a full disk: what cannot be recorded is denied and says why, what was answered is kept, and it goes on when there is room', skip: cannotMount,
    act: async (stage) => {
      const world = stage.world();
      const gate = stage.last = await Daemon.start(world, { under: onSmallDisk(world.data, '3m') });
      const agent = new Agent(gate, await gate.session());
      const { id } = await gate.asked(agent.session);
      await agent.asks(3);
      const makeRoom = fill(gate);
      const during = await agent.asks(40);
      const answered = await gate.approve(id);
      const health = (await gate.send('GET', '/health')).status;
      makeRoom();
      await agent.recovers();
      const state = answered.status === 200 ? 'approved' : 'pending';
      return [during.some(({ message }) => /could not be recorded.*full/.test(message)), during.at(-2).behavior, (await gate.permission(id)).state === state, health, await agent.sound()];
    },
    want: [true, 'deny', true, 200, all] },
  { name: 'a full disk: the hook blocks with the reason', skip: cannotMount,
    act: async (stage) => {
      const world = stage.world();
      const full = [...onSmallDisk(world.data, '64k'), 'sh', '-c', 'dd if=/dev/zero of="$0/filler" bs=4k status=none; exec "$@"', world.data];
      const { verdict, why } = await hook(world, 'make all', full);
      return [verdict, /no space left on the device/.test(why), (await hook(world, 'make all')).verdict];
    },
    want: ['deny', true, 'allow'] },
  { name: 'a directory that cannot be written: the daemon does not start and says why, and starts when it can be',
    act: async (stage) => {
      const world = stage.world();
      fs.mkdirSync(world.data, { mode: 0o500 });
      const [file, ...words] = [...bound, `${world.bin}/tollgate`, 'serve', '--listen', '127.0.0.1:0', '--data', world.data, '--config', world.policy];
      const { status, err } = await world.run(file, words);
      fs.chmodSync(world.data, 0o700);
      const gate = await Daemon.start(world, { under: bound });
      return [status, /permission denied/.test(err), await gate.verdict(await gate.session(), 'make all')];
    },
    want: [1, true, 'allow'] },
  { name: 'a directory that becomes read-only under the daemon: what is allowed is recorded, and hooks block',
    act: async (stage) => {
      const world = stage.world();
      const gate = stage.last = await Daemon.start(world, { under: bound });
      const agent = new Agent(gate, await gate.session());
      const before = (await hook(world, 'make all')).verdict;
      fs.chmodSync(world.data, 0o500);
      fs.chmodSync(`${world.data}/spool.jsonseq`, 0o400);
      await agent.asks(5);
      const { verdict, why } = await hook(world, 'make all');
      fs.chmodSync(world.data, 0o700);
      fs.chmodSync(`${world.data}/spool.jsonseq`, 0o600);
      await agent.recovers();
      return [before, verdict, /permission denied/.test(why), (await hook(world, 'make all')).verdict, await agent.sound()];
    },
    want: ['allow', 'deny', true, 'allow', all] },
  { name: 'a store that becomes damaged: nothing is lost that was said to be recorded, and it goes on when the bytes are good again',
    act: async (stage) => {
      const gate = await stage.fresh();
      const agent = new Agent(gate, await gate.session());
      await agent.asks(20);
      await gate.stop();   // everything is in the one file
      await gate.run();
      const file = `${gate.world.data}/tollgate.db`, good = fs.readFileSync(file);
      const overwrite = (bytes) => { const open = fs.openSync(file, 'r+'); fs.writeSync(open, bytes, 0, bytes.length, 0); fs.closeSync(open); };
      overwrite(Buffer.from(good.map((byte, i) => (i < 4096 || i % 4096 > 64 ? byte : 0x7f))));
      const during = await agent.asks(10);
      const search = (await gate.send('GET', '/api/audit?grep=nothing', { as: gate.ann })).status;
      overwrite(good);
      await agent.recovers();
      return [verdicts(during).every((each) => each !== 'none'), search, await agent.sound()];
    },
    want: [true, 503, all] },
  { name: 'a store that is damaged at the start: the daemon does not start on it and says so, hooks go on, a copy mends it',
    act: async (stage) => {
      const gate = await stage.fresh();
      const { world } = gate;
      const agent = new Agent(gate, await gate.session());
      await agent.asks(2);
      const db = (...words) => world.run(`${world.bin}/tollgate`, ['db', ...words, '--data', world.data]);
      await db('backup', `${world.dir}/copy.db`);
      await gate.stop();
      fs.writeFileSync(`${world.data}/tollgate.db`, 'these bytes are no database, and nothing will make them one');
      const { status, err } = await world.run(`${world.bin}/tollgate`, ['serve', '--listen', '127.0.0.1:0', '--data', world.data, '--config', world.policy]);
      const hooked = (await hook(world, 'make all')).verdict;
      const restored = (await db('restore', `${world.dir}/copy.db`, '--yes')).status;
      await gate.run();
      await agent.recovers();
      return [status, /put back a good copy/.test(err), hooked, restored, await agent.sound()];
    },
    want: [1, true, 'allow', 0, all] },
];
