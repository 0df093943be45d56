// A phone comes in by its code over TLS: what it compares, what it is told is missing, and how it comes to trust the gate.
// The browser trusts the gate's authority as a phone would: by its own store, for which it gets a home of its own.
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';

import { files, secureGate, withSettings } from '../../daemon/lib/certificate.mjs';
import { Daemon } from '../../daemon/lib/daemon.mjs';
import { axeSource, openBrowser, openDevice, phone } from '../lib/browser.mjs';

const spelled = (digest) => digest.toUpperCase().match(/../g).join(':');
const pair = async (gate, device = 'phone') => (await gate.send('POST', '/api/pair', { as: gate.ann, body: { device } })).json;

// Plays with a browser that trusts the gate's authority, or none; devices are phones.
async function onPhones(scene, gate, { trusts }, act) {
  const home = `${gate.world.dir}/browser`;
  fs.mkdirSync(`${home}/.pki/nssdb`, { recursive: true });
  execFileSync('certutil', ['-N', '-d', `sql:${home}/.pki/nssdb`, '--empty-password']);
  if (trusts) execFileSync('certutil', ['-A', '-d', `sql:${home}/.pki/nssdb`, '-n', 'gate', '-t', 'C,,', '-i', files(gate.world).ca]);
  const browser = await openBrowser({ home, names: [gate.host] });
  try {
    return await act(async () => {
      const page = await openDevice(browser, { url: `https://${gate.host}:${gate.port}` }, { viewport: phone, touch: true, careless: !trusts });
      scene.pages.push(page);
      return page;
    });
  } finally {
    for (const page of scene.pages) await page.context().close();
    await browser.close();
  }
}

const logIn = async (page) => {
  await page.getByRole('button', { name: 'Log in on this device' }).tap();
  await page.getByRole('heading', { name: 'Questions' }).waitFor();
};
const boxText = async (page, title) => (await page.locator('.box').filter({ has: page.getByRole('heading', { name: title }) }).innerText()).replace(/\s+/g, ' ');

