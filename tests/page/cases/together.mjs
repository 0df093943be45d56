// Several questions at once: those that are alike, and where the gate wants each by itself.
import { card, button } from './answers.mjs';

const policy = `version: 1
settings: {permissionTimeout: 0}
rules:
  ask: [{rule: "Bash(git push *)", reason: others pull from there}]
agents: {backend: {}}
`;

export const rows = [
  {
    name: 'questions of one rule are answered together, without the one that was taken out',
    act: async (scene) => {
      const daemon = await scene.fresh({ policy });
      const session = await daemon.session();
      const asked = [];
      for (const branch of ['one', 'two', 'three']) asked.push(await daemon.asked(session, `git push origin ${branch}`));
      const page = await scene.device(daemon);
      await button(page, asked[0].id, '3 alike').click();
      await card(page, asked[0].id).getByRole('checkbox').nth(1).uncheck();
      await page.getByRole('button', { name: 'Allow 2 once' }).click();
      const said = [(await asked[0].call.said()).behavior, (await asked[2].call.said()).behavior];
      await card(page, asked[2].id).getByText('delivered').waitFor();
      return [...said, (await daemon.permission(asked[1].id)).state, await card(page, asked[1].id).getByRole('button', { name: 'Allow once' }).count()];
    },
    want: ['allow', 'allow', 'pending', 1],
  },
  {
    name: 'the same call that was put twice is answered once for both',
    act: async (scene) => {
      const daemon = await scene.fresh({ policy });
      const session = await daemon.session();
      const asked = [await daemon.asked(session, 'npm install left-pad'), await daemon.asked(session, 'npm install left-pad')];
      const other = await daemon.asked(session, 'npm install right-pad');
      const page = await scene.device(daemon);
      await button(page, asked[0].id, '2 alike').click();
      const rows = await card(page, asked[0].id).getByRole('checkbox').count();
      await page.getByRole('button', { name: 'Allow 2 once' }).click();
      const said = [];
      for (const { call } of asked) said.push((await call.said()).behavior);
      return [asked[0].id !== asked[1].id, rows, said, (await daemon.permission(other.id)).state, await button(page, other.id, 'alike').count()];
    },
    want: [true, 2, ['allow', 'allow'], 'pending', 0],
  },
  {
    name: 'what asks for different reasons is not offered together',
    act: async (scene) => {
      const daemon = await scene.fresh({ policy });
      const session = await daemon.session();
      const one = await daemon.asked(session, 'git push origin one'), two = await daemon.asked(session, 'npm install two');
      const page = await scene.device(daemon);
      await button(page, two.id, 'Allow once').waitFor();
      return [await button(page, one.id, 'alike').count(), await button(page, two.id, 'alike').count()];
    },
    want: [0, 0],
  },
  {
    name: 'an answered card keeps its place, so that no other button comes under the pointer',
    act: async (scene) => {
      const daemon = await scene.fresh({ policy });
      const session = await daemon.session();
      const one = await daemon.asked(session, 'git push origin one'), two = await daemon.asked(session, 'git push origin two');
      const page = await scene.device(daemon);
      await button(page, one.id, 'Allow once').waitFor();
      await page.waitForTimeout(400);
      const before = await card(page, two.id).evaluate((each) => each.getBoundingClientRect().top);
      await button(page, one.id, 'Allow once').click();
      await card(page, one.id).getByText('delivered').waitFor();
      const after = await card(page, two.id).evaluate((each) => each.getBoundingClientRect().top);
      await button(page, two.id, 'Deny').waitFor();
      return Math.abs(after - before) < 30 || [before, after];
    },
    want: true,
  },
  {
    name: 'a new question goes below and moves nothing that is in sight',
    act: async (scene) => {
      const daemon = await scene.fresh({ policy });
      const session = await daemon.session();
      const asked = [];
      for (let i = 0; i < 8; ++i) asked.push(await daemon.asked(session, `npm install p${i}`));
      const page = await scene.device(daemon);
      await button(page, asked[0].id, 'Allow once').waitFor();
      await page.mouse.move(640, 450);
      await page.mouse.wheel(0, 500);
      await page.waitForTimeout(500);
      const place = () => page.evaluate(() => { const found = document.elementFromPoint(640, 450)?.closest('.card'); return [found?.id, found?.getBoundingClientRect().top]; });
      const before = await place();
      await daemon.asked(session, 'npm install fresh');
      await page.getByText('1 new below').waitFor();
      const after = await place();
      return JSON.stringify(before) === JSON.stringify(after) || [before, after];
    },
    want: true,
  },
];
