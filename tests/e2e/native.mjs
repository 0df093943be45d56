// The runner for compiled policies: each client with the flags and files that `tollgate compile`
// makes, without the hook, while a mock model makes random calls. What ran must be allowed by the
// gate; what a client is said to leave to others may run only where the report says so.
//
// native.mjs [--bin DIR] [--clients DIR] [--policies N] [--seed N] [--show] [CLIENT…]
//   --policies  how many for each client   (10)
//   --seed      of the first policy; the others follow   (1)
//   --show      prints every policy and call
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { known, programOf } from './clients/all.mjs';
import { Model } from './model.mjs';
import { Random, fillWorkspace, randomCalls, randomPolicy } from './policies.mjs';
import { count, fail, playRows } from './rows.mjs';
import { World } from './world.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

function readOptions(words) {
  const options = { bin: `${root}/build/release/bin`, clients: `${root}/build/clients`, policies: 10, seed: 1, show: false, names: [] };
  for (let i = 0; i < words.length; ++i) {
    if (words[i] === '--bin' || words[i] === '--clients') options[words[i].slice(2)] = path.resolve(words[++i]);
    else if (words[i] === '--policies' || words[i] === '--seed') options[words[i].slice(2)] = Number(words[++i]);
    else if (words[i] === '--show') options.show = true;
    else if (known.some((client) => client.name === words[i])) options.names.push(words[i]);
    else throw new Error(`unknown word \`${words[i]}\``);
  }
  return options;
}

async function main() {
  const options = readOptions(process.argv.slice(2));
  const clients = known.filter((client) => options.names.length === 0 || options.names.includes(client.name));
  const there = clients.filter((client) => fs.existsSync(programOf(client, options)));
  const skipped = (clients.length - there.length) * (options.policies + 1);
  for (const client of clients)
    if (!there.includes(client)) console.log(`skip  ${client.name}: not installed, ${options.policies} policies`);
  console.log(`seeds ${options.seed} to ${options.seed + options.policies - 1}`);
  const rows = Array.from({ length: options.policies }, (_, n) => options.seed + n)
    .flatMap((seed) => there.map((client) => ({ client, seed, calls: [] })));
  await playRows(rows, {
    play: (row) => play(row, options), tell: (row) => `policy ${row.seed}: ${tell(row.calls)}`, details, always: options.show,
  });
  const counted = there.map((client) => printTotal(client, rows.filter((row) => row.client === client)));
  const failed = rows.filter((row) => row.failure !== '').length + counted.filter((good) => !good).length;
  count({ passed: rows.length + counted.length - failed, failed, skipped });
}

// What is wrong with it, "" for nothing.
async function play(row, options) {
  const { client, seed } = row;
  const random = new Random(seed);
  const world = new World();
  const model = await Model.start([]);
  try {
    fillWorkspace(world, random);
    row.calls = randomCalls(random, client, world, model);
    row.policy = randomPolicy(random, row.calls, world, model);
    world.write(world.policy, JSON.stringify(row.policy));
    const native = compile(client, world, options);
    judge(row.calls, native, world, options);
    model.calls.push(...row.calls.map((call) => call.native));
    const { args, env } = client.launch(world, model, { native });
    const output = await world.run(programOf(client, options), args, { env: world.environment(env) });
    for (const call of row.calls) call.hasRun = call.ran(world, model);
    row.told = model.results;
    return failureOf(row, native, model, output);
  } finally {
    await model.stop();
    world.remove();
  }
}

function compile(client, world, options) {
  const out = `${world.home}/${client.files ?? '.config/tollgate'}`;
  return JSON.parse(tollgate(world, options, ['compile', '--client', client.name, '--agent', 'tested', '--out', out, '--json']));
}

