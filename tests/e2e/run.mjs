// The runner: every case on every client that is installed, one line each, then the counts.
//
// run.mjs [--bin DIR] [--clients DIR] [--case TEXT] [--matrix] [CLIENT…]
//   --bin       where tollgate and tollgate-hook are       (build/release/bin)
//   --clients   where npm has installed the clients        (build/clients)
//   --case      only those whose name holds the text
//   --matrix    prints what happened as the table of docs/clients.md
// A client that is not there is skipped, case by case, and counted.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { cases, isFor, prepare, wanted, writePolicy } from './cases.mjs';
import { known, programOf } from './clients/all.mjs';
import { install } from './install.mjs';
import { Model } from './model.mjs';
import { count, fail, playRows } from './rows.mjs';
import { World } from './world.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, '../..');

function readOptions(words) {
  const options = { bin: `${root}/build/release/bin`, clients: `${root}/build/clients`, matrix: false, names: [] };
  for (let i = 0; i < words.length; ++i) {
    if (words[i] === '--bin' || words[i] === '--clients') options[words[i].slice(2)] = path.resolve(words[++i]);
    else if (words[i] === '--case') options.only = words[++i];
    else if (words[i] === '--matrix') options.matrix = true;
    else if (known.some((client) => client.name === words[i])) options.names.push(words[i]);
    else throw new Error(`unknown word \`${words[i]}\``);
  }
  return options;
}

async function main() {
  const options = readOptions(process.argv.slice(2));
  const clients = known.filter((client) => options.names.length === 0 || options.names.includes(client.name));
  if (!fs.existsSync(`${options.bin}/tollgate-hook`)) throw new Error(`there is no ${options.bin}/tollgate-hook`);
  const isThere = (client) => fs.existsSync(programOf(client, options));
  const played = cases.filter(({ name }) => name.includes(options.only ?? ''));
  const rows = played.flatMap((case_) => clients.filter((client) => isFor(case_, client)).map((client) => ({ case_, client })));
  const waiting = rows.filter(({ client }) => isThere(client));
  const skipped = rows.length - waiting.length;
  for (const client of clients)
    if (!isThere(client)) console.log(`skip  ${client.name}: not installed, ${played.filter((case_) => isFor(case_, client)).length} cases`);
  await playRows(waiting, {
    play: (row) => play(row, { ...options, program: programOf(row.client, options) }),
    tell: ({ case_, outcome }) => `${case_.name}: ${outcome}`,
  });
  if (options.matrix) printMatrix(clients, waiting, options);
  const failed = waiting.filter((row) => row.failure !== '').length;
  count({ passed: waiting.length - failed, failed, skipped });
}

// What is wrong with it, "" for nothing.
async function play(row, { bin, program }) {
  const { case_, client } = row;
  const world = new World();
  const model = await Model.start([client.tools.shell('touch marker')]);
  try {
    if (!case_.installed) {
      const hook = prepare(case_, { client: client.name, world, bin, here });
      await client.register(world, hook, { program });
    }
    const { args, env } = client.launch(world, model, { own: case_.own === true });
    if (case_.installed) {
      writePolicy(case_, world);
      const plugin = case_.plugin ? `${world.dir}/plugin` : undefined;
      const own = await install(client, world, { bin, env, plugin });
      if (plugin) args.push(...client.plugin(plugin));
      case_.spoil?.({ bin: own });
    }
    const output = await world.run(program, args, { env: world.environment(env) });
    row.outcome = outcomeOf(case_, world, model);
    row.told = model.results;
    return failureOf(row, world, model, output);
  } finally {
    await model.stop();
    world.remove();
  }
}

function outcomeOf(case_, world, model) {
  if (fs.existsSync(`${world.work}/marker`)) return 'ran';
  const told = case_.reason !== undefined && model.results.some((text) => text.includes(case_.reason));
  return told ? 'told' : 'refused';
}

function failureOf({ case_, client, outcome }, world, model, output) {
  const problems = [];
  if (output.late) problems.push('the client did not end in time');
  if (outcome !== wanted(case_, client.name)) problems.push(`want: ${wanted(case_, client.name)}, got: ${outcome}`);
  if (case_.recorded && !fs.existsSync(`${world.data}/spool.jsonseq`)) problems.push('the hook recorded nothing');
  if (problems.length === 0) return '';
  problems.push(`status ${output.status}`, `the model was told: ${JSON.stringify(model.results)}`,
    `requests: ${model.requests.join(', ')}`, `stdout: ${output.out.slice(-3000)}`, `stderr: ${output.err.slice(-3000)}`);
  return problems.join('\n');
}

function printMatrix(clients, rows, options) {
  const versions = clients.map(({ name, package: package_ }) => {
    const file = `${options.clients}/node_modules/${package_}/package.json`;
    return `${name} ${fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')).version : '(not installed)'}`;
  });
  console.log(`\n| case | ${versions.join(' | ')} |\n|---|${clients.map(() => '---|').join('')}`);
  for (const case_ of cases) {
    const cells = clients.map((client) => !isFor(case_, client) ? '–'
      : rows.find((r) => r.case_ === case_ && r.client === client)?.outcome ?? 'skipped');
    console.log(`| ${case_.name} | ${cells.join(' | ')} |`);
  }
  console.log();
}

main().catch(fail);
