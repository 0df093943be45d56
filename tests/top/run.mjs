// The runner: every case at a real terminal against a real daemon, one line each, then the counts.
//
// run.mjs [--bin DIR] [--case TEXT] [TOPIC…]
//   --bin    where tollgate is                             (build/release/bin)
//   --case   only those whose name holds the text
//   TOPIC    answers, reading, away, views, watch, show; all of them where none is named
// A case is {name, act, want}: what `act` gives must be `want`, all of it. It gets a Stage with `pane` to play on.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';

import { Stage } from '../daemon/lib/stage.mjs';
import { Pane } from './lib/pane.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, '../..');
const topics = ['answers', 'reading', 'away', 'views', 'watch', 'show'];

class Scene extends Stage {
  constructor(options) { super(options); this.panes = []; this.root = root; }

  // A terminal that runs a command against the gate, with the credential typed where it is asked for.
  async pane(gate, options = {}) {
    return Pane.open(gate, { ...options, opened: (pane) => this.panes.push(pane) });
  }
  // What the terminals of the case show.
  screens() { return this.panes.map((pane) => pane.last).join('\n'); }
  async endCase() {
    for (const pane of this.panes.splice(0)) await pane.close();
    await super.endCase();
  }
}

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
  if (!fs.existsSync(`${options.bin}/tollgate`)) throw new Error(`there is no ${options.bin}/tollgate`);
  const counts = { passed: 0, failed: 0 };
  for (const topic of options.topics.length > 0 ? options.topics : topics) {
    const { rows } = await import(`./cases/${topic}.mjs`);
    const scene = new Scene(options);
    try {
      for (const row of rows.filter(({ name }) => `${topic}: ${name}`.includes(options.only))) await playRow(topic, row, scene, counts);
    } finally {
      await scene.close();
    }
  }
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  process.exitCode = counts.failed === 0 && counts.passed > 0 ? 0 : 1;
}

async function playRow(topic, row, scene, counts) {
  const began = Date.now();
  const failure = await play(row, scene);
  ++counts[failure === '' ? 'passed' : 'failed'];
  console.log(`${failure === '' ? 'ok  ' : 'FAIL'}  ${topic}: ${row.name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
  if (failure !== '') console.log(failure.replace(/^/gm, '      | '));
}

// What is wrong, "" for nothing.
async function play(row, scene) {
  try {
    const got = await row.act(scene);
    if (isDeepStrictEqual(got, row.want)) return '';
    return `got:  ${JSON.stringify(got)}\nwant: ${JSON.stringify(row.want)}\n${scene.screens()}`;
  } catch (error) {
    return `${error.stack}\n${scene.screens()}\n${scene.log()}`;
  } finally {
    await scene.endCase();
  }
}

main().catch((error) => {
  console.log(`${error.stack}\n0 passed, 1 failed`);
  process.exitCode = 1;
});
