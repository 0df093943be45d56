// Commands for people, run at a pseudo terminal as `script` makes it.
import fs from 'node:fs';

import { until, within } from './world.mjs';

const prompt = 'credential or login link: ';
const quoted = (words) => words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');

// Runs a command at a terminal and types the secret when it is asked for: {status, shown}.
export async function type(gate, words, secret = gate.ann, env = {}) {
  const { world } = gate;
  const log = `${world.dir}/screen`;
  const child = world.start('script', ['-qec', quoted([`${world.bin}/tollgate`, ...words, '--data', world.data]), log], { env });
  await Promise.race([until(() => child.out.includes(prompt), 'the prompt'), child.ended]);
  child.stdin.write(`${secret}\n`);
  const { status } = await within(child.ended, `tollgate ${words[0]}`);
  const shown = fs.readFileSync(log, 'utf8').split('\n').slice(1).filter((line) => !line.startsWith('Script done')).join('\n').replaceAll('\r', '');
  return { status, shown: shown.replace(/^.*credential or login link: \n?/s, '').replace(/^\n+/, '').trimEnd(), leaked: (child.out + fs.readFileSync(log, 'utf8')).includes(secret) };
}
export const json = async (gate, words, secret) => JSON.parse((await type(gate, [...words, '--json'], secret)).shown);
