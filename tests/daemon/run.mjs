// The runner: every case of every topic, one line each, then the counts.
//
// run.mjs [--bin DIR] [--case TEXT] [--rounds N] [TOPIC…]
//   --bin      where tollgate and tollgate-hook are         (build/release/bin)
//   --case     only those whose name holds the text
//   --rounds   how often the daemon is killed with 50 and with 1,000 questions   (5)
//   TOPIC      attacks, killed, ways, terminal; all of them where none is named
// A case is {name, act, want}: what `act` gives must be `want`, all of it. It gets a Stage to play on.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';

import { known } from './known.mjs';
import { Stage } from './lib/stage.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, '../..');
const topics = ['attacks', 'killed', 'ways', 'terminal'];

function readOptions(words) {
  const options = { bin: `${root}/build/release/bin`, only: '', topics: [], known: false };
  for (let i = 0; i < words.length; ++i) {
    if (words[i] === '--bin') options.bin = path.resolve(words[++i]);
    else if (words[i] === '--case') options.only = words[++i];
    else if (words[i] === '--rounds') options.rounds = Number(words[++i]);
    else if (words[i] === '--known') options.known = true;   // plays those that do not hold yet, too
    else if (topics.includes(words[i])) options.topics.push(words[i]);
    else throw new Error(`unknown word \`${words[i]}\``);
  }
  return options;
}

async function main() {
  const options = readOptions(process.argv.slice(2));
  for (const name of ['tollgate', 'tollgate-hook'])
    if (!fs.existsSync(`${options.bin}/${name}`)) throw new Error(`there is no ${options.bin}/${name}`);
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const topic of options.topics.length > 0 ? options.topics : topics) {
    const { groups } = await import(`./${topic}.mjs`);
    for (const [group, rows] of Object.entries(groups)) await playGroup(`${topic}: ${group}`, rows, options, counts);
  }
  if (counts.skipped > 0) console.log(`${counts.skipped} skipped`);
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  process.exitCode = counts.failed === 0 ? 0 : 1;
}

// The cases of a group share a daemon, unless one of them wants its own.
async function playGroup(group, rows, options, counts) {
  const stage = new Stage(options);
  try {
    for (const row of rows.filter(({ name }) => `${group}: ${name}`.includes(options.only))) {
      const reason = known[row.name] ?? row.skip;
      if (reason !== undefined && !options.known) {
        console.log(`skip  ${group}: ${row.name}: ${reason}`);
        ++counts.skipped;
        continue;
      }
      const began = Date.now();
      const failure = await play(row, stage);
      ++counts[failure === '' ? 'passed' : 'failed'];
      console.log(`${failure === '' ? 'ok  ' : 'FAIL'}  ${group}: ${row.name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
      if (failure !== '') console.log(failure.replace(/^/gm, '      | '));
    }
  } finally {
    await stage.close();
  }
}

// What is wrong, "" for nothing.
async function play(row, stage) {
  try {
    const got = await row.act(stage);
    if (isDeepStrictEqual(got, row.want)) return '';
    return `got:  ${JSON.stringify(got)}\nwant: ${JSON.stringify(row.want)}`;
  } catch (error) {
    return `${error.stack}\n${stage.log()}`;
  } finally {
    await stage.endCase();
  }
}

main().catch((error) => {
  console.log(`${error.stack}\n0 passed, 1 failed`);
  process.exitCode = 1;
});
