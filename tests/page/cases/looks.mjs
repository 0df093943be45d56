// Every view, light and dark, from 360 pixels to wide: axe finds nothing serious, nothing runs over the edge.
import { axeSource, phone, wide } from '../lib/browser.mjs';
import { insight } from '../lib/insight.mjs';
import { askSeveral, plan, play, policy } from '../lib/scene.mjs';

const views = ['questions', 'sessions', 'history', 'policy', 'grants', 'insight', 'settings'];

async function serious(page) {
  await page.evaluate(axeSource());
  return page.evaluate(async () => {
    const { violations } = await window.axe.run(document, { resultTypes: ['violations'] });
    return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ target }) => target.join(' ')).join(' | ')}`);
  });
}

const settled = async (page, view) => {
  if (view === 'questions') await page.locator('.card .actions').first().waitFor();
  if (view === 'history') { await page.locator('.rows a').filter({ hasText: '--force' }).first().click(); await page.locator('.detail .grounds').waitFor(); }
  await page.locator('.busy').first().waitFor({ state: 'detached' }).catch(() => {});
};

const isTooWide = (page) => page.evaluate(() => document.documentElement.scrollWidth > innerWidth + 1);

// What opens over or within the questions. `waiting` has them in the order of lib/scene.mjs.
const showCard = async (page, { id }) => { await page.evaluate((to) => { location.hash = `#/question/${to}`; }, id); return page.locator(`#card-${id}`); };
const panel = (at, name, title) => async (page, waiting) => {
  await (await showCard(page, waiting[at])).getByRole('button', { name }).click();
  await page.getByRole('form', { name: title }).waitFor();
};
const openings = [
  ['a card that several answer', async (page, { several }) => { await (await showCard(page, several)).locator('.threshold').first().waitFor(); }],
  ['a plan', async (page, waiting) => { await (await showCard(page, waiting.plan)).getByRole('button', { name: 'Approve plan' }).waitFor(); }],
  ['the rule', panel(4, 'Always', 'Allow always')],
  ['the denial', panel(4, 'Deny', 'Deny')],
  ['the edited input', panel(2, 'Edit', 'Edit the input, then allow once')],
  ['those alike', panel(5, 'alike', '2 alike')],
  ['the help', async (page) => { await page.locator('body').press('?'); await page.getByRole('dialog').waitFor(); }],
];

const row = (words, options) => ({
  name: `${words}: axe finds nothing serious in any view, and nothing is wider than the screen`,
  act: async (scene) => {
    const daemon = await scene.fresh({ policy });
    const { waiting, web, lead } = await play(daemon);
    waiting.several = await askSeveral(daemon, web);
    waiting.plan = await daemon.asked(lead, { plan }, { tool: 'ExitPlanMode' });
    const found = [];
    const page = await scene.device(daemon, null, options);
    await page.goto(`${daemon.url}/`);
    await page.getByLabel('Link or credential').waitFor();
    found.push(...(await serious(page)).map((each) => `login ${each}`));
    await page.getByLabel('Link or credential').fill(daemon.operator);
    await page.getByRole('button', { name: 'Log in' }).click();
    for (const view of views) {
      await page.goto(`${daemon.url}/#/${view}`);
      await settled(page, view);
      found.push(...(await serious(page)).map((each) => `${view} ${each}`));
      if (await isTooWide(page)) found.push(`${view} is wider than the screen`);
    }
    for (const [name, open] of openings) {
      await page.goto(`${daemon.url}/#/questions`);
      await settled(page, 'questions');
      await open(page, waiting);
      found.push(...(await serious(page)).map((each) => `${name} ${each}`));
      if (await isTooWide(page)) found.push(`${name} is wider than the screen`);
      await page.keyboard.press('Escape');
    }
    return found;
  },
  want: [],
});

