// The other views, used as people use them: the policy changed and looked at again, calls tried, what counts, the record.
import fs from 'node:fs';

import { freePort } from '../../daemon/lib/certificate.mjs';
import { until } from '../../daemon/lib/world.mjs';
import { closeAll, Receiver } from '../../notify/lib/receiver.mjs';
import { card } from './answers.mjs';

const policy = `# Ours.
version: 1
settings: {permissionTimeout: 0}
rules:
  allow:
    - Bash(make *)   # the build
  deny:
    - Bash(git push --force *)
agents:
  backend: {}
  frontend: {}
`;

const open = async (scene, view) => {
  const daemon = await scene.fresh({ policy });
  const page = await scene.device(daemon, daemon.operator);
  await page.goto(`${daemon.url}/#/${view}`);
  return { daemon, page };
};

export const rows = [
  {
    name: 'a rule is checked as it is typed, shown as a difference, written with comments kept, and holds',
    act: async (scene) => {
      const { daemon, page } = await open(scene, 'policy');
      const field = page.getByLabel('New rule to deny');
      await field.fill('Bash(npm publish');
      await page.locator('.wrong').waitFor();
      await field.fill('Bash(npm publish *)');
      await page.locator('.wrong').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Show the change' }).click();
      const difference = await page.locator('.proposal .diff').innerText();
      const before = fs.readFileSync(daemon.world.policy, 'utf8');
      await page.getByRole('button', { name: 'Write it' }).click();
      await page.locator('.list-deny').getByText('Bash(npm publish *)').waitFor();
      const after = fs.readFileSync(daemon.world.policy, 'utf8');
      return [difference.includes('+') && difference.includes('npm publish'), before === policy, after.includes('# the build'), after.includes('npm publish'),
        (await daemon.verdict(await daemon.session(), 'npm publish')).startsWith('deny')];
    },
    want: [true, true, true, true, true],
  },
  {
    name: 'a rule is removed the same way',
    act: async (scene) => {
      const { daemon, page } = await open(scene, 'policy');
      await page.getByRole('button', { name: 'Remove Bash(git push --force *)' }).click();
      await page.getByRole('button', { name: 'Write it' }).click();
      await page.getByRole('button', { name: 'Remove Bash(git push --force *)' }).waitFor({ state: 'detached' });
      return fs.readFileSync(daemon.world.policy, 'utf8').includes('--force');
    },
    want: false,
  },
  {
    name: 'the mode of an agent is picked, shown, and left as it was',
    act: async (scene) => {
      const { daemon, page } = await open(scene, 'policy');
      await page.locator('.view-head select').selectOption('frontend');
      await page.locator('.modes').getByRole('radio', { name: 'plan' }).click();
      await page.locator('.proposal').getByText('plan').first().waitFor();
      await page.getByRole('button', { name: 'Leave it as it is' }).click();
      return fs.readFileSync(daemon.world.policy, 'utf8') === policy;
    },
    want: true,
  },
  {
    name: 'a mode that was picked is written into the file at the agent\'s own place, and holds',
    act: async (scene) => {
      const { daemon, page } = await open(scene, 'policy');
      await page.locator('.view-head select').selectOption('frontend');
      await page.locator('.modes').getByRole('radio', { name: 'plan' }).click();
      await page.locator('.proposal .diff').getByText('plan').waitFor();
      await page.getByRole('button', { name: 'Write it' }).click();
      await page.locator('.modes .chosen').getByText('plan', { exact: true }).waitFor();
      const verdicts = [];
      for (const agent of ['frontend', 'backend']) verdicts.push((await daemon.verdict(await daemon.session(agent), 'make all')).slice(0, 5));
      const after = fs.readFileSync(daemon.world.policy, 'utf8');
      return [/frontend:.*plan/s.test(after), /# the build/.test(after), verdicts];
    },
    want: [true, true, ['deny:', 'allow']],
  },
  {
    name: 'an operator\'s always is written into the policy file as well, and the file is named by nobody else\'s',
    act: async (scene) => {
      const { daemon, page } = await open(scene, 'questions');
      const asked = await daemon.asked(await daemon.session('frontend'), 'npm install kept@1');
      await card(page, asked.id).getByRole('button', { name: 'Always' }).click();
      await page.getByText('It would have covered').waitFor();
      await page.getByLabel('Write it into the policy file as well').check();
      await page.getByRole('button', { name: 'Allow and remember' }).click();
      await asked.call.said();
      const written = await until(() => { const text = fs.readFileSync(daemon.world.policy, 'utf8'); return text !== policy && text; }, 'the file');
      const other = await scene.device(daemon);
      const next = await daemon.asked(await daemon.session('backend'), 'npm install other@1');
      await card(other, next.id).getByRole('button', { name: 'Always' }).click();
      await other.getByText('It would have covered').waitFor();
      return [written.includes('npm install kept@1'), written.includes('# the build'), await other.getByLabel('Write it into the policy file as well').count()];
    },
    want: [true, true, 0],
  },
  {
    name: 'roles and presets open to what they hold, those of the file and those built in',
    act: async (scene) => {
      const daemon = await scene.fresh({ policy: `${policy}roles:\n  careful: {disallowedTools: [WebFetch]}\npresets:\n  tidy: {mode: plan, rules: {deny: ["Bash(rm *)"]}}\n` });
      const page = await scene.device(daemon);
      await page.goto(`${daemon.url}/#/policy`);
      const shown = async (name) => { const one = page.locator('.roles details').filter({ hasText: name }); await one.locator('summary').click(); return (await one.innerText()).replace(/\s+/g, ' '); };
      return [await shown('careful'), await shown('tidy'), /^read-only preset built in .+/.test(await shown('read-only'))];
    },
    want: ['careful role without WebFetch', 'tidy preset mode plan deny Bash(rm *)', true],
  },
  {
    name: 'Insight counts what really went on: calls, answers, what asks, what could be a rule',
    act: async (scene) => {
      const daemon = await scene.fresh({ policy });
      const session = await daemon.session();
      await daemon.verdict(session, 'make all');
      for (const name of ['one', 'two', 'three']) { const asked = await daemon.asked(session, 'npm run lint'); await (name === 'three' ? daemon.deny(asked.id) : daemon.approve(asked.id)); await asked.call.said(); }
      const page = await scene.device(daemon);
      await page.goto(`${daemon.url}/#/insight`);
      await page.locator('.tile').first().waitFor();
      const tiles = (await page.locator('.tile').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
      await page.locator('.plot').first().getByText('Figures').click();
      const today = (await page.locator('.plot').first().locator('tbody tr').last().locator('td').allInnerTexts());
      const row = (await page.locator('.table .rows tbody tr').first().innerText()).replace(/\s+/g, ' ');
      const rects = await page.locator('.plot').first().locator('rect').evaluateAll((all) => all.every((each) => each.getBoundingClientRect().height > 0));
      await page.locator('.table .rows tbody a').first().click();
      await page.getByRole('heading', { name: 'History' }).waitFor();
      await page.getByLabel('Verdict').locator('option:checked').getByText('asked').waitFor({ state: 'attached' });
      await page.locator('.history .rows tbody tr').nth(2).waitFor();
      return [tiles.slice(0, 2), today, row.replace(/\d+ ms/, 'N ms'), rects];
    },
    want: [['asked a person 3 of 4 calls, 75.0 %', 'approved 67 % of what was answered'], ['2', '1', '0'], 'no rule covers it 3 67 % N ms built in', true],
  },
  {
    name: 'an approver who is no operator can look and not change',
    act: async (scene) => {
      const daemon = await scene.fresh({ policy });
      const page = await scene.device(daemon);
      await page.goto(`${daemon.url}/#/policy`);
      await page.locator('.rule-list').first().waitFor();
      return [await page.getByRole('button', { name: /^Remove/ }).count(), await page.getByLabel('New rule to deny').count()];
    },
    want: [0, 0],
  },
  {
    name: 'a call is tried without happening',
    act: async (scene) => {
      const { page } = await open(scene, 'policy');
      await page.getByLabel('Call', { exact: true }).fill('make all && git push --force origin main');
      await page.getByRole('button', { name: 'Judge' }).click();
      return [await page.locator('.tried .verdict').innerText(), await page.locator('.tried .deciding').first().innerText()];
    },
    want: ['denied', 'git push --force origin main'],
  },
  {
    name: 'the record is searched, a row explained as it was, and judged by the policy of today',
    act: async (scene) => {
      const { daemon, page } = await open(scene, 'history');
      const session = await daemon.session();
      await daemon.verdict(session, 'make all');
      await daemon.verdict(session, 'git push --force origin main');
      await page.getByPlaceholder('Search calls').fill('force');
      await page.locator('.rows a').filter({ hasText: '--force' }).first().click();
      await page.locator('.detail').getByText('Explained as it was').waitFor();
      daemon.world.setPolicy(policy.replace('  deny:\n    - Bash(git push --force *)\n', ''));
      const said = async () => { await page.getByRole('button', { name: "Judge it by today's policy" }).click(); return page.locator('.replay [role=status] p').first().innerText(); };
      for (let i = 0; i < 50; ++i) { if ((await said()).includes('something else')) return 'changed'; await page.waitForTimeout(100); }
      return said();
    },
    want: 'changed',
  },
  {
    name: 'History says how far the record is attested: by what receives its heads elsewhere, never by a file that agents can rewrite',
    act: async (scene) => {
      const receiver = await Receiver.open();
      const heads = fs.mkdtempSync('/var/tmp/tollgate-heads.');
      try {
        const daemon = await scene.fresh({ policy: policy.replace('settings: {permissionTimeout: 0}', `settings: {permissionTimeout: 0, anchor: {journal: false, file: ${heads}/heads, notify: keep, every: 1s}}`) + `notify:\n  - {name: keep, type: webhook, url: "${receiver.url}", secret: s, rules: [breaker]}\n` });
        await daemon.verdict(await daemon.session(), 'make all');
        await until(async () => (await daemon.send('GET', '/api/record', { as: daemon.ann })).json.anchored.length === 2, 'both places');
        const page = await scene.device(daemon);
        await page.goto(`${daemon.url}/#/history`);
        await page.locator('.chain summary').click();
        const [said, places] = [await page.locator('.chain summary').innerText(), await page.locator('.chain li').allInnerTexts()];
        return [/^Chained; attested up to row \d+(, \d+ since then)?$/.test(said), places.map((each) => /attests nothing/.test(each)).sort()];
      } finally {
        await closeAll();
        fs.rmSync(heads, { recursive: true });
      }
    },
    want: [true, [false, true]],
  },
  {
    name: 'a grant is revoked after a second press',
    act: async (scene) => {
      const daemon = await scene.fresh({ policy });
      const session = await daemon.session();
      const asked = await daemon.asked(session, 'npm install kept');
      await daemon.approve(asked.id, { scope: 'session' });
      const page = await scene.device(daemon);
      await page.goto(`${daemon.url}/#/grants`);
      await page.getByRole('button', { name: 'Revoke' }).click();
      await page.getByRole('button', { name: 'Revoke it?' }).click();
      await page.getByText('No grant is in force').waitFor();
      return (await daemon.send('GET', '/api/grants', { as: daemon.ann })).json.grants.length;
    },
    want: 0,
  },
  {
    name: 'a phone is paired by the link of the code, named, and revoked',
    act: async (scene) => {
      // A forward to loopback: the address is declared, so that there is a code for it.
      const port = await freePort();
      const daemon = await scene.fresh({ policy: policy.replace('permissionTimeout: 0', `permissionTimeout: 0, publicUrl: "http://127.0.0.1:${port}"`), args: ['--listen', `127.0.0.1:${port}`] });
      const page = await scene.device(daemon);
      await page.goto(`${daemon.url}/#/settings`);
      await page.getByLabel('Name of the device').fill('pocket');
      await page.getByRole('button', { name: 'Show a code' }).click();
      await page.locator('.qr').waitFor();
      await page.getByText('Show the link').click();
      const link = await page.locator('code.link').innerText();
      const phone = await scene.device(daemon, null, { viewport: { width: 360, height: 740 }, touch: true });
      await phone.goto(link);
      await phone.getByRole('button', { name: 'Log in on this device' }).tap();
      await phone.getByRole('heading', { name: 'Questions' }).waitFor();
      await page.reload();
      await page.locator('.devices').getByText('pocket').waitFor();
      await page.locator('.devices').getByRole('button', { name: 'Revoke' }).click();
      await page.getByRole('button', { name: 'Revoke it?' }).click();
      await phone.getByLabel('Link or credential').waitFor();
      return 'out';
    },
    want: 'out',
  },
  {
    name: 'a policy file that breaks is said on every view, with the place',
    act: async (scene) => {
      const { daemon, page } = await open(scene, 'grants');
      await page.getByText('No grant is in force').waitFor();
      daemon.world.setPolicy('version: 1\nrules: {allow: ["Bash("]}\n');
      await page.getByText('The policy file has').waitFor();
      return (await page.locator('.banner.bad').innerText()).includes('tollgate.yaml:2');
    },
    want: true,
  },
];
