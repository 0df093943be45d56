// The runner: notices of a real daemon at real receivers, one line a case, then the counts.
//
// run.mjs [--bin DIR] [--case TEXT] [TOPIC…]
//   --bin    where tollgate is                             (build/release/bin)
//   --case   only those whose name holds the text
//   TOPIC    webhook, push, people; all of them where none is named
// A case is {name, act, want}: what `act` gives must be `want`, all of it. It gets a Stage to play on.
import { chosen, Counts, difference, needPrograms, readOptions, start } from '../daemon/lib/runner.mjs';
import { Stage } from '../daemon/lib/stage.mjs';
import { missing } from './lib/installed.mjs';
import { closeAll } from './lib/receiver.mjs';

const topics = ['webhook', 'push', 'people'];

async function main() {
  const options = readOptions(process.argv.slice(2), topics);
  if (missing() !== undefined) {
    console.log(`${missing()}: notices are not tried\n1 skipped\n0 passed, 0 failed`);
    return;
  }
  needPrograms(options.bin, 'tollgate');
  const counts = new Counts();
  for (const topic of options.topics) {
    const { rows } = await import(`./cases/${topic}.mjs`);
    const stage = new Stage(options);
    try {
      for (const row of chosen(topic, rows, options)) await counts.play(topic, row, (each) => play(each, stage));
    } finally {
      await stage.close();
    }
  }
  counts.tell();
}

async function play(row, stage) {
  try {
    return difference(await row.act(stage), row.want);
  } catch (error) {
    return `${error.stack}\n${stage.log()}`;
  } finally {
    await stage.endCase();
    await closeAll();
  }
}

start(main);
