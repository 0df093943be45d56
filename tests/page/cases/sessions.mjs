// Agents at work: modes and answerers switched, one or all of them stopped, and how the first one is opened.
const policy = 'version: 1\nsettings: {permissionTimeout: 0}\nrules: {allow: ["Bash(make *)"]}\nagents: {backend: {}, frontend: {}}\n';

const open = async (scene, as = 'operator') => {
  const daemon = await scene.fresh({ policy });
  const page = await scene.device(daemon, daemon[as]);
  await page.goto(`${daemon.url}/#/sessions`);
  return { daemon, page };
};
const start = async (daemon, session, command = 'make all') => (await daemon.verdict(session, command)).split(':')[0];

export const rows = [
  {
    name: 'where there is no session the page names the command that opens one, and no credential',
    act: async (scene) => {
      const { page } = await open(scene);
      const text = await page.locator('.empty').innerText();
      return [text.includes('tollgate sessions open --agent NAME --cwd ~/project'), /curl|Bearer|CREDENTIAL/.test(text)];
    },
    want: [true, false],
  },
  {
    name: 'a session that is opened while the list is on its way is shown, too',
    act: async (scene) => {
      const { daemon, page } = await open(scene);
      await page.locator('.empty').waitFor();
      await page.goto(`${daemon.url}/#/grants`);
      let first = true, end;
      const told = new Promise((go) => { end = go; });
      await page.route('**/api/sessions?*', async (route) => {
        if (!first) return route.continue();
        first = false;
        const before = await route.fetch();
        await daemon.session();
        await page.locator('.session').waitFor();   // the socket told it
        await route.fulfill({ response: before });
        return end();
      });
      await page.goto(`${daemon.url}/#/sessions`);
      await told;
      await page.waitForTimeout(300);
      return page.locator('.session').count();
    },
    want: 1,
  },
  {
    name: 'mode and answerer of a session are switched, hold from the next call on, and go back to the agent\'s own',
    act: async (scene) => {
      const { daemon, page } = await open(scene);
      const session = await daemon.session();
      const got = [];
      const set = async (label, option, value) => {
        const [done] = await Promise.all([page.waitForResponse((response) => response.request().method() === 'PATCH'), page.getByRole('combobox', { name: label }).selectOption(option)]);
        got.push((await done.json())[value]);
      };
      await set('Mode', 'plan', 'mode');
      got.push(await start(daemon, session));
      await set('Mode', '', 'mode');
      got.push(await start(daemon, session));
      await set('Answers', 'no', 'answer');
      got.push(await start(daemon, session, 'npm install x'));
      await set('Answers', '', 'answer');
      return got;
    },
    want: ['plan', 'deny', null, 'allow', 'no', 'deny', null],
  },
  {
    name: 'an approver who is no operator sees the switches and cannot use them',
    act: async (scene) => {
      const { daemon, page } = await open(scene, 'ann');
      await daemon.session();
      await page.locator('.session').waitFor();
      return [await page.getByRole('combobox', { name: 'Mode' }).isDisabled(), await page.getByRole('combobox', { name: 'Answers' }).isDisabled(), await page.getByRole('button', { name: 'Freeze', exact: true }).isDisabled()];
    },
    want: [true, true, true],
  },
  {
    name: 'everything is frozen by a second press, every agent is denied, and all go on by one',
    act: async (scene) => {
      const { daemon, page } = await open(scene);
      const sessions = [await daemon.session('backend'), await daemon.session('frontend')];
      await page.locator('.session').nth(1).waitFor();
      await page.getByRole('button', { name: 'Freeze everything' }).click();
      const once = await start(daemon, sessions[0]);
      await page.getByRole('button', { name: 'Deny everything now?' }).click();
      await page.locator('.session.frozen').nth(1).waitFor();
      const frozen = await Promise.all(sessions.map((each) => start(daemon, each)));
      await page.getByRole('button', { name: 'Let everything go on' }).click();
      await page.locator('.session.frozen').first().waitFor({ state: 'detached' });
      return [once, ...frozen, ...await Promise.all(sessions.map((each) => start(daemon, each)))];
    },
    want: ['allow', 'deny', 'deny', 'allow', 'allow'],
  },
  {
    name: 'a session is frozen, goes on, and is ended after a second press',
    act: async (scene) => {
      const { daemon, page } = await open(scene);
      const session = await daemon.session();
      const row = page.locator('.session');
      await row.getByRole('button', { name: 'Freeze' }).click();
      await row.getByText('frozen', { exact: true }).waitFor();
      const frozen = (await daemon.verdict(session, 'make all')).slice(0, 4);
      await row.getByRole('button', { name: 'Let go on' }).click();
      await row.getByRole('button', { name: 'Freeze' }).waitFor();
      const free = await daemon.verdict(session, 'make all');
      await row.getByRole('button', { name: 'End' }).click();
      await row.getByRole('button', { name: 'End it and all below?' }).click();
      await row.waitFor({ state: 'detached' });
      return [frozen, free];
    },
    want: ['deny', 'allow'],
  },
  {
    name: 'a session that has ended is shown on demand, also after the page was loaded again',
    act: async (scene) => {
      const { daemon, page } = await open(scene);
      const session = await daemon.session();
      await daemon.session('frontend', { parent: session.handle });
      await page.locator('.session').nth(1).waitFor();
      await page.locator('.session').first().getByRole('button', { name: 'End' }).click();
      await page.locator('.session').first().getByRole('button', { name: 'End it and all below?' }).click();
      await page.getByText('All sessions have ended.').waitFor();
      const out = [];
      for (const again of [false, true]) {
        if (again) await page.reload();
        await page.getByRole('checkbox', { name: '2 ended' }).check();
        await page.locator('.session').nth(1).waitFor();
        out.push(await page.locator('.session .state').allInnerTexts(), await page.getByRole('button', { name: 'Freeze', exact: true }).count());
      }
      return out;
    },
    want: [['ended', 'ended'], 0, ['ended', 'ended'], 0],
  },
  {
    name: 'what one browser freezes and another program opens is on the other browser at once',
    act: async (scene) => {
      const { daemon, page } = await open(scene);
      await daemon.session('backend');
      const other = await scene.device(daemon, daemon.ann);
      await other.goto(`${daemon.url}/#/sessions`);
      await other.locator('.session').waitFor();
      const states = async (want) => { await other.waitForFunction((text) => [...document.querySelectorAll('.session .state')].map((each) => each.innerText).join() === text, want); return want; };
      const out = [];
      await daemon.session('frontend');
      out.push(await states('running,running'));
      await page.locator('.session').nth(1).waitFor();
      await page.getByRole('button', { name: 'Freeze everything' }).click();
      await page.getByRole('button', { name: 'Deny everything now?' }).click();
      out.push(await states('frozen,frozen'), await other.getByRole('button', { name: 'Let everything go on' }).count());
      await page.getByRole('button', { name: 'Let everything go on' }).click();
      out.push(await states('running,running'));
      return out;
    },
    want: ['running,running', 'frozen,frozen', 1, 'running,running'],
  },
];
