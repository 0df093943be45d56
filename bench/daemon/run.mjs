// Measures the daemon: what a permission call costs, and what questions cost while they wait.
// Usage: node bench/daemon/run.mjs --bin DIR [--peer FOLDER] [--seconds N] [--waiting N]
//   --peer  where npm has the official TypeScript SDK; its server does the same work in the same run
// wrk makes the load. CPU is user and system time of the server's process, all threads.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { Daemon } from '../../tests/daemon/lib/daemon.mjs';
import { World, until } from '../../tests/daemon/lib/world.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
// The one program that holds all the agents' streams pauses for 4 to 10 ms to collect what it no longer needs: with
// room enough it does so before answers are timed, and not while.
const room = ['--min-semi-space-size=512', '--max-semi-space-size=512', '--expose-gc'];
if (globalThis.gc === undefined) {
  const { status } = spawnSync(process.execPath, [...room, fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' });
  process.exit(status ?? 1);
}
const options = { bin: 'build/release/bin', peer: '', seconds: '8', waiting: '10000' };
for (let i = 2; i < process.argv.length; i += 2) options[process.argv[i].slice(2)] = process.argv[i + 1];
const bin = path.resolve(options.bin);

// Processor time of a process so far, in microseconds.
function cpu(pid) {
  const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

const resident = (pid) => Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;

// 64 connections that send one call after another.
function load(url, pid) {
  const before = cpu(pid);
  const wrk = spawnSync('wrk', ['-t1', '-c64', `-d${options.seconds}s`, '--latency', '-s', path.join(here, 'call.lua'), url], { encoding: 'utf8' });
  if (wrk.status !== 0) throw new Error(`wrk: ${wrk.stderr ?? wrk.error}`);
  const used = cpu(pid) - before;
  const requests = Number(/(\d+) requests in/.exec(wrk.stdout)[1]);
  if (/Non-2xx/.test(wrk.stdout)) throw new Error(wrk.stdout);
  if (!/not allowed: 0$/m.test(wrk.stdout)) throw new Error(wrk.stdout);
  const at = (share) => new RegExp(`^ +${share}% +(\\S+)`, 'm').exec(wrk.stdout)[1];
  return { perSecond: Math.round(requests / Number(options.seconds)), cpu: (used / requests).toFixed(1), p50: at(50), p99: at(99) };
}

const row = (name, figures) => console.log(`${name.padEnd(34)} ${String(figures.perSecond).padStart(8)}/s  ${figures.cpu.padStart(8)} us CPU  p50 ${figures.p50}  p99 ${figures.p99}`);

async function calls() {
  const world = new World({ bin });
  try {
    const daemon = await Daemon.start(world);
    const session = await daemon.session();
    row('tollgate serve, allowed, recorded', load(session.mcp_url, daemon.pid));
    await daemon.stop();
  } finally {
    await world.remove();
  }
}

async function peer() {
  if (options.peer === '') return;
  const server = spawn('node', [path.join(options.peer, 'sdk_peer.mjs')], { stdio: ['ignore', 'pipe', 'inherit'], cwd: options.peer });
  const url = await new Promise((done) => server.stdout.once('data', (line) => done(String(line).trim())));
  row('the official TypeScript SDK', load(url, server.pid));
  server.kill();
}

// So many questions at once, of sessions and agents within their bounds.
async function waiting(count) {
  const agents = Math.ceil(count / 256);
  const names = Array.from({ length: agents }, (_, i) => `agent${i}`);
  const policy = `version: 1\nsettings: {permissionTimeout: 0}\nagents:\n${names.map((name) => `  ${name}: {}\n`).join('')}`;
  const world = new World({ bin, policy });
  try {
    const daemon = await Daemon.start(world);
    const empty = resident(daemon.pid);
    const calls = [];
    for (let i = 0; calls.length < count; ++i) {
      const session = await daemon.session(names[Math.floor(i / 4)]);
      for (let k = 0; k < 64 && calls.length < count; ++k) calls.push(daemon.call(session, `npm install package-${calls.length}`));
      if (i % 4 === 3) await until(async () => (await daemon.send('GET', '/health')).json.pending >= calls.length, 'the questions');
    }
    await until(async () => (await daemon.send('GET', '/health')).json.pending === count, 'all questions', 300_000);
    const full = resident(daemon.pid);
    const ids = new Map((await daemon.pending()).map((each) => [each.callId, each.permissionId]));
    const took = [];
    globalThis.gc();
    for (const call of calls.slice(0, 1000)) {
      const began = process.hrtime.bigint();
      const answered = daemon.approve(ids.get(call.use));
      await call.done;
      took.push(Number(process.hrtime.bigint() - began) / 1e6);
      await answered;
    }
    took.sort((a, b) => a - b);
    console.log(`${count} questions wait: ${empty.toFixed(1)} MiB before, ${full.toFixed(1)} MiB with them;`,
      `from the answer to the agent p50 ${took[500].toFixed(2)} ms, p99 ${took[990].toFixed(2)} ms`);
  } finally {
    await world.remove();
  }
}

await calls();
await peer();
await waiting(Number(options.waiting));
