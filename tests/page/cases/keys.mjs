// Single keys: what each of them does, and that none answers what was not before the eyes.
import { card } from './answers.mjs';
import { until } from '../../daemon/lib/world.mjs';

const policy = 'version: 1\nsettings: {permissionTimeout: 0}\nrules:\n  ask: [{rule: "Bash(git push *)", reason: others pull from there}]\nagents: {backend: {}}\n';
const focused = (page, id) => page.waitForFunction((each) => document.activeElement?.id === `card-${each}`, id);
const state = async (daemon, id) => (await daemon.permission(id)).state;

// A gate with these questions and a page on which the first one is selected, whole.
async function play(scene, commands) {
  const daemon = await scene.fresh({ policy });
  const session = await daemon.session();
  const asked = [];
  for (const command of commands) asked.push(await daemon.asked(session, command));
  const page = await scene.device(daemon);
  await card(page, asked[0].id).locator('.allow:enabled').waitFor();
  await page.keyboard.press('j');
  await focused(page, asked[0].id);
  return { daemon, session, page, asked };
}

// Presses when the card has the focus, without the way from here to the browser between.
const pressAt = (page, id, key) => page.evaluate(async ([each, name]) => {
  while (document.activeElement?.id !== `card-${each}`) await new Promise((go) => requestAnimationFrame(go));
  document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }));
}, [id, key]);