// What the gate says to each call, and who holds that by the report.
function judge(calls, native, world, options) {
  const lines = calls.map((call) => `${JSON.stringify(call.judged)}\n`).join('');
  const answers = tollgate(world, options, ['eval', '--agent', 'tested', '--cwd', world.work, '--jsonl'], lines);
  answers.trim().split('\n').forEach((line, n) => {
    const { verdict, reasons } = JSON.parse(line);
    const deciding = reasons.filter((reason) => reason.verdict === verdict);
    Object.assign(calls[n], { verdict, reasons: deciding, held: deciding.flatMap((reason) => linesOf(native, reason)) });
  });
}

function tollgate(world, { bin }, words, input = '') {
  const [command, ...rest] = words;
  return execFileSync(`${bin}/tollgate`, [command, '--config', world.policy, ...rest],
    { cwd: world.work, env: world.environment({}), input, encoding: 'utf8' });
}

// The lines of the report that a reason belongs to.
const grounds = { breaker: 'breakers', guarded: 'guarded', sensitive: 'sensitive', default: 'what no rule' };

function linesOf({ rules }, { kind, rule, text, verdict }) {
  if (kind === 'rule') return rules.filter((line) => line.rule === rule && line.list === verdict);
  const start = kind === 'ceiling' ? (text.includes(' here, and ') ? 'effects outside' : 'tools outside') : grounds[kind];
  return rules.filter((line) => line.list === 'built-in' && start !== undefined && line.rule.startsWith(start));
}

// Codex runs commands in its sandbox that no rule of its own refuses, and Copilot reads without a
// question: what the report calls held, or refused in its plain spelling, does not run there either.
const leftOpen = { codex: ({ kind }) => kind !== 'mcp', copilot: ({ kind }) => kind === 'read' || kind === 'view' };

function isWrong(client, call) {
  if (!call.hasRun || call.verdict === 'allow') return false;
  const held = call.held.some(({ enforced, note }) => enforced === 'native' || enforced === 'sandbox' || note.includes('plain spelling'));
  return held || !leftOpen[client.name]?.(call);
}

function failureOf({ client, calls }, native, model, output) {
  const problems = calls.filter((call) => isWrong(client, call))
    .map((call) => `ran, and the gate says ${call.verdict}: ${JSON.stringify(call.native)} ${JSON.stringify(call.held)}`);
  if (output.late) problems.push('the client did not end in time');
  if (model.answered < calls.length) problems.push(`only ${model.answered} calls were answered`);
  if (problems.length === 0) return '';
  problems.push(`status ${output.status}`, `flags: ${JSON.stringify(native.arguments)}`, `the model was told: ${JSON.stringify(model.results)}`,
    `requests: ${model.requests.join(', ')}`, `stdout: ${output.out.slice(-3000)}`, `stderr: ${output.err.slice(-3000)}`);
  return problems.join('\n');
}

const byRule = (call) => call.verdict === 'allow' && call.reasons.every((reason) => reason.kind === 'rule');
const isSaid = (call) => byRule(call) && call.held.every(({ enforced }) => enforced === 'native' || enforced === 'sandbox');

function tell(calls) {
  const share = (list) => `${list.filter((call) => call.hasRun).length} of ${list.length}`;
  return `${share(calls)} calls ran, ${share(calls.filter(byRule))} that a rule allows, ` +
    `${share(calls.filter(isSaid))} where the client holds the rule itself`;
}

// A client under which nothing ever runs shows nothing; in a few policies it may be so.
function printTotal(client, rows) {
  const calls = rows.flatMap((row) => row.calls);
  const good = rows.length < 10 || calls.some((call) => call.hasRun && call.verdict === 'allow');
  console.log(`${good ? 'ok  ' : 'FAIL'}  ${client.name}: over all: ${tell(calls)}`);
  return good;
}

function details({ failure, policy, calls, told }) {
  return [failure, JSON.stringify(told), JSON.stringify(policy?.agents.tested), ...calls.map((call) =>
    `${call.hasRun ? 'ran' : '-  '} ${call.verdict} ${JSON.stringify(call.judged)} ${call.reasons?.map((r) => r.rule || r.kind).join(', ')}`)].join('\n');
}

main().catch(fail);
