// The gate goes away and comes back: the page says so, and nothing is lost or doubled.
import { card, button } from './answers.mjs';

const policy = 'version: 1\nsettings: {permissionTimeout: 0}\nagents: {backend: {}}\n';

// A port of its own, so that the daemon can come back where the page looks for it.
async function fixed(scene) {
  const daemon = await scene.fresh({ policy });
  const { port } = daemon;
  return { daemon, restart: async () => { await daemon.run(['--listen', `127.0.0.1:${port}`]); } };
}

export const rows = [
  {
    name: 'killed and started again: the banner comes and goes, every question is there once',
    act: async (scene) => {
      const { daemon, restart } = await fixed(scene);
      const session = await daemon.session();
      const one = await daemon.asked(session, 'npm install one');
      const page = await scene.device(daemon);
      await button(page, one.id, 'Allow once').waitFor();
      await daemon.stop('SIGKILL');
      await page.getByText('Not connected').waitFor();
      const since = await page.locator('.banner.bad').innerText();
      await restart();
      await page.getByText('Not connected').waitFor({ state: 'detached' });
      const two = await daemon.asked(session, 'npm install two');
      await button(page, two.id, 'Allow once').waitFor();
      const cards = await page.locator('.card').count();
      await button(page, one.id, 'Allow once').click();
      await card(page, one.id).getByText('recorded').waitFor();
      return [/since \d\d:\d\d:\d\d/.test(since), cards, (await daemon.permission(one.id)).state];
    },
    want: [true, 2, 'approved'],
  },
  {
    name: 'cut off for a moment: what happened meanwhile is told once, with the sequence',
    act: async (scene) => {
      const { daemon } = await fixed(scene);
      const session = await daemon.session();
      const one = await daemon.asked(session, 'npm install one');
      const page = await scene.device(daemon, null);
      const addresses = [];
      page.on('websocket', (socket) => addresses.push(socket.url()));
      await page.addInitScript(() => { const Real = WebSocket; window.WebSocket = class extends Real { constructor(...all) { super(...all); window.line = this; } }; });
      await page.goto(`${daemon.url}/`);
      await page.getByLabel('Link or credential').fill(daemon.ann);
      await page.getByRole('button', { name: 'Log in' }).click();
      await button(page, one.id, 'Allow once').waitFor();
      await page.context().setOffline(true);
      await page.evaluate(() => window.line.close());
      await page.getByText('Not connected').waitFor();
      await daemon.deny(one.id, { reason: 'meanwhile' });
      const two = await daemon.asked(session, 'npm install two');
      await page.context().setOffline(false);
      await button(page, two.id, 'Allow once').waitFor();
      await card(page, one.id).getByText('Denied').waitFor();
      return [await page.locator('.card').count(), /since=\d+&run=/.test(addresses.at(-1))];
    },
    want: [2, true],
  },
  {
    name: 'an answer that cannot be sent is not shown as given',
    act: async (scene) => {
      const { daemon, restart } = await fixed(scene);
      const one = await daemon.asked(await daemon.session(), 'npm install one');
      const page = await scene.device(daemon);
      await card(page, one.id).locator('.allow:enabled').waitFor();   // the whole call has come
      await daemon.stop('SIGKILL');
      await button(page, one.id, 'Allow once').click();
      await card(page, one.id).getByRole('alert').waitFor();
      const claims = await card(page, one.id).getByText('recorded').count();
      await restart();
      await page.getByText('Not connected').waitFor({ state: 'detached' });
      return [claims, (await daemon.permission(one.id)).state, await button(page, one.id, 'Allow once').isEnabled()];
    },
    want: [0, 'pending', true],
  },
  {
    name: 'the page opens without the gate, and keeps nothing of what the gate said',
    act: async (scene) => {
      const { daemon } = await fixed(scene);
      await daemon.asked(await daemon.session(), 'npm install secret-thing');
      const page = await scene.device(daemon);
      await page.evaluate(() => navigator.serviceWorker.ready);
      await page.waitForFunction(() => caches.open('shell').then((cache) => cache.keys()).then((keys) => keys.some((key) => key.url.endsWith('.js'))));
      const kept = await page.evaluate(async () => {
        const all = [];
        for (const name of await caches.keys()) for (const key of await (await caches.open(name)).keys()) all.push(new URL(key.url).pathname);
        return all.filter((each) => !/^\/($|assets\/|icon|manifest)/.test(each));
      });
      const stored = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }).includes('secret-thing'));
      await daemon.stop('SIGKILL');
      await page.reload();
      await page.getByText('the gate cannot be reached').waitFor();
      return [kept, stored, await page.getByText('secret-thing').count()];
    },
    want: [[], false, 0],
  },
  {
    name: 'the browser would install the page: it finds nothing that stands against it',
    act: async (scene) => {
      const { daemon } = await fixed(scene);
      const page = await scene.device(daemon);
      await page.evaluate(() => navigator.serviceWorker.ready);
      const line = await page.context().newCDPSession(page);
      const { installabilityErrors } = await line.send('Page.getInstallabilityErrors');
      const { errors, data } = await line.send('Page.getAppManifest');
      await page.goto(`${daemon.url}/health`);
      const { installabilityErrors: elsewhere } = await line.send('Page.getInstallabilityErrors');
      const said = (all) => all.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito');   // a device of a case keeps nothing
      return [said(installabilityErrors), errors, JSON.parse(data).name, said(elsewhere)];
    },
    want: [[], [], 'Tollgate', ['no-manifest']],
  },
  {
    name: 'a credential that is revoked ends the page at once',
    act: async (scene) => {
      const { daemon } = await fixed(scene);
      await daemon.asked(await daemon.session(), 'npm install one');
      const page = await scene.device(daemon);
      await page.locator('.card').waitFor();
      await daemon.send('DELETE', '/api/approvers/ann', { as: daemon.operator });
      await page.getByLabel('Link or credential').waitFor();
      return page.locator('.card').count();
    },
    want: 0,
  },
];
