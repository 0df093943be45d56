// The runner: every case of every topic, one line each, then the counts.
//
// run.mjs [--bin DIR] [--case TEXT] [--rounds N] [TOPIC…]
//   --bin      where tollgate and tollgate-hook are         (build/release/bin)
//   --case     only those whose name holds the text
//   --rounds   how often the daemon is killed with 50 and with 1,000 questions   (5)
//   TOPIC      attacks, faults, killed, ways, terminal, record; all of them where none is named
// A case is {name, act, want}: what `act` gives must be `want`, all of it. It gets a Stage to play on.
import { known } from './known.mjs';
import { chosen, Counts, difference, needPrograms, readOptions, start } from './lib/runner.mjs';
import { Stage } from './lib/stage.mjs';

const topics = ['attacks', 'faults', 'killed', 'ways', 'terminal', 'record'];

async function main() {
  const options = readOptions(process.argv.slice(2), topics, {
    '--rounds': (all, next) => { all.rounds = Number(next()); },
    '--known': (all) => { all.known = true; },   // plays those that do not hold yet, too
  });
  needPrograms(options.bin, 'tollgate', 'tollgate-hook');
  const counts = new Counts();
  for (const topic of options.topics) {
    const { groups } = await import(`./${topic}.mjs`);
    for (const [group, rows] of Object.entries(groups)) await playGroup(`${topic}: ${group}`, rows, options, counts);
  }
  counts.tell();
}

// The cases of a group share a daemon, unless one of them wants its own.
async function playGroup(group, rows, options, counts) {
  const stage = new Stage(options);
  try {
    for (const row of chosen(group, rows, options)) {
      const reason = known[row.name] ?? row.skip;
      if (reason !== undefined && !options.known) counts.skip(group, row, reason);
      else await counts.play(group, row, (each) => play(each, stage));
    }
  } finally {
    await stage.close();
  }
}

async function play(row, stage) {
  try {
    return difference(await row.act(stage), row.want);
  } catch (error) {
    return `${error.stack}\n${error.cause?.stack ?? ''}${stage.log()}`;
  } finally {
    await stage.endCase();
  }
}

start(main);