export const rows = [
  { name: 'a phone that trusts the authority logs in by its code over TLS, compares, answers, and nothing is missing',
    act: async (scene) => {
      const gate = await secureGate(scene.stage);
      const { url, sha256 } = await pair(gate);
      return onPhones(scene, gate, { trusts: true }, async (device) => {
        const page = await device();
        const sent = [];
        page.on('request', (request) => sent.push(request.url()));
        await page.goto(url);
        const digest = await page.locator('.digest .digits').innerText();
        await logIn(page);
        const { call } = await gate.asked(await gate.session(), 'npm ci');
        await page.getByRole('button', { name: /Allow once/ }).first().tap();
        const said = (await call.said()).behavior;
        await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
        await page.goto(`https://${gate.host}:${gate.port}/#/settings`);
        const connection = await boxText(page, 'This connection');
        return [digest === spelled(sha256), said, /Nothing is missing/.test(connection), (await page.evaluate(() => document.cookie)), sent.some((each) => /tgl_|sha256/.test(each)), /tgl_/.test(page.url()),
          await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)];
      });
    },
    want: [true, 'allow', true, '', false, false, true] },
  { name: 'with a certificate that the browser was talked into a phone answers, and the page says what does not work',
    act: async (scene) => {
      const gate = await secureGate(scene.stage);
      const { url } = await pair(gate);
      return onPhones(scene, gate, { trusts: false }, async (device) => {
        const page = await device();
        await page.goto(url);
        await logIn(page);
        await page.goto(`https://${gate.host}:${gate.port}/#/settings`);
        await page.getByText(/does not trust the gate’s certificate/).first().waitFor();
        return [/notices, opening the page offline and installing it do not/.test(await boxText(page, 'This connection')), /trust/.test(await boxText(page, 'Notices on this device'))];
      });
    },
    want: [true, true] },
  { name: 'where the gate has another certificate than the code says, the page refuses and sends no code',
    act: async (scene) => {
      const gate = await secureGate(scene.stage);
      const { url, sha256 } = await pair(gate);
      return onPhones(scene, gate, { trusts: true }, async (device) => {
        const page = await device();
        await page.goto(url.replace(sha256, sha256.replace(/^./, (first) => (first === '0' ? '1' : '0'))));
        await page.getByText('Do not go on.').waitFor();
        const disabled = await page.getByRole('button', { name: 'Log in on this device' }).isDisabled();
        await page.goto('about:blank');
        await page.goto(url);
        await logIn(page);
        return disabled;
      });
    },
    want: true },
  { name: 'a code that was used says so, and how to get another',
    act: async (scene) => {
      const gate = await secureGate(scene.stage);
      const { url } = await pair(gate);
      return onPhones(scene, gate, { trusts: true }, async (device) => {
        const [first, second] = [await device(), await device()];
        await first.goto(url);
        await logIn(first);
        await second.goto(url);
        await second.getByRole('button', { name: 'Log in on this device' }).tap();
        await second.getByText('A code works once and for five minutes').waitFor();
        return second.locator('.note.bad').innerText().then((text) => /spent/.test(text));
      });
    },
    want: true },
  { name: 'anybody is told how to trust the gate: the authority\'s digest, its file, steps; axe finds nothing serious',
    act: async (scene) => {
      const gate = await secureGate(scene.stage);
      const { authority } = (await gate.send('GET', '/api/certificate')).json;
      return onPhones(scene, gate, { trusts: true }, async (device) => {
        const page = await device();
        const found = [];
        for (const address of [(await pair(gate)).url, `https://${gate.host}:${gate.port}/#/trust`]) {
          await page.goto('about:blank');
          await page.goto(address);
          await page.locator('.digits').waitFor();
          await page.evaluate(axeSource());
          found.push(...await page.evaluate(async () => (await window.axe.run(document, { resultTypes: ['violations'] })).violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id }) => id)));
          found.push(...await page.evaluate(() => (document.documentElement.scrollWidth > innerWidth ? ['too wide'] : [])));
        }
        const link = await page.getByRole('link', { name: 'Get the authority’s certificate' }).getAttribute('href');
        return [found, await page.locator('.digits').innerText() === spelled(authority.sha256), link, await page.getByRole('heading', { name: 'Android' }).count()];
      });
    },
    want: [[], true, '/ca.crt', 1] },
  { name: 'a revoked phone is out at once, while its page is open',
    act: async (scene) => {
      const gate = await secureGate(scene.stage);
      const { url } = await pair(gate);
      return onPhones(scene, gate, { trusts: true }, async (device) => {
        const page = await device();
        await page.goto(url);
        await logIn(page);
        await gate.send('DELETE', '/api/devices/phone', { as: gate.ann });
        await page.getByText('This device is not logged in.').waitFor();
        return (await page.goto(url), await page.getByRole('button', { name: 'Log in on this device' }).tap(), await page.locator('.note.bad').count() === 1 || page.locator('.note.bad').waitFor().then(() => true));
      });
    },
    want: true },
  { name: 'on the machine of the agents the page says that self-approval is not prevented, in every view and under Settings',
    act: async (scene) => {
      const daemon = await scene.gate();
      const page = await scene.device(daemon);
      const banner = page.getByRole('complementary', { name: 'self-approval' });
      await banner.getByText('An agent could answer itself').click();
      const why = await banner.innerText();
      await page.goto(`${daemon.url}/#/settings`);
      await page.getByText('Self-approval is not prevented:').waitFor();
      return [/It is not prevented: .*machine that the agents run on/.test(why.replace(/\s+/g, ' ')), await banner.count(), /machine that the agents run on/.test(await boxText(page, 'You'))];
    },
    want: [true, 1, true] },
  { name: 'the code on the page is the link to another reader; on loopback there is none, and the page says why',
    act: async (scene) => {
      const world = scene.stage.world();
      world.setPolicy(withSettings('publicUrl: "http://100.64.0.7:1615"'));
      const out = [];
      for (const daemon of [await Daemon.start(world), await scene.fresh()]) {
        const page = await scene.device(daemon);
        await page.goto(`${daemon.url}/#/settings`);
        await page.getByLabel('Name of the device').fill('my phone');
        await page.getByRole('button', { name: 'Show a code' }).click();
        await page.locator('.qr').or(page.getByText('no phone can open this link')).first().waitFor();
        if (await page.locator('.qr').count() === 0) { out.push('no code'); continue; }
        await page.getByText('Show the link').click();
        const link = await page.locator('.paired code.link').innerText();
        const read = spawnSync('zbarimg', ['-q', '--raw', '-'], { input: await page.locator('.qr').screenshot(), encoding: 'utf8' });
        out.push(read.stdout.trim() === link && link.startsWith('http://100.64.0.7:1615/#/pair/tgl_'));
      }
      return out;
    },
    want: [true, 'no code'] },
];
