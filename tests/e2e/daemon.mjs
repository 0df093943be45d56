// The runner for the daemon: real clients ask it, a person answers over HTTP, a mock model makes the
// calls and keeps what it is told. One line each, then the counts.
//
// daemon.mjs [--bin DIR] [--clients DIR] [--case TEXT] [--long] [CLIENT…]
//   --bin       where tollgate and tollgate-hook are       (build/release/bin)
//   --clients   where npm has installed the clients        (build/clients)
//   --case      only those whose name holds the text
//   --long      also the questions that stay open for minutes
// A client that is not there is skipped, case by case, and counted.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { known, programOf } from './clients/all.mjs';
import { claudeCases } from './daemon_claude.mjs';
import { hookCases } from './daemon_hooks.mjs';
import { pageCases } from './daemon_page.mjs';
import { Gate } from './gate.mjs';
import { Model } from './model.mjs';
import { count, fail, playRows } from './rows.mjs';
import { World } from './world.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
// LIMIT: a person takes a while, and so does a client on a busy machine.
const limitSeconds = 300;
const cases = [...claudeCases, ...pageCases, ...hookCases];

function readOptions(words) {
  const options = { bin: `${root}/build/release/bin`, clients: `${root}/build/clients`, long: false, names: [] };
  for (let i = 0; i < words.length; ++i) {
    if (words[i] === '--bin' || words[i] === '--clients') options[words[i].slice(2)] = path.resolve(words[++i]);
    else if (words[i] === '--case') options.only = words[++i];
    else if (words[i] === '--long') options.long = true;
    else if (known.some((client) => client.name === words[i])) options.names.push(words[i]);
    else throw new Error(`unknown word \`${words[i]}\``);
  }
  return options;
}

async function main() {
  const options = readOptions(process.argv.slice(2));
  if (!fs.existsSync(`${options.bin}/tollgate`)) throw new Error(`there is no ${options.bin}/tollgate`);
  const rows = cases
    .filter((case_) => case_.name.includes(options.only ?? '') && (options.long || !case_.long))
    .filter((case_) => options.names.length === 0 || options.names.includes(case_.client))
    .map((case_) => ({ case_, client: known.find(({ name }) => name === case_.client) }));
  const isThere = ({ client }) => fs.existsSync(programOf(client, options));
  const lacks = ({ case_ }) => case_.lacks?.();
  const waiting = rows.filter((row) => isThere(row) && lacks(row) === undefined);
  for (const client of new Set(rows.filter((row) => !isThere(row)).map((row) => row.client)))
    console.log(`skip  ${client.name}: not installed, ${rows.filter((row) => row.client === client).length} cases`);
  for (const row of rows.filter((each) => isThere(each) && lacks(each) !== undefined)) console.log(`skip  ${row.client.name}: ${row.case_.name}: ${lacks(row)}`);
  await playRows(waiting, {
    play: (row) => play(row, { ...options, program: programOf(row.client, options) }),
    tell: ({ case_, waited }) => case_.name + (waited === undefined ? '' : `, held for ${(waited / 1000).toFixed(1)} s`),
  });
  const failed = waiting.filter((row) => row.failure !== '').length;
  count({ passed: waiting.length - failed, failed, skipped: rows.length - waiting.length });
}

// What is wrong with it, "" for nothing.
async function play(row, { bin, program }) {
  const { case_, client } = row;
  const world = new World();
  const model = await Model.start([]);
  let gate;
  try {
    world.write(world.policy, JSON.stringify({ version: 1, settings: { permissionTimeout: '15m' }, ...case_.policy }));
    model.calls.push(...case_.calls(client.tools, world));
    gate = await Gate.start(world, { bin });
    const scene = { row, client, world, model, gate, bin, program };
    const { options, variables } = await case_.prepare(scene);
    const { args, env } = client.launch(world, model, options);
    const output = world.run(program, args, { env: world.environment({ ...env, ...variables }), seconds: case_.seconds ?? limitSeconds });
    output.then(() => { gate.over = true; });
    const acted = await (case_.people?.(scene) ?? Promise.resolve()).catch((error) => error);
    scene.output = await output;
    const problems = acted instanceof Error ? [acted.message] : await problemsOf(case_, scene);
    return problems.length === 0 ? '' : [...problems, ...shown(scene)].join('\n');
  } finally {
    await gate?.kill();
    await model.stop();
    world.remove();
  }
}

// `ran` are files that calls have made, `refused` those of calls that did not run; `told` is what the model has to
// hear, a list for one of it, `asked` how many questions there were.
async function problemsOf({ want }, scene) {
  const { world, model, gate, output } = scene;
  const problems = [];
  if (output.late) problems.push('the client did not end in time');
  for (const name of want.ran ?? []) if (!world.has(name)) problems.push(`no call made \`${name}\``);
  for (const name of want.refused ?? []) if (world.has(name)) problems.push(`a call made \`${name}\``);
  for (const text of want.told ?? [])
    if (!model.results.some((result) => [text].flat().some((words) => result.includes(words)))) problems.push(`the model was not told: ${text}`);
  if (model.answered < (want.answered ?? model.calls.length)) problems.push(`only ${model.answered} calls were answered`);
  if (want.asked !== undefined) {
    const questions = await gate.questions();
    if (questions.length !== want.asked) problems.push(`want ${want.asked} questions, got: ${questions.map(brief).join('; ')}`);
  }
  return [...problems, ...await (want.also?.(scene) ?? [])];
}

const brief = ({ toolName, toolInput, callId, state, answer }) =>
  `${toolName} ${JSON.stringify(toolInput)} ${callId}: ${state}${answer ? ` by ${answer.by}` : ''}`;

function shown({ model, output, gate }) {
  return [`status ${output.status}`, `the model was told: ${JSON.stringify(model.results)}`, `requests: ${model.requests.join(', ')}`,
    `the daemon: ${gate.log.slice(-2000)}`, `stdout: ${output.out.slice(-3000)}`, `stderr: ${output.err.slice(-3000)}`];
}

main().catch(fail);
