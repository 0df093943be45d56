// The runner: every case of the page against a real daemon in a real browser, one line each, then the counts.
//
// run.mjs [--bin DIR] [--case TEXT] [TOPIC…]
//   --bin    where tollgate is                             (build/release/bin)
//   --case   only those whose name holds the text
//   TOPIC    answers, together, hostile, away, policy, phone, notices, looks, many; all of them where none is named
// A case is {name, act, want}: what `act` gives must be `want`, all of it. It gets a Scene to play on.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';

import { Stage } from '../daemon/lib/stage.mjs';
import { enter, missing, openBrowser, openDevice } from './lib/browser.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, '../..');
const topics = ['source', 'answers', 'together', 'hostile', 'away', 'policy', 'phone', 'notices', 'looks', 'many'];

// A daemon, a browser, and devices that were logged in; each case has devices of its own.
class Scene {
  constructor(stage, browser) { Object.assign(this, { stage, browser, pages: [] }); }
  async gate() { return this.stage.gate(); }
  async fresh(options) { return this.stage.fresh(options); }
  async device(daemon, credential = daemon.ann, options = {}) {
    const page = await openDevice(this.browser, daemon, options);
    this.pages.push(page);
    if (credential !== undefined && credential !== null) await enter(page, daemon, credential);
    return page;
  }
  complaints() { return this.pages.flatMap((page) => page.complaints); }
  async end() { for (const page of this.pages.splice(0)) await page.context().close(); await this.stage.endCase(); }
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
  if (missing() !== undefined) {
    console.log(`${missing()}: the page is not tried\n1 skipped\n0 passed, 0 failed`);
    return;
  }
  if (!fs.existsSync(`${options.bin}/tollgate`)) throw new Error(`there is no ${options.bin}/tollgate`);
  const counts = { passed: 0, failed: 0 };
  const browser = await openBrowser();
  try {
    for (const topic of options.topics.length > 0 ? options.topics : topics) {
      const { rows } = await import(`./cases/${topic}.mjs`);
      const stage = new Stage(options);
      try {
        for (const row of rows.filter(({ name }) => `${topic}: ${name}`.includes(options.only))) await playRow(topic, row, new Scene(stage, browser), counts);
      } finally {
        await stage.close();
      }
    }
  } finally {
    await browser.close();
  }
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  process.exitCode = counts.failed === 0 ? 0 : 1;
}

async function playRow(topic, row, scene, counts) {
  const began = Date.now();
  const failure = await play(row, scene);
  ++counts[failure === '' ? 'passed' : 'failed'];
  console.log(`${failure === '' ? 'ok  ' : 'FAIL'}  ${topic}: ${row.name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
  if (failure !== '') console.log(failure.replace(/^/gm, '      | '));
}

// What is wrong, "" for nothing. A page that complains is wrong whatever the case says.
async function play(row, scene) {
  try {
    const got = await row.act(scene);
    const complaints = scene.complaints();
    if (complaints.length > 0) return `the page complains: ${complaints.join('\n')}`;
    if (isDeepStrictEqual(got, row.want)) return '';
    return `got:  ${JSON.stringify(got)}\nwant: ${JSON.stringify(row.want)}`;
  } catch (error) {
    const last = scene.pages.at(-1);
    const file = process.env.TOLLGATE_PAGE_SHOT;
    if (file && last) await last.screenshot({ path: file }).catch(() => {});
    return `${error.stack}\n${scene.complaints().join('\n')}\n${scene.stage.log()}`;
  } finally {
    await scene.end();
  }
}

main().then(() => process.exit()).catch((error) => {
  console.log(`${error.stack}\n0 passed, 1 failed`);
  process.exit(1);
});
