// The store of a gate, looked through from outside, beside the daemon that uses it.
import { parsed } from './http.mjs';

// What is wrong with its file and with the chain of its record, [] for nothing.
export async function problemsOf({ world }) {
  const told = async (words, name) => {
    const { status, out, err } = await world.run(`${world.bin}/tollgate`, [...words, '--json', '--data', world.data]);
    return parsed(out)?.[name] ?? [`${words.join(' ')} ended with ${status}: ${err}`];
  };
  return [...await told(['db', 'check'], 'problems'), ...await told(['log', 'verify', '--no-anchors'], 'faults')];
}
