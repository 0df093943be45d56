// The pictures of docs/images: every view, light and dark, wide and on a phone, of a gate with agents at work.
// pictures.mjs [--bin DIR] [--only TEXT]
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { secureGate } from '../daemon/lib/certificate.mjs';
import { Stage } from '../daemon/lib/stage.mjs';
import { enter, openBrowser, openDevice } from './lib/browser.mjs';
import { insight } from './lib/insight.mjs';
import { askSeveral, plan, play, policy } from './lib/scene.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const words = process.argv.slice(2);
const option = (name, otherwise) => (words.includes(name) ? words[words.indexOf(name) + 1] : otherwise);
const only = option('--only', '');
const out = option('--out', `${root}/docs/images`);

// A name is paired once.
const devices = ["Olga's phone", "Olga's tablet", "Olga's old phone", "Olga's laptop"];

const views = {
  questions: async (page) => { await page.getByText('a release is announced first').first().waitFor(); },
  rule: async (page, { waiting }) => {
    const { id } = waiting.find(({ call }) => String(call.command).includes('lodash'));
    await page.evaluate((to) => { location.hash = `#/question/${to}`; }, id);
    const card = page.locator(`#card-${id}`);
    await card.getByRole('button', { name: 'Always' }).click();
    await page.getByText('It would have covered').waitFor();
    await card.evaluate((element) => scrollBy(0, element.getBoundingClientRect().top - 80));
  },
  hidden: async (page, { waiting }) => {
    if (await page.locator('form.panel').count() > 0) await page.keyboard.press('Escape');
    const { id } = waiting.at(-1);
    await page.evaluate((to) => { location.hash = `#/question/${to}`; }, id);
    const card = page.locator(`#card-${id}`);
    await card.locator('.chip').first().waitFor();
    await card.evaluate((element) => scrollBy(0, element.getBoundingClientRect().top - 80));
  },
  plan: async (page, { plan }) => {
    await page.evaluate((to) => { location.hash = `#/question/${to}`; }, plan.id);
    const card = page.locator(`#card-${plan.id}`);
    await card.getByRole('button', { name: 'Approve plan' }).waitFor();
    await card.evaluate((element) => scrollBy(0, element.getBoundingClientRect().top - 80));
  },
  several: async (page, { several }) => {
    await page.evaluate((to) => { location.hash = `#/question/${to}`; }, several.id);
    const card = page.locator(`#card-${several.id}`);
    await card.locator('.threshold').first().waitFor();
    await card.evaluate((element) => scrollBy(0, element.getBoundingClientRect().top - 80));
  },
  alike: async (page, { waiting }) => {
    const { id } = waiting.find(({ call }) => String(call.command).includes('git push origin main'));
    await page.evaluate((to) => { location.hash = `#/question/${to}`; }, id);
    const card = page.locator(`#card-${id}`);
    await card.getByRole('button', { name: 'alike' }).click();
    await page.getByRole('form', { name: '2 alike' }).waitFor();
    await card.evaluate((element) => scrollBy(0, element.getBoundingClientRect().top - 80));
  },
  sessions: async (page) => { await page.locator('.session').first().waitFor(); },
  history: async (page) => {
    await page.locator('.rows tbody tr').first().waitFor();
    await page.getByPlaceholder('Search calls').fill('git');
    await page.getByText('cat package.json').waitFor({ state: 'detached' });
    await page.locator('.rows tbody a').filter({ hasText: '--force' }).first().click();
    await page.locator('.detail .grounds').waitFor();
    if (page.viewportSize().width > 900) await page.evaluate(() => scrollTo(0, 0));
  },
  policy: async (page) => {
    await page.locator('.rule-list').first().waitFor();
    await page.getByLabel('Call', { exact: true }).fill('npm run build && npm publish');
    await page.getByRole('button', { name: 'Judge' }).click();
    await page.locator('.tried').waitFor();
    await page.evaluate(() => scrollTo(0, 0));
  },
  grants: async (page) => { await page.locator('.rows tbody tr').first().waitFor(); },
  insight: async (page) => { await page.locator('.plot').first().waitFor(); },
  settings: async (page) => { await page.getByLabel('Name of the device').fill(devices.shift()); await page.getByRole('button', { name: 'Show a code' }).click(); await page.locator('.qr').waitFor(); await page.evaluate(() => scrollTo(0, 0)); },
};

