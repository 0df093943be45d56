// The store of a gate, looked through from outside, beside the daemon that uses it.
import { parsed } from './http.mjs';

// What is wrong with its file, [] for nothing.
export async function problemsOf({ world }) {
  const { status, out, err } = await world.run(`${world.bin}/tollgate`, ['db', 'check', '--json', '--data', world.data]);
  return parsed(out)?.problems ?? [`db check ended with ${status}: ${err}`];
}
