// What one scenario of the conformance suite came to: verdict.mjs DIR yes|no
// Reads the checks that the suite left in DIR. A check that the suite itself calls untestable,
// because a fixture is missing, counts only where there are fixtures (`yes`). A warning is a
// failure, but for servers without sessions, where the suite warns that there is none.
import fs from 'node:fs';
import path from 'node:path';

const [dir, fixtures] = process.argv.slice(2);
const expected = new Set(['server-sse-multiple-streams-session']);

function checksIn(folder) {
  if (!fs.existsSync(folder)) return [];
  const file = fs.readdirSync(folder).map((name) => path.join(folder, name, 'checks.json'))
    .find((name) => fs.existsSync(name));
  return file ? JSON.parse(fs.readFileSync(file, 'utf8')) : [];
}

const checks = checksIn(dir);
const bad = checks.filter((check) => ['FAILURE', 'WARNING'].includes(check.status));
const excused = bad.filter((check) => expected.has(check.id) ||
  (fixtures !== 'yes' && check.details?.untestable === true));
const wrong = bad.filter((check) => !excused.includes(check));
const good = checks.filter((check) => check.status === 'SUCCESS').length;
if (checks.length === 0) console.log('the suite left no checks');
for (const check of wrong) console.log(`${check.status} ${check.id}: ${check.errorMessage ?? ''}`);
if (checks.length === 0 || wrong.length > 0) process.exit(1);
const left = excused.length > 0 ? `, ${excused.length} not applicable` : '';
console.log(`${good} checks${left}`);
