// Reads the rules and calls of decide_bench, asks each engine the same, prints one table.
// An engine is {load(rules) -> ask(call) -> verdict}; a wrong verdict ends the run, because a fast
// wrong answer is no result.
import {readFileSync} from 'node:fs';
import * as casbin from './casbin_peer.mjs';
import * as cedar from './cedar_peer.mjs';
import {plain_call, plain_rule, read_rule} from './plain.mjs';

const kSeconds = 0.7;      // for one call under one number of rules
const kMinimum = 20;
const kMaximum = 5000;

const [workload, tollgate] = process.argv.slice(2).map((path) => JSON.parse(readFileSync(path, 'utf8')));

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function now() {
  return Number(process.hrtime.bigint()) / 1000;
}

// Microseconds for one decision, the median of single calls.
function cost(ask, call) {
  const samples = [];
  const end = now() + kSeconds * 1e6;
  while (samples.length < kMinimum || (samples.length < kMaximum && now() < end)) {
    const begin = now();
    const verdict = ask(call);
    samples.push(now() - begin);
    if ((verdict === 'allow') !== (call.want === 'allow'))
      throw new Error(`${call.name}: got ${verdict}, want ${call.want}`);
  }
  return median(samples);
}

async function measure(engine, size) {
  const rules = [read_rule, ...workload.rules.slice(0, size - 1).map(plain_rule)];
  const begin = now();
  const ask = await engine.load(rules);
  const load = now() - begin;
  const costs = workload.calls.map(plain_call).map((call) => cost(ask, call));
  return {name: engine.name, size, each: median(costs), worst: Math.max(...costs), load};
}

function row(cells) {
  console.log(`| ${cells.join(' | ')} |`);
}

const rows = [];
for (const size of workload.sizes) {
  const mine = tollgate.calls.filter((each) => each.rules === size).map((each) => each.ns / 1000);
  const load = tollgate.loads.find((each) => each.rules === size).us;
  rows.push({name: 'Tollgate', size, each: median(mine), worst: Math.max(...mine), load});
  for (const engine of [casbin, cedar]) rows.push(await measure(engine, size));
}
rows.sort((a, b) => (a.name === b.name ? a.size - b.size : 0));

console.log();
row(['engine', 'rules', 'µs per decision (p50)', 'slowest of the six calls', 'load, ms']);
row(['---', '---:', '---:', '---:', '---:']);
for (const name of ['Tollgate', casbin.name, cedar.name])
  for (const each of rows.filter((one) => one.name === name))
    row([name, each.size, each.each.toFixed(2), each.worst.toFixed(2), (each.load / 1000).toFixed(2)]);
console.log(`
p50 is the median over the six calls of each call's own median. Load is from the rules' texts to
an engine that can be asked. The peers only approximate the rules: commands, paths and hosts are plain
patterns over one text, ask counts as deny, options are not reordered, paths are not resolved, and
reading inside the root is one more allow rule. Both run in node; Cedar is its WebAssembly build
with the policies parsed beforehand.`);
