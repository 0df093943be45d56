// What stands on a card beside its buttons: who has seen it, the call in its form, the agent's words, votes.
import fs from 'node:fs';

import { type } from '../../daemon/lib/terminal.mjs';
import { until } from '../../daemon/lib/world.mjs';
import { button, card } from './answers.mjs';

const policy = `version: 1
settings: {permissionTimeout: 0}
rules:
  allow: ["Bash(make *)"]
  ask: [{rule: "Bash(npm publish *)", reason: two must agree, approve: {any: 2}}]
agents: {backend: {}}
`;

// Lists in brief do not count as a look; whole ones do.
const brief = async (daemon, use) => (await daemon.send('GET', '/api/permissions?view=brief', { as: daemon.ann })).json.permissions.find((each) => each.callId === use);
const unseen = async (daemon, command) => {
  const call = daemon.call(await daemon.session(), command);
  const { permissionId } = await until(() => brief(daemon, call.use), 'the question');
  return { use: call.use, id: permissionId };
};

async function play(scene, input, more) {
  const daemon = await scene.fresh({ policy });
  const asked = await daemon.asked(await daemon.session(), input, more);
  const page = await scene.device(daemon);
  await button(page, asked.id, 'Allow once').waitFor();
  return { daemon, page, here: card(page, asked.id), ...asked };
}

