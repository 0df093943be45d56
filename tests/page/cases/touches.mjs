// Security keys and quorums at the page: a key made of software (Chromium's virtual authenticator) is registered and touched.
import { usual } from '../../daemon/lib/world.mjs';
import { button, card, ended } from './answers.mjs';

const bomb = ':(){ :|:& };:';

// Browsers bind no key to an address of numbers: the page is opened as localhost.
const named = (daemon) => Object.create(daemon, { url: { value: daemon.url.replace('127.0.0.1', 'localhost') } });

// A device with an authenticator that is touched by itself.
async function withKey(scene, daemon, credential) {
  const page = await scene.device(named(daemon), credential);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport: 'usb', hasResidentKey: false, hasUserVerification: false, automaticPresenceSimulation: true },
  });
  return { page, cdp, authenticatorId };
}

async function register(page, name) {
  await page.goto(`${new URL(page.url()).origin}/#/settings`);
  const box = page.getByRole('region', { name: 'Security keys' });
  await box.getByLabel('Name of the key').fill(name);
  await box.getByRole('button', { name: 'Register a key' }).click();
  await box.getByText(name, { exact: true }).waitFor();
  await page.goto(`${new URL(page.url()).origin}/#/questions`);
}

export const rows = [
  {
    name: 'a key is registered, and a breaker is allowed by its touch',
    act: async (scene) => {
      const daemon = await scene.fresh();
      const { page } = await withKey(scene, daemon, daemon.ann);
      await register(page, 'the blue one');
      const asked = await daemon.asked(await daemon.session(), bomb);
      const without = await daemon.approve(asked.id);
      await button(page, asked.id, 'Allow once').click();
      const said = await asked.call.said();
      const { votes } = await daemon.permission(asked.id);
      return [without.status, without.json.error.code, await ended(page, asked.id), said.behavior, votes[0].key, (await daemon.audit('&kind=answer')).at(-1).record.key];
    },
    want: [403, 'presence-required', 'Allowed', 'allow', 'the blue one', 'the blue one'],
  },
  {
    name: 'a key that is not there any more allows nothing, and a denial needs none',
    act: async (scene) => {
      const daemon = await scene.fresh();
      const { page, cdp, authenticatorId } = await withKey(scene, daemon, daemon.ann);
      await register(page, 'lost');
      await cdp.send('WebAuthn.clearCredentials', { authenticatorId });
      const asked = await daemon.asked(await daemon.session(), bomb);
      await button(page, asked.id, 'Allow once').click();
      await card(page, asked.id).getByRole('alert').waitFor();
      const { state } = await daemon.permission(asked.id);
      await button(page, asked.id, 'Deny').click();
      await card(page, asked.id).getByRole('button', { name: 'Deny', exact: true }).click();
      return [state, await ended(page, asked.id), (await asked.call.said()).behavior];
    },
    want: ['pending', 'Denied', 'deny'],
  },
  {
    name: 'a rule for an agent needs the touch, a call once does not',
    act: async (scene) => {
      const daemon = await scene.fresh();
      const { page } = await withKey(scene, daemon, daemon.ann);
      await register(page, 'wide');
      const session = await daemon.session();
      const once = await daemon.asked(session, 'npm install once');
      const plain = await daemon.approve(once.id);
      const wide = await daemon.asked(session, 'npm install wide');
      const refused = await daemon.approve(wide.id, { scope: 'agent' });
      await button(page, wide.id, 'Always').click();
      await card(page, wide.id).getByRole('button', { name: 'Allow and remember' }).click();
      await ended(page, wide.id);
      const { votes, answer } = await daemon.permission(wide.id);
      return [plain.status, refused.json.error.code, votes[0].key, answer.scope];
    },
    want: [200, 'presence-required', 'wide', 'agent'],
  },
  {
    name: 'an operator with a key adds and revokes approvers by its touch alone',
    act: async (scene) => {
      const daemon = await scene.fresh();
      const { page } = await withKey(scene, daemon, daemon.operator);
      await register(page, 'of olga');
      const refused = await daemon.send('POST', '/api/approvers', { as: daemon.operator, body: { name: 'eve' } });
      await page.goto(`${new URL(page.url()).origin}/#/settings`);
      const box = page.getByRole('region', { name: 'Who answers' });
      await box.getByLabel('Name of the person').fill('carol');
      await box.getByLabel('Roles, by commas').fill('lead, security');
      await box.getByRole('button', { name: 'Add' }).click();
      const shown = await box.locator('code').innerText();
      const me = await daemon.send('GET', '/api/me', { as: shown });
      await box.getByRole('listitem').filter({ hasText: 'bob' }).getByRole('button').click();
      await box.getByRole('button', { name: 'Revoke it?' }).click();
      await box.getByRole('listitem').filter({ hasText: 'bob' }).waitFor({ state: 'detached' });
      return [refused.json.error.code, me.json.roles, (await daemon.send('GET', '/api/me', { as: daemon.bob })).status];
    },
    want: ['presence-required', ['lead', 'security'], 401],
  },
  {
    name: 'at an address of numbers the page says why no key can be registered',
    act: async (scene) => {
      const page = await scene.device(await scene.gate());
      await page.goto(`${new URL(page.url()).origin}/#/settings`);
      const box = page.getByRole('region', { name: 'Security keys' });
      await box.getByText('Browsers take no key at this address').waitFor();
      return box.getByRole('button', { name: 'Register a key' }).count();
    },
    want: 0,
  },
  {
    name: 'a quorum shows who has agreed and who is missing, and the second yes allows',
    act: async (scene) => {
      const approve = 'approve: [{any: 2, of: [lead], name: two leads}, {any: 1, of: [security], after: 1h, within: 2h}]';
      const people = 'approvers: {ann: {person: ann, roles: [lead]}, bob: {person: bob, roles: [lead]}}\n';
      const daemon = await scene.fresh({ policy: `${usual.replace('  deny:', `  ask:\n    - {rule: "Bash(npm publish *)", ${approve}}\n  deny:`)}${people}` });
      const asked = await daemon.asked(await daemon.session(), 'npm publish now');
      const page = await scene.device(daemon);
      const lines = async () => (await card(page, asked.id).locator('.threshold').allInnerTexts()).map((line) => line.replace(/\s+/g, ' ').replace(/from .* until .*/, 'from … until …'));
      await card(page, asked.id).locator('.threshold').first().waitFor();
      const before = await lines();
      await button(page, asked.id, 'Allow once').click();
      await card(page, asked.id).getByText('ann agrees').waitFor();
      const after = await lines();
      await daemon.approve(asked.id, {}, daemon.bob);
      return [before, after, (await asked.call.said()).behavior, await ended(page, asked.id)];
    },
    want: [
      ['two leads: 0 of 2 have agreed (of: lead)', 'or 0 of 1 have agreed (of: security) asked from … until …'],
      ['two leads: 1 of 2 have agreed (of: lead)', 'or 0 of 1 have agreed (of: security) asked from … until …'],
      'allow', 'Allowed',
    ],
  },
];
