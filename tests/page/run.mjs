// The runner: every case of the page against a real daemon in a real browser, one line each, then the counts.
//
// run.mjs [--bin DIR] [--case TEXT] [TOPIC…]
//   --bin    where tollgate is                             (build/release/bin)
//   --case   only those whose name holds the text
//   TOPIC    answers, asked, keys, cards, together, hostile, away, policy, sessions, phone, notices, looks, many; all of them where none is named
// A case is {name, act, want}: what `act` gives must be `want`, all of it. It gets a Scene to play on.
import { chosen, Counts, difference, needPrograms, readOptions, start } from '../daemon/lib/runner.mjs';
import { Stage } from '../daemon/lib/stage.mjs';
import { enter, missing, openBrowser, openDevice } from './lib/browser.mjs';

const topics = ['source', 'answers', 'asked', 'keys', 'cards', 'together', 'hostile', 'away', 'policy', 'sessions', 'phone', 'notices', 'touches', 'looks', 'many'];

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

async function main() {
  const options = readOptions(process.argv.slice(2), topics);
  if (missing() !== undefined) {
    console.log(`${missing()}: the page is not tried\n1 skipped\n0 passed, 0 failed`);
    return;
  }
  needPrograms(options.bin, 'tollgate');
  const counts = new Counts();
  const browser = await openBrowser();
  try {
    for (const topic of options.topics) {
      const { rows } = await import(`./cases/${topic}.mjs`);
      const stage = new Stage(options);
      try {
        for (const row of chosen(topic, rows, options)) await counts.play(topic, row, (each) => play(each, new Scene(stage, browser)));
      } finally {
        await stage.close();
      }
    }
  } finally {
    await browser.close();
  }
  counts.tell();
}

// A page that complains is wrong whatever the case says.
async function play(row, scene) {
  try {
    const got = await row.act(scene);
    const complaints = scene.complaints();
    return complaints.length > 0 ? `the page complains: ${complaints.join('\n')}` : difference(got, row.want);
  } catch (error) {
    const last = scene.pages.at(-1);
    const file = process.env.TOLLGATE_PAGE_SHOT;
    if (file && last) await last.screenshot({ path: file }).catch(() => {});
    return `${error.stack}\n${scene.complaints().join('\n')}\n${scene.stage.log()}`;
  } finally {
    await scene.end();
  }
}

start(main);