export const rows = [
  {
    name: 'a card that was looked at for a second is seen, a list is not; until then the card says that nobody has',
    act: async (scene) => {
      const daemon = await scene.fresh({ policy });
      const page = await scene.device(daemon);
      await page.goto(`${daemon.url}/#/sessions`);
      let tell;
      const told = new Promise((go) => { tell = go; });
      await page.route('**/seen', async (route) => { await told; await route.continue(); });
      const { use, id } = await unseen(daemon, 'npm install seen');
      await page.waitForFunction(() => document.title.startsWith('(1) '));
      const listed = (await brief(daemon, use)).seen;
      await page.goto(`${daemon.url}/#/questions`);
      const sent = page.waitForRequest('**/seen');
      const tag = card(page, id).getByText('nobody has seen this yet');
      await tag.waitFor();
      await sent;
      const before = (await brief(daemon, use)).seen;
      tell();
      await tag.waitFor({ state: 'detached' });
      return [listed, before, (await brief(daemon, use)).seen, (await daemon.permission(id)).seenAt !== null];
    },
    want: [false, false, true, true],
  },
  {
    name: '`tollgate pending` says what nobody has seen, and has then seen it',
    act: async (scene) => {
      const daemon = await scene.fresh({ policy });
      await unseen(daemon, 'npm install listed');
      return [(await type(daemon, ['pending'])).shown, (await type(daemon, ['pending'])).shown].map((shown) => shown.includes('nobody has seen this yet'));
    },
    want: [true, false],
  },
  {
    name: 'an edit is a difference with the lines around, and what it counts',
    act: async (scene) => {
      const before = `first\n${'same\n'.repeat(30)}old line\nlast\n`;
      const daemon = await scene.fresh({ policy });
      fs.mkdirSync(`${daemon.world.work}/src`);
      fs.writeFileSync(`${daemon.world.work}/src/a.txt`, before);
      const asked = await daemon.asked(await daemon.session(), { file_path: `${daemon.world.work}/src/a.txt`, old_string: 'old line', new_string: 'new line\nand one more' }, { tool: 'Edit' });
      const page = await scene.device(daemon);
      const edit = card(page, asked.id).locator('.edit');
      await edit.waitFor();
      const lines = (sort) => edit.locator(`tr.${sort} .line`).evaluateAll((all) => all.map((each) => each.textContent.slice(1)));
      return [await edit.locator('figcaption .path').innerText(), await lines('gone'), await lines('new'), (await edit.locator('.counts').innerText()).replace(/\s+/g, ' ')];
    },
    want: ['src/a.txt', ['old line'], ['new line', 'and one more'], '+2 −1'],
  },
  {
    name: 'the arguments of a server\'s tool are a tree: names, values whole, lists that open',
    act: async (scene) => {
      const { here } = await play(scene, { repo: 'shop', labels: ['bug', 'cart'], draft: false, milestone: { number: 4 } }, { tool: 'mcp__github__create_issue' });
      const tree = here.locator('.tree').first();
      const labels = tree.getByRole('button', { name: /labels/ });
      const open = await labels.innerText();
      await labels.click();
      return [open.replace(/\s+/g, ' '), await tree.getByText('cart').count(), await tree.locator('.scalar').allInnerTexts(), await here.locator('.card-head .tool').innerText()];
    },
    want: ['labels list of 2', 0, ['false', '4'], 'mcp__github__create_issue'],
  },
  {
    name: 'each command is marked in the text, the one that decides more so, and what each would do stands below; also behind a character of four bytes',
    act: async (scene) => {
      const { here } = await play(scene, 'make \u{1f680} && npm install left-pad > out.log');
      const marked = await here.locator('.call-text .command').allInnerTexts();
      const deciding = await here.locator('.call-text .deciding').allInnerTexts();
      const rows = await here.locator('.commands li').evaluateAll((all) => all.map((each) => [each.querySelector('.program').textContent, each.classList.contains('decides'), each.querySelectorAll('.effect').length > 0]));
      await here.locator('.commands li').nth(1).hover();
      return [marked.join(''), deciding.join('').includes('npm install left-pad'), deciding.join('').includes('make'), rows.map(([program, decides]) => [program.split(' ')[0], decides]), rows[1][2], (await here.locator('.command.lit').allInnerTexts()).join('')];
    },
    want: ['make \u{1f680}npm install left-pad > out.log', true, false, [['make', false], ['npm', true]], true, 'npm install left-pad > out.log'],
  },
  {
    name: 'the agent\'s words come after the call: its reason, its recent calls, its last five messages',
    act: async (scene) => {
      const daemon = await scene.fresh({ policy });
      const session = await daemon.session();
      for (const name of ['one', 'two']) await daemon.verdict(session, `make ${name}`);
      const transcript = `${daemon.world.dir}/talk.jsonl`;
      const said = (role, text) => JSON.stringify({ type: role, message: { role, content: [{ type: 'text', text }] } });
      fs.writeFileSync(transcript, Array.from({ length: 7 }, (_, i) => said(i === 6 ? 'user' : 'assistant', `<i>step ${i}</i>`)).join('\n'));
      await daemon.send('POST', `/hook/${session.id}/claude?ask=client`, { body: { session_id: 'c', cwd: daemon.world.work, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'npm ci' }, tool_use_id: 'toolu_t', transcript_path: transcript } });
      const asked = await daemon.asked(session, 'npm ci', { use: 'toolu_t' });
      const page = await scene.device(daemon);
      const words = card(page, asked.id).locator('.words');
      await words.getByText(/recent calls$/).click();
      await words.getByText("last 5 messages, from the agent's own record").click();
      const after = await card(page, asked.id).evaluate((each) => (each.querySelector('.shell').compareDocumentPosition(each.querySelector('.words')) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0);
      return [after, (await words.locator('.recent code').allInnerTexts()).filter((text) => text.includes('make')).sort(), await words.locator('.messages .longtext').allInnerTexts(), await words.locator('i').count(), await words.locator('.messages .role').last().innerText()];
    },
    want: [true, ['make one', 'make two'], [2, 3, 4, 5, 6].map((i) => `<i>step ${i}</i>`), 0, 'user'],
  },
  {
    name: 'a question that wants two people says who has agreed, takes no second yes of one, and ends with the other\'s',
    act: async (scene) => {
      const { daemon, page, here, id, call } = await play(scene, 'npm publish');
      const votes = here.locator('.votes');
      const first = await votes.locator('b').innerText();
      await button(page, id, 'Allow once').click();
      await votes.getByText('ann agrees').waitFor();
      const second = await votes.locator('b').innerText();
      const bob = await scene.device(daemon, daemon.bob);
      await card(bob, id).getByText('ann agrees').waitFor();
      const others = await here.getByRole('button').allInnerTexts();
      await button(bob, id, 'Allow once').click();
      const { behavior } = await call.said();
      await here.locator('.end').waitFor();
      return [first, second, others.some((name) => /session|Always/.test(name)), behavior];
    },
    want: ['0 of 2', '1 of 2', false, 'allow'],
  },
];
