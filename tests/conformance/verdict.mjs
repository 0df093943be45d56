// What one scenario of the conformance suite came to: verdict.mjs DIR yes|no
// Reads the checks that the suite left in DIR; exit 0 where they hold, 1 where one does not, 3 where
// the scenario is about sessions, which the server does not have. A warning is a failure. A check
// that the suite itself calls untestable, because a fixture is missing, counts only where there
// are fixtures (`yes`).
import fs from 'node:fs';
import path from 'node:path';

const [dir, fixtures] = process.argv.slice(2);
const noSession = new Set(['server-sse-multiple-streams-session', 'server-session-lifecycle-skipped']);

function checksIn(folder) {
  if (!fs.existsSync(folder)) return [];
  const file = fs.readdirSync(folder).map((name) => path.join(folder, name, 'checks.json'))
    .find((name) => fs.existsSync(name));
  return file ? JSON.parse(fs.readFileSync(file, 'utf8')) : [];
}

const checks = checksIn(dir);
if (checks.some((check) => noSession.has(check.id))) {
  console.log('it is about Mcp-Session-Id, and the server gives none: a session is its path');
  process.exit(3);
}
const bad = checks.filter((check) => ['FAILURE', 'WARNING'].includes(check.status));
const excused = bad.filter((check) => fixtures !== 'yes' && check.details?.untestable === true);
const wrong = bad.filter((check) => !excused.includes(check));
const good = checks.filter((check) => check.status === 'SUCCESS').length;
if (good === 0) console.log('the suite left no check that holds');
for (const check of wrong) console.log(`${check.status} ${check.id}: ${check.errorMessage ?? ''}`);
if (good === 0 || wrong.length > 0) process.exit(1);
console.log(`${good} checks${excused.length > 0 ? `, ${excused.length} need a fixture` : ''}`);