export const rows = [
  {
    name: 's allows it for the session: the same call asks no more',
    act: async (scene) => {
      const { daemon, session, page, asked: [one] } = await play(scene, ['npm install one']);
      await page.keyboard.press('s');
      await one.call.said();
      return [(await daemon.permission(one.id)).answer.scope, await daemon.verdict(session, 'npm install one')];
    },
    want: ['session', 'allow'],
  },
  {
    name: 'a opens the rule and e the input, each with the focus in it; Escape gives it back, Ctrl and Enter send',
    act: async (scene) => {
      const { daemon, page, asked: [one, two] } = await play(scene, ['npm install one', 'npm install two']);
      const typing = (name) => page.waitForFunction((each) => document.activeElement?.closest('form.panel')?.getAttribute('aria-label') === each, name);
      await page.keyboard.press('a');
      await typing('Allow always');
      await page.keyboard.press('Escape');
      await focused(page, one.id);
      await page.keyboard.press('e');
      await typing('Edit the input, then allow once');
      await page.keyboard.press('Control+A');
      await page.keyboard.type('npm install other');
      await page.keyboard.press('Control+Enter');
      const { updatedInput } = await one.call.said();
      await focused(page, one.id);
      await page.keyboard.press('j');
      await focused(page, two.id);
      await page.keyboard.press('a');
      await typing('Allow always');
      await page.getByText('It would have covered').waitFor();
      await page.keyboard.press('Control+Enter');
      await two.call.said();
      return [updatedInput.command, (await daemon.permission(two.id)).answer.scope];
    },
    want: ['npm install other', 'agent'],
  },
  {
    name: 'g opens those that are alike, with the focus on the first of them; Enter there answers nothing, the button does',
    act: async (scene) => {
      const { daemon, page, asked } = await play(scene, ['git push origin one', 'git push origin two', 'git push origin three']);
      await page.keyboard.press('g');
      await page.waitForFunction(() => document.activeElement?.type === 'checkbox');
      await page.keyboard.press('Space');
      await page.keyboard.press('Enter');
      await page.getByLabel('Reason for a denial').press('Enter');
      const quiet = await Promise.all(asked.map(({ id }) => state(daemon, id)));
      await page.getByRole('button', { name: 'Allow 2 once' }).press('Enter');
      return [...quiet, ...await Promise.all(asked.slice(1).map(async ({ call }) => (await call.said()).behavior)), await state(daemon, asked[0].id)];
    },
    want: ['pending', 'pending', 'pending', 'allow', 'allow', 'pending'],
  },
  {
    name: 'no rule can settle an ask rule: s and a say so and answer nothing',
    act: async (scene) => {
      const { daemon, page, asked: [one] } = await play(scene, ['git push origin one']);
      for (const key of ['s', 'a']) {
        await page.keyboard.press(key);
        await page.getByText('This can be allowed once only.').waitFor({ state: 'attached' });
      }
      return [await state(daemon, one.id), await page.locator('form.panel').count()];
    },
    want: ['pending', 0],
  },
  {
    name: 'a key that is held answers one question and not the next',
    act: async (scene) => {
      const { daemon, page, asked: [one, two] } = await play(scene, ['npm install one', 'npm install two']);
      await page.keyboard.down('y');
      await one.call.said();
      await focused(page, two.id);
      await page.waitForTimeout(700);   // longer than the moment in which no key counts
      for (let i = 0; i < 5; ++i) await page.keyboard.down('y');
      await page.keyboard.up('y');
      const held = await state(daemon, two.id);
      await page.keyboard.press('y');
      return [held, (await two.call.said()).behavior];
    },
    want: ['pending', 'allow'],
  },
  {
    name: 'a second key at once does not answer the question that has just come before the eyes; a later one does',
    act: async (scene) => {
      const { daemon, page, asked: [one, two] } = await play(scene, ['npm install one', 'npm install two']);
      await page.keyboard.press('y');
      await pressAt(page, two.id, 'y');
      await one.call.said();
      await page.getByText('Another question has just come').waitFor({ state: 'attached' });
      const at_once = await state(daemon, two.id);
      await page.waitForTimeout(600);
      await page.keyboard.press('y');
      return [at_once, (await two.call.said()).behavior];
    },
    want: ['pending', 'allow'],
  },
  {
    name: 'a card that was scrolled out of sight is brought back by the first key and answered by a later one',
    act: async (scene) => {
      const { daemon, page, asked } = await play(scene, Array.from({ length: 12 }, (_, i) => `npm install p${i}`));
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      await page.waitForFunction((id) => { const card = document.getElementById(`card-${id}`); return card === null || card.getBoundingClientRect().bottom < 0; }, asked[0].id);
      await page.keyboard.press('y');
      await page.waitForFunction((id) => { const card = document.getElementById(`card-${id}`)?.getBoundingClientRect(); return card && card.top >= 0 && card.bottom <= innerHeight; }, asked[0].id);
      const first = await state(daemon, asked[0].id);
      await page.waitForTimeout(600);
      await page.keyboard.press('y');
      return [first, (await asked[0].call.said()).behavior];
    },
    want: ['pending', 'allow'],
  },
  {
    name: 'part of a call that was never on the screen: the first key says so, the same again allows, and so does reading to its end',
    act: async (scene) => {
      const long = (name) => `npm install ${name}\n${'npm run step\n'.repeat(60)}npm run evil`;
      const { daemon, page, asked: [one, two] } = await play(scene, [long('one'), long('two')]);
      await page.keyboard.press('y');
      await card(page, one.id).getByText('part of the call was not on the screen').waitFor();
      const first = await state(daemon, one.id);
      await page.keyboard.press('y');
      const said = [(await one.call.said()).behavior];
      await focused(page, two.id);
      const box = card(page, two.id).locator('.longtext').first();
      await box.evaluate((each) => { each.scrollTop = each.scrollHeight; });
      await page.waitForTimeout(700);
      await page.keyboard.press('y');
      said.push((await two.call.said()).behavior);
      return [first, ...said, await card(page, two.id).getByText('part of the call').count()];
    },
    want: ['pending', 'allow', 'allow', 0],
  },
  {
    name: 'switched off, no single key does anything',
    act: async (scene) => {
      const { daemon, page, asked: [one] } = await play(scene, ['npm install one']);
      await page.goto(`${daemon.url}/#/settings`);
      await page.getByLabel('Single keys answer questions (j k y s a n e g)').uncheck();
      await page.goto(`${daemon.url}/#/question/${one.id}`);
      await focused(page, one.id);
      for (const key of 'ysaneg?2') await page.keyboard.press(key);
      const off = [await state(daemon, one.id), await page.locator('form.panel, dialog[open]').count(), new URL(page.url()).hash.startsWith('#/question/')];
      await page.goto(`${daemon.url}/#/settings`);
      await page.getByLabel(/^Single keys/).check();
      await page.keyboard.press('Tab');   // a key never acts while a field has the focus
      await page.evaluate(() => document.activeElement.blur());
      await page.keyboard.press('1');
      await until(() => new URL(page.url()).hash === '#/questions', 'the questions');
      return off;
    },
    want: ['pending', 0, true],
  },
];
