// Notices on the device: the worker shows what was pushed and opens the card; Settings shows the gate's other targets.
import { Receiver, closeAll } from '../../notify/lib/receiver.mjs';
import { policyWith, secret } from '../../notify/lib/asking.mjs';
import { card } from './answers.mjs';
import { until } from '../../daemon/lib/world.mjs';

// Hands the page's worker a push message, as the browser does with one that it has opened.
async function push(page, daemon, message) {
  await page.context().grantPermissions(['notifications'], { origin: daemon.url });
  await page.evaluate(() => navigator.serviceWorker.ready);
  const line = await page.context().newCDPSession(page);
  const registration = new Promise((done) => line.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => { if (registrations.length > 0) done(registrations[0].registrationId); }));
  await line.send('ServiceWorker.enable');
  await line.send('ServiceWorker.deliverPushMessage', { origin: daemon.url, registrationId: await registration, data: message });
}

const shown = (page) => page.evaluate(async () => (await (await navigator.serviceWorker.ready).getNotifications()).map(({ title, body, tag, data }) => ({ title, body, tag, id: data.id })));

export const rows = [
  {
    name: 'a push shows a notice with the gate\'s words, and its address leads to the card',
    act: async (scene) => {
      const daemon = await scene.gate();
      const { id } = await daemon.asked(await daemon.session(), 'npm install left-pad');
      const page = await scene.device(daemon);
      await push(page, daemon, JSON.stringify({ title: 'backend asks to use Bash', body: 'It would run npm.', id, tag: id }));
      const [notice] = await until(async () => { const all = await shown(page); return all.length > 0 && all; }, 'a notice');
      await page.goto(`${daemon.url}/#/question/${notice.id}`);
      await card(page, id).waitFor();
      return [notice.title, notice.body, notice.tag === id, notice.id === id];
    },
    want: ['backend asks to use Bash', 'It would run npm.', true, true],
  },
  {
    name: 'Settings lists the targets, tries one, and says what became of it',
    act: async (scene) => {
      const receiver = await Receiver.open();
      try {
        const daemon = await scene.fresh({ policy: policyWith([{ name: 'ops', type: 'webhook', url: receiver.url, secret }]) });
        const page = await scene.device(daemon);
        await page.goto(`${daemon.url}/#/settings`);
        await page.getByRole('button', { name: 'Try it with ops' }).click();
        await page.getByText('delivered', { exact: true }).waitFor();
        return JSON.parse((await receiver.take())[0].body).data.title;
      } finally {
        await closeAll();
      }
    },
    want: 'A notice to try this target',
  },
];
