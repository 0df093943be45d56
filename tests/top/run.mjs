// The runner: every case at a real terminal against a real daemon, one line each, then the counts.
//
// run.mjs [--bin DIR] [--case TEXT] [TOPIC…]
//   --bin    where tollgate is                             (build/release/bin)
//   --case   only those whose name holds the text
//   TOPIC    answers, reading, away, views, watch, show; all of them where none is named
// A case is {name, act, want}: what `act` gives must be `want`, all of it. It gets a Stage with `pane` to play on.
import { chosen, Counts, difference, needPrograms, readOptions, root, start } from '../daemon/lib/runner.mjs';
import { Stage } from '../daemon/lib/stage.mjs';
import { Pane } from './lib/pane.mjs';

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

async function main() {
  const options = readOptions(process.argv.slice(2), topics);
  needPrograms(options.bin, 'tollgate');
  const counts = new Counts();
  for (const topic of options.topics) {
    const { rows } = await import(`./cases/${topic}.mjs`);
    const scene = new Scene(options);
    try {
      for (const row of chosen(topic, rows, options)) await counts.play(topic, row, (each) => play(each, scene));
    } finally {
      await scene.close();
    }
  }
  counts.tell();
}

async function play(row, scene) {
  try {
    const wrong = difference(await row.act(scene), row.want);
    return wrong === '' ? '' : `${wrong}\n${scene.screens()}`;
  } catch (error) {
    return `${error.stack}\n${scene.screens()}\n${scene.log()}`;
  } finally {
    await scene.endCase();
  }
}

start(main);
