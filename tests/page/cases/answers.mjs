// Questions answered at the page, as a person does it, and what the agent's call got of it.
import http from 'node:http';

import { callTool } from '../../daemon/lib/mcp.mjs';

export const card = (page, id) => page.locator(`#card-${id}`);
export const button = (page, id, name) => card(page, id).getByRole('button', { name, exact: false });
export const ended = async (page, id) => { await card(page, id).getByText('delivered', { exact: false }).last().waitFor(); return card(page, id).locator('.end b').first().innerText(); };

// Gives a function that returns once it was called so many times.
function gathering(count) {
  let there = 0, open;
  const all = new Promise((go) => { open = go; });
  return () => { if (++there === count) open(); return all; };
}

export const rows = [
  {
    name: 'whoever is not logged in sees a login and nothing else',
    act: async (scene) => {
      const page = await scene.device(await scene.gate(), null);
      await page.goto(`${(await scene.gate()).url}/`);
      await page.getByLabel('Link or credential').waitFor();
      return [await page.locator('.card').count(), await page.getByRole('navigation').count()];
    },
    want: [0, 0],
  },
  {
    name: 'a wrong credential is refused with a reason',
    act: async (scene) => {
      const daemon = await scene.gate();
      const page = await scene.device(daemon, null);
      await page.goto(`${daemon.url}/`);
      await page.getByLabel('Link or credential').fill('wrong');
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByRole('alert').waitFor();
      return page.getByLabel('Link or credential').count();
    },
    want: 1,
  },
  {
    name: 'the printed link logs in, once',
    act: async (scene) => {
      const daemon = await scene.fresh({ people: false });
      const page = await scene.device(daemon, null);
      await page.goto(daemon.login);
      await page.getByRole('heading', { name: 'Questions' }).waitFor();
      const other = await scene.device(daemon, null);
      await other.goto(daemon.login);
      await other.getByRole('alert').waitFor();
      // Whoever is logged in is not thrown out by a link that was used before.
      await page.goto(daemon.login);
      await page.getByRole('heading', { name: 'Questions' }).waitFor();
      return [page.url().replace(daemon.url, ''), await other.getByLabel('Link or credential').count(), other.url().replace(daemon.url, '')];
    },
    want: ['/#/questions', 1, '/#/questions'],
  },
  {
    name: 'a page at another port of the host gets the cookie and can do nothing with it',
    act: async (scene) => {
      const daemon = await scene.gate();
      const page = await scene.device(daemon);
      const asked = await daemon.asked(await daemon.session(), 'npm install neighbour');
      const got = [];
      const neighbour = http.createServer((request, response) => { got.push(request.headers.cookie ?? ''); response.setHeader('Content-Type', 'text/html').end('<title>neighbour</title>'); });
      await new Promise((done) => neighbour.listen(0, '127.0.0.1', done));
      try {
        const other = await page.context().newPage();
        await other.goto(`http://127.0.0.1:${neighbour.address().port}/`);
        const stolen = got.find((each) => each.includes('tollgate='));
        const kept = await other.evaluate(() => localStorage.getItem('tollgate.key'));
        const used = await daemon.send('POST', `/api/permissions/${asked.id}/approve`, { body: {}, headers: { Cookie: stolen } });
        const looked = await daemon.send('GET', '/api/permissions', { headers: { Cookie: stolen } });
        const { state } = await daemon.permission(asked.id);
        await daemon.deny(asked.id);
        return [stolen !== undefined, kept, used.status, looked.status, state, await page.evaluate(() => localStorage.getItem('tollgate.key')?.startsWith('tgk_'))];
      } finally {
        neighbour.close();
      }
    },
    want: [true, null, 401, 401, 'pending', true],
  },
  {
    name: 'a reload and a second tab stay logged in; logging out ends both',
    act: async (scene) => {
      const daemon = await scene.gate();
      const page = await scene.device(daemon);
      await page.reload();
      await page.getByRole('heading', { name: 'Questions' }).waitFor();
      const tab = await page.context().newPage();
      await tab.goto(`${daemon.url}/#/settings`);
      await tab.getByRole('button', { name: 'Log this device out' }).click();
      await tab.getByLabel('Link or credential').waitFor();
      await page.getByLabel('Link or credential').waitFor();
      return page.evaluate(() => localStorage.getItem('tollgate.key'));
    },
    want: null,
  },
  {
    name: 'a question appears while the page is open, in the title and to those who listen',
    act: async (scene) => {
      const daemon = await scene.gate();
      const page = await scene.device(daemon);
      const asked = await daemon.asked(await daemon.session(), 'npm install one');
      await card(page, asked.id).getByText('npm install one').first().waitFor();
      await page.waitForFunction(() => document.title.startsWith('(1) '));
      await page.getByText('New question: backend asks to use Bash').waitFor({ state: 'attached' });
      const icon = await page.locator('#icon').getAttribute('href');
      await daemon.deny(asked.id);
      await page.waitForFunction(() => !document.title.startsWith('('));
      return icon;
    },
    want: '/icon-1.svg',
  },
  {
    name: 'a page that is opened late shows what waits, and counts by the clock of the gate',
    act: async (scene) => {
      const daemon = await scene.fresh({ policy: 'version: 1\nsettings: {permissionTimeout: 300000}\nagents: {backend: {}}\n' });
      const asked = await daemon.asked(await daemon.session(), 'npm install late');
      const page = await scene.device(daemon, null);
      await page.addInitScript(() => { const real = Date.now; Date.now = () => real() + 3_600_000; });
      await page.goto(`${daemon.url}/`);
      await page.getByLabel('Link or credential').fill(daemon.ann);
      await page.getByRole('button', { name: 'Log in' }).click();
      const text = await card(page, asked.id).locator('.countdown').innerText();
      return /^4:5\d$|^5:00$/.test(text) || text;
    },
    want: true,
  },
  {
    name: 'allowed once: recorded, delivered, and the agent may run it',
    act: async (scene) => {
      const daemon = await scene.gate();
      const asked = await daemon.asked(await daemon.session(), 'npm install once');
      const page = await scene.device(daemon);
      await button(page, asked.id, 'Allow once').click();
      const said = await asked.call.said();
      return [await ended(page, asked.id), said.behavior, (await daemon.permission(asked.id)).answer.scope];
    },
    want: ['Allowed', 'allow', 'once'],
  },
  {
    name: 'allowed for the session: the same call goes through without a question',
    act: async (scene) => {
      const daemon = await scene.gate();
      const session = await daemon.session();
      const asked = await daemon.asked(session, 'npm install session');
      const page = await scene.device(daemon);
      await button(page, asked.id, 'This session').click();
      await asked.call.said();
      return [await ended(page, asked.id), await daemon.verdict(session, 'npm install session')];
    },
    want: ['Allowed', 'allow'],
  },
  {
    name: 'allowed always with an edited rule: previewed, kept, and shown among the grants',
    act: async (scene) => {
      const daemon = await scene.gate();
      const session = await daemon.session('frontend');
      const asked = await daemon.asked(session, 'npm install always@1');
      const page = await scene.device(daemon);
      await button(page, asked.id, 'Always').click();
      await page.getByLabel('Rule', { exact: true }).fill('Bash(npm install always@*)');
      await page.getByText('It would have covered').waitFor();
      await page.getByLabel('Expires').selectOption({ label: 'after 1 hour' });
      await page.getByRole('button', { name: 'Allow and remember' }).click();
      await asked.call.said();
      await ended(page, asked.id);
      await page.goto(`${daemon.url}/#/grants`);
      await page.getByText('Bash(npm install always@*)').waitFor();
      const kept = (await daemon.send('GET', '/api/grants', { as: daemon.ann })).json.grants.at(-1);
      return [await daemon.verdict(session, 'npm install always@2'), kept.rule, kept.expiresAt !== null];
    },
    want: ['allow', 'Bash(npm install always@*)', true],
  },
  {
    name: 'a rule that covers too much is refused as it is typed, with what to do',
    act: async (scene) => {
      const daemon = await scene.gate();
      const asked = await daemon.asked(await daemon.session(), 'npm install broad');
      const page = await scene.device(daemon);
      await button(page, asked.id, 'Always').click();
      await page.getByLabel('Rule', { exact: true }).fill('Bash(');
      await page.getByRole('alert').waitFor();
      const off = await page.getByRole('button', { name: 'Allow and remember' }).isDisabled();
      await daemon.deny(asked.id);
      return off;
    },
    want: true,
  },
  {
    name: 'denied with a reason, which the agent is told',
    act: async (scene) => {
      const daemon = await scene.gate();
      const asked = await daemon.asked(await daemon.session(), 'npm install no');
      const page = await scene.device(daemon);
      await button(page, asked.id, 'Deny').click();
      await page.getByLabel('Reason, which the agent is told').fill('use pnpm');
      await card(page, asked.id).locator('form').getByRole('button', { name: 'Deny' }).click();
      const said = await asked.call.said();
      return [await ended(page, asked.id), said.behavior, said.message.includes('use pnpm')];
    },
    want: ['Denied', 'deny', true],
  },
  {
    name: 'the input is edited before it is allowed',
    act: async (scene) => {
      const daemon = await scene.gate();
      const asked = await daemon.asked(await daemon.session(), 'npm install edited@1');
      const page = await scene.device(daemon);
      await button(page, asked.id, 'Edit').click();
      await card(page, asked.id).locator('textarea').first().fill('npm install edited@2');
      await page.getByRole('button', { name: 'Allow once with this input' }).click();
      return (await asked.call.said()).updatedInput;
    },
    want: { command: 'npm install edited@2' },
  },
  {
    name: 'a question of an agent looks different, and gets the option that was picked',
    act: async (scene) => {
      const daemon = await scene.gate();
      const session = await daemon.session();
      const page = await scene.device(daemon);
      const call = callTool(daemon.port, session.id, 'ask_user', { question: 'Which one?', options: ['red', 'blue'] }, { from: daemon.place });
      await page.locator('.card.escalation').getByRole('button', { name: 'blue' }).click();
      const text = (await call.result()).content[0].text;
      return text.includes('blue');
    },
    want: true,
  },
  {
    name: 'one question in two browsers: the first answer stands, the other page shows it',
    act: async (scene) => {
      const daemon = await scene.gate();
      const asked = await daemon.asked(await daemon.session(), 'npm install two');
      const ann = await scene.device(daemon), bob = await scene.device(daemon, daemon.bob);
      await button(bob, asked.id, 'Allow once').waitFor();
      await button(ann, asked.id, 'Deny').click();
      await card(ann, asked.id).locator('form').getByRole('button', { name: 'Deny' }).click();
      await asked.call.said();
      await card(bob, asked.id).getByText('elsewhere').waitFor();
      return [await ended(bob, asked.id), (await card(bob, asked.id).locator('.end').innerText()).match(/by\s+ann/) !== null, await card(ann, asked.id).getByText('by you').count()];
    },
    want: ['Denied', true, 1],
  },
  {
    name: 'both press at once: one is recorded, the other is told',
    act: async (scene) => {
      const daemon = await scene.gate();
      const asked = await daemon.asked(await daemon.session(), 'npm install race');
      const ann = await scene.device(daemon), bob = await scene.device(daemon, daemon.bob);
      for (const page of [ann, bob]) await button(page, asked.id, 'Allow once').waitFor();
      const both = gathering(2);   // neither answer leaves before both are pressed
      for (const page of [ann, bob]) await page.route('**/approve', async (route) => { await both(); await route.continue(); });
      await Promise.all([ann, bob].map((page) => button(page, asked.id, 'Allow once').click()));
      await asked.call.said();
      await ended(ann, asked.id); await ended(bob, asked.id);
      const mine = await Promise.all([ann, bob].map((page) => card(page, asked.id).getByText('by you').count()));
      return [mine[0] + mine[1], (await daemon.permission(asked.id)).votes.length];
    },
    want: [1, 1],
  },
  {
    name: 'nobody answers in time: the card stays and says so',
    act: async (scene) => {
      const daemon = await scene.fresh({ policy: 'version: 1\nsettings: {permissionTimeout: 3000}\nagents: {backend: {}}\n' });
      const session = await daemon.session();
      const page = await scene.device(daemon);
      const asked = await daemon.asked(session, 'npm install slow');
      await card(page, asked.id).getByText('Expired').waitFor();
      return [(await asked.call.said()).behavior, await button(page, asked.id, 'Allow once').count()];
    },
    want: ['deny', 0],
  },
  {
    name: 'an agent that hangs up is shown as gone',
    act: async (scene) => {
      const daemon = await scene.gate();
      const asked = await daemon.asked(await daemon.session(), 'npm install gone');
      const page = await scene.device(daemon);
      await button(page, asked.id, 'Allow once').waitFor();
      asked.call.hangUp();
      await card(page, asked.id).getByText('agent gone').waitFor();
      await button(page, asked.id, 'Allow once').click();
      await card(page, asked.id).getByText('its call no longer waits').waitFor();
      return 'said';
    },
    want: 'said',
  },
  {
    name: 'by keyboard alone: log in, move, allow once, deny with a reason, help',
    act: async (scene) => {
      // Its own gate: j goes to the first open question, whoever's it is.
      const daemon = await scene.fresh({ policy: 'version: 1\nsettings: {permissionTimeout: 300000}\nagents: {backend: {}}\n' });
      const session = await daemon.session();
      const first = await daemon.asked(session, 'npm install key-one'), second = await daemon.asked(session, 'npm install key-two');
      const page = await scene.device(daemon, null);
      await page.goto(`${daemon.url}/`);
      await page.getByLabel('Link or credential').waitFor();
      await page.keyboard.type(daemon.ann);
      await page.keyboard.press('Enter');
      await button(page, second.id, 'Allow once').waitFor();
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      await page.keyboard.press('j');
      await page.waitForFunction((id) => document.activeElement?.id === `card-${id}`, first.id);
      await page.keyboard.press('y');
      const one = await first.call.said();
      await page.waitForFunction((id) => document.activeElement?.id === `card-${id}`, second.id);
      await page.keyboard.press('n');
      await page.keyboard.type('yes');   // before the panel can have the focus: it must answer nothing
      await page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA');
      await page.keyboard.type('not by night');
      await page.keyboard.press('Control+Enter');
      const two = await second.call.said();
      await page.waitForFunction((id) => document.activeElement?.id === `card-${id}`, second.id);
      await page.keyboard.press('2');
      await page.getByRole('heading', { name: 'Sessions' }).waitFor();
      return [one.behavior, two.behavior, two.message.includes('not by night')];
    },
    want: ['allow', 'deny', true],
  },
];
