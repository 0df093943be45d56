// A daemon under everything at once for minutes, or killed again and again under a thousand questions.
//
// run.mjs [--bin DIR] [--minutes N]      agents, people and strangers; its memory, and its record against what it said
// run.mjs [--bin DIR] --kill [--rounds N] [--questions N]
// It ends with a table for docs/reliability.md and with `N passed, N failed`. Each worker is a row in agents.mjs,
// people.mjs or strangers.mjs. SAFETY: what is held at the end is what clients were told, not what the daemon says of itself.
import fs from 'node:fs';
import path from 'node:path';

import { rounds, wanted } from '../daemon/killed.mjs';
import { difference, needPrograms, root, start } from '../daemon/lib/runner.mjs';
import { Stage } from '../daemon/lib/stage.mjs';
import { agents } from './agents.mjs';
import { Ledger, wrong } from './ledger.mjs';
import { people } from './people.mjs';
import { strangers } from './strangers.mjs';

const options = { bin: `${root}/build/release/bin`, minutes: 15, rounds: 200, questions: 1_000, kill: false, pace: 20 };
for (const words = process.argv.slice(2); words.length > 0;) {
  const name = words.shift().slice(2);
  if (!Object.hasOwn(options, name)) throw new Error(`unknown word \`--${name}\``);
  options[name] = name === 'kill' ? true : name === 'bin' ? path.resolve(words.shift()) : Number(words.shift());
}

const stage = new Stage(options);
const line = (...cells) => console.log(`| ${cells.join(' | ')} |`);

// Ends with the counts that ./dev reads.
function verdict(failure) {
  if (failure !== '') console.log(failure);
  console.log(failure === '' ? '1 passed, 0 failed' : '0 passed, 1 failed');
  process.exitCode = failure === '' ? 0 : 1;
}

async function killing() {
  const times = [];
  const found = await rounds(stage, options.questions, options.rounds, ({ round, seed, seconds }) => {
    times.push(seconds);
    console.log(`round ${round + 1}, seed ${seed}: ${seconds.toFixed(1)} s`);
  });
  line('rounds', 'kills', 'questions', 'minutes');
  line('---:', '---:', '---:', '---:');
  line(times.length, times.length * 5, times.length * options.questions, (times.reduce((sum, each) => sum + each, 0) / 60).toFixed(0));
  verdict(difference(found, wanted));
}

// --- a daemon under everything -------------------------------------------------------------------

const kilobytes = (pid, name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);
const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

class Soak {
  over = false;
  ledger = new Ledger();
  samples = [];

  constructor(gate, { minutes, pace }) { Object.assign(this, { gate, minutes, pace }); }
  random() { return Math.random(); }
  one(list) { return list[Math.floor(this.random() * list.length)]; }
  // People stay until nobody waits any more.
  done() { return this.over && this.agentsLeft === 0; }

  // A worker that fails is begun again; that a connection breaks is part of it.
  async work(worker, ended = () => {}) {
    while (!this.done()) {
      try {
        await worker(this);
        break;
      } catch (error) {
        this.ledger.count(`broken off: ${error.code ?? String(error.message).slice(0, 60)}`);
        if (this.over) break;
        await new Promise((go) => setTimeout(go, 100));
      }
    }
    ended();
  }

  async run() {
    const all = (rows, ended) => rows.flatMap(([count, worker]) => Array.from({ length: count }, () => this.work(worker, ended)));
    this.agentsLeft = agents.reduce((sum, [count]) => sum + count, 0);
    const working = [...all(agents, () => { --this.agentsLeft; }), ...all(people), ...all(strangers)];
    const end = Date.now() + this.minutes * 60_000;
    const step = Math.max(1_000, this.minutes * 60_000 / 60);
    while (Date.now() < end) {
      await new Promise((go) => setTimeout(go, Math.min(step, Math.max(0, end - Date.now()))));
      await this.sample();
    }
    this.over = true;
    await Promise.all(working);
  }

  // How far the index of words is behind is asked for as a page does; a daemon that has no time for it is asked again.
  async sample() {
    const { pid } = this.gate;
    const lag = (await this.gate.send('GET', '/api/record', { as: this.gate.ann }).catch(() => undefined))?.json?.words?.lagMs;
    this.samples.push({ lag, resident: kilobytes(pid, 'VmRSS') / 1024, files: fs.readdirSync(`/proc/${pid}/fd`).length, threads: kilobytes(pid, 'Threads') });
  }

  // Of the middle and of the last third: what it took at first is its caches and its threads.
  memory() {
    const third = Math.floor(this.samples.length / 3);
    const of = (from) => median(this.samples.slice(from, from + third).map(({ resident }) => resident));
    return { first: this.samples[0].resident, middle: of(third), last: of(2 * third), most: Math.max(...this.samples.map(({ resident }) => resident)) };
  }
}

async function soaking() {
  const gate = await stage.fresh();
  const { pid } = gate;
  const before = fs.readdirSync(`/proc/${pid}/fd`).length;
  const soak = new Soak(gate, options);
  await soak.run();
  gate.place = '127.0.0.1';
  const { records, found } = await soak.ledger.held(gate);
  const memory = soak.memory();
  const left = { pending: (await gate.pending()).length, files: fs.readdirSync(`/proc/${pid}/fd`).length - before };
  line('what', 'how often');
  line('---', '---:');
  for (const [name, times] of [...soak.ledger.counts].sort()) line(name, times.toLocaleString('en'));
  line('records', records.toLocaleString('en'));
  console.log('');
  line('resident memory, MB', ...Object.keys(memory));
  line('---', ...Object.keys(memory).map(() => '---:'));
  line('', ...Object.values(memory).map((each) => each.toFixed(1)));
  console.log(`\nseries, MB: ${soak.samples.map(({ resident }) => resident.toFixed(0)).join(' ')}`);
  const lags = soak.samples.flatMap(({ lag }) => (lag === undefined ? [] : [lag]));
  console.log(`the index of words was behind by at most ${Math.max(...lags)} ms, asked ${lags.length} times`);
  console.log(`descriptors beyond those at the start: ${left.files}; questions still open: ${left.pending}\n`);
  // LIMIT: a tenth and 8 MB, which is what the store's page caches and the allocator move by.
  const flat = memory.last <= memory.middle * 1.1 + 8;
  const failures = [wrong(found), flat ? '' : `memory grew: ${JSON.stringify(memory)}`, gate.process.exitCode === null ? '' : 'the daemon ended',
    difference({ pending: left.pending, files: left.files < 16, words: lags.length > 0 && Math.max(...lags) < 2_000 }, { pending: 0, files: true, words: true })];
  verdict(failures.filter((each) => each !== '').join('\n'));
}

async function main() {
  needPrograms(options.bin, 'tollgate', 'tollgate-hook');
  try {
    await (options.kill ? killing() : soaking());
  } finally {
    await stage.close();
  }
}

start(main);
