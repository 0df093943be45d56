// A gate with agents at work: the calls that people see on the pictures, hostile ones among them.
// Every one of them is a real call to a real daemon.
import fs from 'node:fs';
import path from 'node:path';

import { callTool } from '../../daemon/lib/mcp.mjs';

export const policy = `# The policy of the shop's agents.
version: 1
settings:
  permissionTimeout: 900000

rules:
  allow:
    - Bash(npm test *)
    - Bash(npm run *)     # scripts of package.json
    - Edit(/src/**)
    - WebFetch(domain:developer.mozilla.org)
  ask:
    - rule: Bash(npm publish *)
      reason: a release is announced first
    - rule: Bash(git push *)
      reason: others pull from there
    - rule: Bash(npm unpublish *)
      reason: builds of others break
      approve: [{any: 2, of: [lead], name: two leads}, {any: 1, of: [security], after: 5m, within: 15m}]
  deny:
    - rule: Bash(git push --force *)
      reason: history that others have pulled is never rewritten
    - Edit(/deploy/**)

agents:
  lead: {}
  web: {mode: acceptEdits}
  api: {}
  tests: {mode: plan}

approvers:
  ann: {person: ann, roles: [lead]}
  bob: {person: bob, roles: [lead]}
`;

const before = `import { price } from './price';

export interface Line { sku: string; count: number }

export function total(lines: Line[]): number {
  let sum = 0;
  for (const line of lines) sum += price(line.sku) * line.count;
  return sum;
}
`;
const after = before.replace('  let sum = 0;\n  for (const line of lines) sum += price(line.sku) * line.count;\n  return sum;\n',
  '  const sum = lines.reduce((all, line) => all + price(line.sku) * line.count, 0);\n  return Math.round(sum * 100) / 100;\n');

export const plan = `Round the sum of a cart when it is made, not when it is shown.

1. Write the failing case: two carts with the same lines differ by a cent.
2. Round in total() of src/cart.ts, to whole cents, half away from zero.
3. Take the rounding out of the three views that do it today.
4. Run the tests, then push release/2.4 and ask you before anything is published.

Nothing in migrations/ changes. Invoices that were sent keep their sums.`;

// What several people answer, once the first of them has agreed.
export async function askSeveral(daemon, session) {
  const asked = await daemon.asked(session, 'npm unpublish @shop/cart@3.1.0');
  await daemon.approve(asked.id);
  return asked;
}

// Sessions, some quiet calls for the record, then what waits. Gives the calls that wait, in their order.
export async function play(daemon) {
  const work = path.join(daemon.world.work, 'shop');
  fs.mkdirSync(`${work}/src`, { recursive: true });
  fs.mkdirSync(`${work}/packages/cart`, { recursive: true });
  fs.mkdirSync(`${work}/config`, { recursive: true });
  fs.writeFileSync(`${work}/src/cart.ts`, before);
  fs.writeFileSync(`${work}/config/cart.ts`, before);
  const lead = await daemon.session('lead', { cwd: work, provider: 'claude' });
  const web = await daemon.session('web', { cwd: work, parent: lead.id, provider: 'claude' });
  const api = await daemon.session('api', { cwd: work, parent: lead.id, provider: 'codex' });
  await daemon.session('tests', { cwd: work, parent: lead.id, provider: 'gemini' });
  for (const command of ['ls -l src', 'npm test', 'git status', 'npm run build', 'git push --force origin main']) await daemon.verdict(web, command);
  await daemon.verdict(api, 'cat package.json');
  const waiting = [];
  const ask = async (session, command, more) => { waiting.push(await daemon.asked(session, command, more)); };
  await ask(web, 'cd packages/cart && npm publish --tag next --access public | tee publish.log; rm -rf dist');
  await ask(api, { file_path: `${work}/config/cart.ts`, old_string: before, new_string: after }, { tool: 'Edit' });
  await ask(web, { owner: 'shop', repo: 'web', title: 'Prices are rounded too late', labels: ['bug', 'cart'], assignees: [], body: 'The sum of a cart is rounded when it is shown, not when it is made.\nTwo carts with the same lines can differ by a cent.', draft: false, milestone: { number: 4, due: '2026-12-01' } }, { tool: 'mcp__github__create_issue' });
  const question = callTool(daemon.port, api.id, 'ask_user', { question: 'The invoices of 2024 have no tax rate. Which one shall the migration write?', options: ['19 %, as on the receipts', 'none, and list them for me', 'stop the migration'] }, { from: daemon.place });
  waiting.push({ call: question });
  await ask(web, 'npm install lodash@4.17.21 --save-exact');
  await ask(api, 'git push origin main');
  await ask(api, 'git push origin release/2.4');
  await ask(web, `c\u043erepack install -g p\u200bnpm@9 && echo "\u202egpj.tneserp\u202c" \u2013\u2013force`);
  return { waiting, lead, web, api, work };
}