const looks = [
  ['light', { scheme: 'light', viewport: { width: 1280, height: 860 } }],
  ['dark', { scheme: 'dark', viewport: { width: 1280, height: 860 } }],
  ['phone-light', { scheme: 'light', viewport: { width: 390, height: 844 }, touch: true }],
  ['phone-dark', { scheme: 'dark', viewport: { width: 390, height: 844 }, touch: true }],
];

// What a phone shows before it is logged in, of a gate with a certificate of its own.
async function drawDoors(look, options) {
  const gate = await secureGate(stage);
  const { url } = (await gate.send('POST', '/api/pair', { as: gate.operator, body: { device: "Olga's phone" } })).json;
  const page = await openDevice(doorway, { url: `https://${gate.host}:${gate.port}` }, { ...options, careless: true });
  for (const [view, address] of [['pair', url], ['trust', `https://${gate.host}:${gate.port}/#/trust`]]) {
    if (!`${view}-${look}`.includes(only)) continue;
    await page.goto(address);
    await page.locator('.digits').waitFor();
    await page.waitForTimeout(300);
    await page.screenshot({ path: `${out}/${view}-${look}.png` });
  }
  await page.context().close();
}

const stage = new Stage({ bin: path.resolve(option('--bin', `${root}/build/release/bin`)) });
const browser = await openBrowser();
const doorway = await openBrowser({ names: ['box.local'] });
// Who keeps heads of the chain, out of the agents' reach.
const keeper = http.createServer((request, response) => request.resume().on('end', () => response.end('ok')));
await new Promise((done) => keeper.listen(0, '127.0.0.1', done));
const heads = `notify:\n  - {name: keeper, type: webhook, url: "http://127.0.0.1:${keeper.address().port}/", secret: s3cret, rules: [breaker]}\n`;
try {
  fs.mkdirSync(out, { recursive: true });
  const daemon = await stage.fresh({ policy: policy.replace('settings:', 'settings:\n  publicUrl: https://gate.example.org\n  anchor: {journal: false, notify: keeper, every: 1s}') + heads });
  const scene = await play(daemon);
  scene.several = await askSeveral(daemon, scene.web);
  scene.plan = await daemon.asked(scene.lead, { plan }, { tool: 'ExitPlanMode' });
  const given = await daemon.asked(scene.web, 'npm install --save-dev vitest');
  await daemon.approve(given.id, { scope: 'session' }, daemon.operator);
  const kept = await daemon.asked(scene.api, 'npm install --save-exact zod@3.23.8');
  await daemon.approve(kept.id, { scope: 'agent', expires: 8 * 3_600_000 }, daemon.operator);
  for (const [look, options] of looks.filter(([name]) => name.startsWith('phone'))) if (`pair-${look} trust-${look}`.includes(only)) await drawDoors(look, options);
  for (const [look, options] of looks) {
    if (!`login-${look} ${Object.keys(views).map((view) => `${view}-${look}`).join(' ')}`.includes(only)) continue;
    const page = await openDevice(browser, daemon, options);
    await page.route('**/api/insight*', (route) => route.fulfill({ json: insight(new Date('2026-11-18T12:00:00Z')) }));
    await page.goto(`${daemon.url}/`);
    await page.getByLabel('Link or credential').waitFor();
    if (`login-${look}`.includes(only)) await page.screenshot({ path: `${out}/login-${look}.png` });
    await enter(page, daemon, daemon.operator);
    for (const [view, prepare] of Object.entries(views)) {
      if (!`${view}-${look}`.includes(only)) continue;
      await page.goto(`${daemon.url}/#/${['rule', 'hidden', 'plan', 'several', 'alike'].includes(view) ? 'questions' : view}`);
      await prepare(page, scene);
      await page.waitForTimeout(300);
      await page.screenshot({ path: `${out}/${view}-${look}.png` });
    }
    for (const complaint of page.complaints) console.log(`${look}: ${complaint}`);
    await page.context().close();
  }
} finally {
  keeper.close();
  await browser.close();
  await doorway.close();
  await stage.close();
}
process.exit(0);
