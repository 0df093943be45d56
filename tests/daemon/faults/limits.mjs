// No descriptors and no memory left: the limits of a process that runs are moved by prlimit.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';

import { Agent, all, isSanitized } from '../lib/faults.mjs';
import { bin } from '../lib/programs.mjs';

const limit = (gate, what, value) => {
  const { status, stderr } = spawnSync('prlimit', ['--pid', String(gate.pid), `--${what}=${value}:`], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
};
const limitOf = (gate, what) => spawnSync('prlimit', ['--pid', String(gate.pid), `--${what}`, '-o', 'SOFT', '--noheadings'], { encoding: 'utf8' }).stdout.trim();
const kilobytes = (gate, name) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(fs.readFileSync(`/proc/${gate.pid}/status`, 'utf8'))[1]);
const processorTime = (gate) => fs.readFileSync(`/proc/${gate.pid}/stat`, 'utf8').split(') ')[1].split(' ').slice(11, 13).reduce((sum, ticks) => sum + Number(ticks), 0);

// As many calls at once as make it open more files than it may.
const burst = (agent, count) => Promise.all(Array.from({ length: count }, async (_, i) => {
  const command = i % 2 === 0 ? `make burst-${i}-${agent.told.length}` : 'git push --force origin';
  agent.told.push({ command, ...await agent.one(command) });
}));

export const rows = [
  { name: 'no descriptor is left: calls wait, are refused or are judged, the daemon stays, and goes on when there are some',
    act: async (stage) => {
      const gate = await stage.fresh();
      const agent = new Agent(gate, await gate.session());
      await agent.asks(2);
      const before = limitOf(gate, 'nofile');
      const open = fs.readdirSync(`/proc/${gate.pid}/fd`).length;
      limit(gate, 'nofile', open + 3);
      const calls = burst(agent, 60);
      const began = processorTime(gate);
      await Promise.race([calls, new Promise((go) => setTimeout(go, 2_000))]);
      const used = processorTime(gate) - began;
      limit(gate, 'nofile', before);
      await calls;
      await agent.recovers();
      return [used < 150, await agent.sound()];   // of 200 hundredths of a second: it does not turn in circles
    },
    want: [true, all] },
  { name: 'no descriptor is left at all: connections that are open are still answered, soundly',
    act: async (stage) => {
      const gate = await stage.fresh();
      const session = await gate.session();
      const agent = new Agent(gate, session);
      const socket = await gate.watch({ path: `/ws?session=${session.id}` });
      const before = limitOf(gate, 'nofile');
      limit(gate, 'nofile', 3);   // fewer than it has
      const said = [];
      for (const [callId, command] of [['a', 'make one'], ['b', 'git push --force origin']]) {
        socket.say('agent', 'gate_request', { turnId: '1', callId, tool: 'Bash', args: { command } });
        const { verdict, reason } = (await socket.next('gate_decision')).data;
        said.push(verdict);
        agent.told.push({ command, behavior: verdict, message: reason ?? '' });
      }
      limit(gate, 'nofile', before);
      await agent.recovers();
      return [said[1], await agent.sound()];
    },
    want: ['deny', all] },
  { name: 'no memory in a request: it is refused or denied, nothing else is touched, and it goes on',
    skip: isSanitized(bin) ? { elsewhere: 'a sanitizer takes more addresses than a limit leaves' } : undefined,
    act: async (stage) => {
      const gate = await stage.fresh();
      const agent = new Agent(gate, await gate.session());
      await agent.asks(2);
      const { id } = await gate.asked(agent.session);
      const before = limitOf(gate, 'as');
      limit(gate, 'as', (kilobytes(gate, 'VmSize') + 6 * 1024) * 1024);
      // So long a command is asked about where there is memory for it.
      const decide = (command) => gate.send('POST', '/api/decide', { as: agent.session.id, body: { tool: 'Bash', input: { command } } })
        .then(({ status, json }) => json?.verdict ?? status, (error) => error.code);
      const said = await Promise.all(Array.from({ length: 24 }, (_, i) => decide(`make ${'x'.repeat(800_000)} ${i}`)));
      await agent.asks(2);
      limit(gate, 'as', before);
      await agent.recovers();
      return [gate.process.exitCode, said.includes('allow'), said.some((each) => each !== 'ask'), (await gate.permission(id)).state, await agent.sound()];
    },
    want: [null, false, true, 'pending', all] },
];