export const rows = [
  row('wide and light', { viewport: wide, scheme: 'light' }),
  row('wide and dark', { viewport: wide, scheme: 'dark' }),
  row('a phone of 360 pixels, light', { viewport: phone, scheme: 'light', touch: true }),
  row('a phone of 360 pixels, dark', { viewport: phone, scheme: 'dark', touch: true }),
  {
    name: 'where the system asks for less motion nothing moves by itself, and elsewhere colours pass over',
    act: async (scene) => {
      const daemon = await scene.fresh({ policy });
      const { id } = await daemon.asked(await daemon.session('web'), 'npm install left-pad');
      const out = [];
      for (const motion of ['reduce', 'no-preference']) {
        const page = await scene.device(daemon, undefined, { motion });
        await page.locator(`#card-${id} .actions`).waitFor();
        out.push(await page.evaluate(() => [...document.querySelectorAll('*')].some((each) => {
          const { transitionDuration, animationName, scrollBehavior } = getComputedStyle(each);
          return transitionDuration.split(', ').some((time) => time !== '0s') || animationName !== 'none' || scrollBehavior === 'smooth';
        })));
      }
      return out;
    },
    want: [false, true],
  },
  {
    name: 'the switch outweighs the system, and is kept',
    act: async (scene) => {
      const page = await scene.device(await scene.gate(), undefined, { scheme: 'light' });
      const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
      const light = await ground();
      await page.getByRole('button', { name: /Appearance/ }).click();
      await page.getByRole('button', { name: /Appearance/ }).click();
      const dark = await ground();
      await page.reload();
      await page.getByRole('heading', { name: 'Questions' }).waitFor();
      return [light !== dark, await ground() === dark];
    },
    want: [true, true],
  },
  {
    name: 'on a phone a row of the record that was opened far below comes into sight',
    act: async (scene) => {
      const daemon = await scene.fresh({ policy });
      const session = await daemon.session('web');
      for (let i = 0; i < 30; ++i) await daemon.verdict(session, `npm test ${i}`);
      const page = await scene.device(daemon, undefined, { viewport: phone, touch: true });
      await page.goto(`${daemon.url}/#/history`);
      await page.locator('.rows a').filter({ hasText: 'npm test 3' }).last().tap();
      await page.locator('.detail .grounds').waitFor();
      return page.locator('.detail header').evaluate((each) => { const { top, bottom } = each.getBoundingClientRect(); return top >= 0 && bottom <= innerHeight; });
    },
    want: true,
  },
  {
    name: 'plots have their letters apart and within their figure, wide and on a phone',
    act: async (scene) => {
      const daemon = await scene.fresh({ policy });
      const found = [];
      for (const viewport of [wide, phone]) {
        const page = await scene.device(daemon, undefined, { viewport });
        await page.route('**/api/insight*', (route) => route.fulfill({ json: insight(new Date('2026-11-18T12:00:00Z')) }));
        await page.goto(`${daemon.url}/#/insight`);
        await page.locator('.plot').nth(1).waitFor();
        found.push(...await page.evaluate((width) => [...document.querySelectorAll('.plot')].flatMap((plot) => {
          const frame = plot.getBoundingClientRect(), all = [...plot.querySelectorAll('svg text')].map((each) => [each.textContent, each.getBoundingClientRect()]);
          const out = all.filter(([, box]) => box.left < frame.left || box.right > frame.right || box.height < 9).map(([text]) => `${width}: ${text} stands out`);
          const over = all.filter(([, a], i) => all.some(([, b], k) => k > i && a.left < b.right && b.left < a.right && a.top + 2 < b.bottom && b.top + 2 < a.bottom)).map(([text]) => `${width}: ${text} lies on another`);
          return [...out, ...over];
        }), viewport.width));
      }
      return found;
    },
    want: [],
  },
  {
    name: 'on a phone the views are at the thumb, and every one can be reached',
    act: async (scene) => {
      const page = await scene.device(await scene.gate(), undefined, { viewport: phone, touch: true });
      const seen = [], nav = page.getByRole('navigation');
      for (const name of ['Sessions', 'History', 'Policy']) { await nav.getByRole('link', { name }).tap(); await page.getByRole('heading', { level: 1, name }).waitFor(); seen.push(name); }
      for (const name of ['Grants', 'Insight', 'Settings']) { await nav.getByRole('button').first().tap(); await nav.getByRole('link', { name }).tap(); await page.getByRole('heading', { level: 1, name }).waitFor(); seen.push(name); }
      return seen;
    },
    want: ['Sessions', 'History', 'Policy', 'Grants', 'Insight', 'Settings'],
  },
];
