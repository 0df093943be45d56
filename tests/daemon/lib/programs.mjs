// Where the programs are that are tried, for what has to know it before a case begins.
import path from 'node:path';

import { root } from './runner.mjs';

const at = process.argv.indexOf('--bin');
export const bin = at < 0 ? `${root}/build/release/bin` : path.resolve(process.argv[at + 1]);
