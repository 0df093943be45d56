// What the runners of cases have in common: words of the command line, one line a case, the counts at the end.
// A case is {name, act, want}: what `act` gives must be `want`, all of it.
// SAFETY: a run that played nothing has failed, so that a misspelt --case does not look like success.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');

// [--bin DIR] [--case TEXT] [TOPIC…]. `more` has further words: each takes the options and a function that gives the next word.
export function readOptions(words, topics, more = {}) {
  const options = { bin: `${root}/build/release/bin`, only: '', topics: [] };
  const left = [...words];
  while (left.length > 0) {
    const word = left.shift();
    if (word === '--bin') options.bin = path.resolve(left.shift());
    else if (word === '--case') options.only = left.shift();
    else if (Object.hasOwn(more, word)) more[word](options, () => left.shift());
    else if (topics.includes(word)) options.topics.push(word);
    else throw new Error(`unknown word \`${word}\``);
  }
  if (options.topics.length === 0) options.topics = topics;
  return options;
}

export function needPrograms(bin, ...names) {
  for (const name of names) if (!fs.existsSync(`${bin}/${name}`)) throw new Error(`there is no ${bin}/${name}`);
}

export const chosen = (topic, rows, { only }) => rows.filter(({ name }) => `${topic}: ${name}`.includes(only));

export class Counts {
  passed = 0;
  failed = 0;
  skipped = 0;

  // `play` gives what is wrong, "" for nothing.
  async play(topic, row, play) {
    const began = Date.now();
    const failure = await play(row);
    ++this[failure === '' ? 'passed' : 'failed'];
    console.log(`${failure === '' ? 'ok  ' : 'FAIL'}  ${topic}: ${row.name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
    if (failure !== '') console.log(failure.replace(/^/gm, '      | '));
  }
  // What another build plays is not skipped: {elsewhere: reason}.
  skip(topic, row, reason) {
    if (reason.elsewhere !== undefined) return console.log(`left  ${topic}: ${row.name}: ${reason.elsewhere}; the release build plays it`);
    console.log(`skip  ${topic}: ${row.name}: ${reason}`);
    ++this.skipped;
  }
  tell() {
    if (this.skipped > 0) console.log(`${this.skipped} skipped`);
    console.log(`${this.passed} passed, ${this.failed} failed`);
    process.exitCode = this.failed === 0 && this.passed + this.skipped > 0 ? 0 : 1;
  }
}

// What is wrong with it, "" for nothing.
export const difference = (got, want) => (isDeepStrictEqual(got, want) ? '' : `got:  ${JSON.stringify(got)}\nwant: ${JSON.stringify(want)}`);

// Runs it, and ends the process whatever is still open.
export function start(main) {
  main().then(() => process.exit()).catch((error) => {
    console.log(`${error.stack}\n0 passed, 1 failed`);
    process.exit(1);
  });
}
