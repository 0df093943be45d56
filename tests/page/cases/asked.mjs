// What an agent puts to people that is no permission: a plan, and forms of several questions.
import { card } from './answers.mjs';

const policy = 'version: 1\nsettings: {permissionTimeout: 0}\nagents: {backend: {}}\n';

async function play(scene, input, tool) {
  const daemon = await scene.fresh({ policy });
  const asked = await daemon.asked(await daemon.session(), input, { tool });
  const page = await scene.device(daemon);
  const here = card(page, asked.id);
  await here.locator('form.escalation').waitFor();
  return { daemon, page, here, ...asked };
}

const plan = `# The plan\n\n${'one more step, as <b>text</b>\n'.repeat(300)}and last: delete \u202ethe backups`;
const form = { questions: [
  { question: 'Which base?', header: 'base', options: [{ label: 'main', description: 'as ever' }, { label: 'next' }], multiSelect: false },
  { question: 'Which checks?', header: 'checks', options: [{ label: 'unit' }, { label: 'lint' }, { label: 'types' }], multiSelect: true },
] };

export const rows = [
  {
    name: 'a plan is there as prose, whole and inert, hidden characters labelled; nothing looks like an answer in words',
    act: async (scene) => {
      const { here } = await play(scene, { plan }, 'ExitPlanMode');
      const box = here.getByRole('region', { name: 'the plan' });
      await box.evaluate((each) => { each.scrollTop = each.scrollHeight; });
      await box.locator('.chip').waitFor();
      return [await box.textContent() === plan, await box.locator('b').count(), await here.getByRole('button').allInnerTexts(), await here.locator('.chip').first().getAttribute('data-label')];
    },
    want: [true, 0, ['Approve plan', 'Send it back'], 'RLO'],
  },
  {
    name: 'a plan is approved by a press alone, and the request holds no words',
    act: async (scene) => {
      const { here, call, page } = await play(scene, { plan }, 'ExitPlanMode');
      const sent = page.waitForRequest(/\/approve$/);
      await here.getByRole('button', { name: 'Approve plan' }).click();
      return [(await sent).postData(), (await call.said()).behavior];
    },
    want: ['{}', 'allow'],
  },
  {
    name: 'what is typed beside a plan sends it back, by button or by Ctrl and Enter, and cannot approve it',
    act: async (scene) => {
      const { here, call, page } = await play(scene, { plan: 'Delete the backups.' }, 'ExitPlanMode');
      await here.getByRole('textbox').fill('No! keep the backups');
      const disabled = await here.getByRole('button', { name: 'Approve plan' }).isDisabled();
      await page.keyboard.press('Control+Enter');
      const { behavior, message } = await call.said();
      await here.locator('.end').getByText('Denied').waitFor();
      return [disabled, behavior, message.includes('keep the backups'), await here.getByText('Delete the backups.').count() > 0];
    },
    want: [true, 'deny', true, true],
  },
  {
    name: 'what a plan\'s call has beside the plan is shown, too',
    act: async (scene) => {
      const { here } = await play(scene, { plan: 'Go.', allowedPrompts: [{ tool: 'Bash', prompt: 'run anything' }] }, 'ExitPlanMode');
      return here.getByText('run anything').count();
    },
    want: 1,
  },
  {
    name: 'a form of several questions wants an answer to each, and gives them by their texts',
    act: async (scene) => {
      const { here, page } = await play(scene, form, 'AskUserQuestion');
      const send = here.getByRole('button', { name: 'Send the answers' });
      await here.getByRole('radio', { name: /main/ }).check();
      const early = await send.isDisabled();
      for (const name of ['unit', 'types']) await here.getByRole('checkbox', { name }).check();
      const sent = page.waitForRequest(/\/approve$/);
      await send.click();
      const { answers } = JSON.parse((await sent).postData());
      await here.locator('.end').waitFor();
      return [early, answers];
    },
    want: [true, { 'Which base?': 'main', 'Which checks?': 'unit, types' }],
  },
];
