// Plays rows some at a time, one line each, and says at the end how many there were.
// A row gets its `failure`: "" for nothing, else what is wrong with it.

const atOnce = 2;   // clients are heavy

// `tell` gives what happened in a row, `details` what is shown of one that failed.
export async function playRows(rows, { play, tell, details = (row) => row.failure, always = false }) {
  const queue = [...rows];
  const worker = async () => {
    for (let row = queue.shift(); row; row = queue.shift()) {
      const began = Date.now();
      try {
        row.failure = await play(row);
      } catch (error) {
        row.failure = error.stack;
      }
      const seconds = ((Date.now() - began) / 1000).toFixed(1);
      console.log(`${row.failure === '' ? 'ok  ' : 'FAIL'}  ${row.client.name}: ${tell(row)} (${seconds} s)`);
      if (always || row.failure !== '') console.log(details(row).replace(/^/gm, '      | '));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

// The last lines of a run, and its status.
export function count({ passed, failed, skipped }) {
  if (skipped > 0) console.log(`${skipped} skipped`);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

export function fail(error) {
  console.log(`${error.message}\n0 passed, 1 failed`);
  process.exitCode = 1;
}
