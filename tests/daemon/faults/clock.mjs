// A clock that steps: a library in front of the system's adds what a file says to the time of day.
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';

import { Daemon } from '../lib/daemon.mjs';
import { Agent, all, isSanitized, verdicts } from '../lib/faults.mjs';
import { bin } from '../lib/programs.mjs';
import { until, usual } from '../lib/world.mjs';

const source = `#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
static long shift(void) {
  char text[32] = {0};
  const int file = open(getenv("TEST_CLOCK"), O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const long got = read(file, text, sizeof text - 1);
  close(file);
  return got > 0 ? atol(text) : 0;
}
int clock_gettime(clockid_t clock, struct timespec* now) {
  static int (*real)(clockid_t, struct timespec*);
  if (!real) real = (int (*)(clockid_t, struct timespec*))dlsym(RTLD_NEXT, "clock_gettime");
  const int done = real(clock, now);
  if (done == 0 && clock == CLOCK_REALTIME) now->tv_sec += shift();
  return done;
}
`;
const compiler = ['cc', 'gcc', 'clang'].find((name) => spawnSync(name, ['--version']).status === 0);
const reason = compiler === undefined ? 'there is no compiler for the clock' : isSanitized(bin) ? { elsewhere: 'a sanitizer wants to be the first library' } : undefined;

async function gateWithClock(stage, policy) {
  const world = stage.world({ policy });
  const library = `${world.dir}/clock.so`, clock = `${world.dir}/clock`;
  fs.writeFileSync(`${library}.c`, source);
  execFileSync(compiler, ['-shared', '-fPIC', '-O1', '-o', library, `${library}.c`, '-ldl']);
  fs.writeFileSync(clock, '0');
  const gate = stage.last = await Daemon.start(world, { env: { LD_PRELOAD: library, TEST_CLOCK: clock } });
  return { gate, step: (seconds) => fs.writeFileSync(clock, String(seconds)) };
}

const hour = 3600;
const timed = usual.replace('permissionTimeout: 0', 'permissionTimeout: 1h');

export const rows = [
  { name: 'a clock that steps forward: what is open stays open and can be answered, and nothing is allowed by it', skip: reason,
    act: async (stage) => {
      const { gate, step } = await gateWithClock(stage, timed);
      const agent = new Agent(gate, await gate.session());
      await agent.asks(1);
      const { call, id } = await gate.asked(agent.session);
      step(2 * hour);
      await agent.asks(2);
      const waited = await Promise.race([call.said(), new Promise((go) => setTimeout(() => go('waits'), 3_000))]);
      const { status } = await gate.approve(id);
      return [waited, status, (await call.said()).behavior, await agent.sound()];
    },
    want: ['waits', 200, 'allow', all] },
  { name: 'a clock that steps back: what is open stays open and can be answered, and the record stays in its order', skip: reason,
    act: async (stage) => {
      const { gate, step } = await gateWithClock(stage, timed);
      const agent = new Agent(gate, await gate.session());
      await agent.asks(1);
      const { call, id } = await gate.asked(agent.session);
      step(-48 * hour);
      await agent.asks(2);
      const open = (await gate.permission(id)).state;
      await gate.approve(id);
      const said = await call.said();
      const numbers = (await gate.audit()).map((row) => row.number);
      return [open, said.behavior, numbers.every((number, i) => i === 0 || number > numbers[i - 1]), await agent.sound()];
    },
    want: ['pending', 'allow', true, all] },
  { name: 'a clock that steps forward and back again: calls go on as if nothing had been, and a question has its whole time', skip: reason,
    act: async (stage) => {
      const { gate, step } = await gateWithClock(stage, timed);
      const agent = new Agent(gate, await gate.session());
      let steps = 0;
      await agent.asks(2);
      for (const seconds of [6 * hour, -hour, 0]) {
        step(seconds);
        await agent.asks(2);
        steps = await until(async () => { const { length } = await gate.audit('&kind=clock'); return length > steps && length; }, 'the step');
      }
      const { call, id } = await gate.asked(agent.session);
      await agent.asks(2);
      const open = (await gate.permission(id)).state;
      await gate.approve(id);
      return [verdicts(agent.told), open, (await call.said()).behavior, await agent.sound()];
    },
    want: [['allow', 'deny'], 'pending', 'allow', all] },
  { name: 'a clock that steps forward and back again: heads of the record go on', skip: reason,
    act: async (stage) => {
      const heads = `${stage.world().dir}/heads`;
      const { gate, step } = await gateWithClock(stage, usual.replace('settings: {', `settings: {anchor: {journal: false, file: ${heads}, every: 1s}, `));
      const lines = () => (fs.existsSync(heads) ? fs.readFileSync(heads, 'utf8').split('\n').length : 0);
      const session = await gate.session();
      for (const seconds of [6 * hour, 0]) {
        const before = lines();
        step(seconds);
        await until(async () => (await gate.audit('&kind=clock')).length > 0 && lines() > before, 'a head');
      }
      const before = lines();
      await gate.verdict(session, 'make all');
      await until(() => lines() > before, 'a head after all');
      return gate.verdict(session, 'make all');
    },
    want: 'allow' },
  { name: 'a clock that steps forward by more than `retention`: no record is old by it', skip: reason,
    act: async (stage) => {
      const heads = `${stage.world().dir}/heads`;
      const { gate, step } = await gateWithClock(stage, usual.replace('settings: {', `settings: {retention: 7d, anchor: {journal: false, file: ${heads}, every: 1s}, `));
      const session = await gate.session();
      // Rows go in whole spans of 256.
      for (let i = 0; i < 520; i += 40) await Promise.all(Array.from({ length: 40 }, (_, j) => gate.verdict(session, `make n-${i + j}`)));
      const lines = () => (fs.existsSync(heads) ? fs.readFileSync(heads, 'utf8').split('\n').length : 0);
      step(400 * 24 * hour);
      await until(async () => (await gate.audit('&kind=clock')).length > 0, 'the step');
      // Heads and removals have their turn together.
      for (let i = 0; i < 3; ++i) {
        const before = lines();
        await gate.verdict(await gate.session(), `make later-${i}`);   // the first one is over by that clock
        await until(() => lines() > before, 'a head');
      }
      const { first } = (await gate.send('GET', '/api/record', { as: gate.ann })).json;
      return [first, (await gate.audit('&kind=retention')).length];
    },
    want: [1, 0] },
];
