// The runner: notices of a real daemon at real receivers, one line a case, then the counts.
//
// run.mjs [--bin DIR] [--case TEXT] [TOPIC…]
//   --bin    where tollgate is                             (build/release/bin)
//   --case   only those whose name holds the text
//   TOPIC    webhook, push, people; all of them where none is named
// A case is {name, act, want}: what `act` gives must be `want`, all of it. It gets a Stage to play on.
import fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { Stage } from '../daemon/lib/stage.mjs';
import { missing, root } from './lib/installed.mjs';
import { closeAll } from './lib/receiver.mjs';

const topics = ['webhook', 'push', 'people'];

function readOptions(words) {
  const options = { bin: `${root}/build/release/bin`, only: '', topics: [] };
  for (let i = 0; i < words.length; ++i) {
    if (words[i] === '--bin') options.bin = path.resolve(words[++i]);
    else if (words[i] === '--case') options.only = words[++i];
    else if (topics.includes(words[i])) options.topics.push(words[i]);
    else throw new Error(`unknown word \`${words[i]}\``);
  }
  return options;
}

async function main() {
  const options = readOptions(process.argv.slice(2));
  if (missing() !== undefined) {
    console.log(`${missing()}: notices are not tried\n1 skipped\n0 passed, 0 failed`);
    return;
  }
  if (!fs.existsSync(`${options.bin}/tollgate`)) throw new Error(`there is no ${options.bin}/tollgate`);
  const counts = { passed: 0, failed: 0 };
  for (const topic of options.topics.length > 0 ? options.topics : topics) {
    const { rows } = await import(`./cases/${topic}.mjs`);
    const stage = new Stage(options);
    for (const row of rows.filter(({ name }) => `${topic}: ${name}`.includes(options.only))) {
      const began = Date.now();
      const failure = await play(row, stage);
      ++counts[failure === '' ? 'passed' : 'failed'];
      console.log(`${failure === '' ? 'ok  ' : 'FAIL'}  ${topic}: ${row.name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
      if (failure !== '') console.log(failure.replace(/^/gm, '      | '));
    }
    await stage.close();
  }
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  process.exitCode = counts.failed === 0 ? 0 : 1;
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
    await closeAll();
  }
}

main().then(() => process.exit()).catch((error) => {
  console.log(`${error.stack}\n0 passed, 1 failed`);
  process.exit(1);
});
