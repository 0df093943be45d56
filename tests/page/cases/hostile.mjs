// Text that an agent chose with care: it is shown whole, as text, and moves nothing around it.
import { callTool } from '../../daemon/lib/mcp.mjs';
import { card, button } from './answers.mjs';

const shown = (page, id) => card(page, id).locator('.longtext').first();

export const rows = [
  {
    name: 'markup stays text, wherever it stands',
    act: async (scene) => {
      const daemon = await scene.gate();
      const evil = '"><img src=x onerror="window.pwned=1"><script>window.pwned=1</script><svg onload=window.pwned=1>';
      const session = await daemon.session();
      const asked = await daemon.asked(session, `echo '${evil}' > out`);
      const tree = await daemon.asked(session, { [evil]: evil, body: [evil] }, { tool: 'mcp__evil__tool' });
      const page = await scene.device(daemon);
      const text = await shown(page, asked.id).textContent();
      await card(page, tree.id).getByText('onerror').first().waitFor();
      const found = await page.evaluate(() => [window.pwned, document.querySelectorAll('.card img, .card script, .card svg[onload]').length]);
      for (const { id } of [asked, tree]) await daemon.deny(id);
      return [text === `echo '${evil}' > out`, ...found];
    },
    want: [true, undefined, 0],
  },
  {
    name: 'control, bidi, zero-width and look-alike characters are labelled, and none is lost',
    act: async (scene) => {
      const daemon = await scene.gate();
      const command = 'echo \u001b[2J\u202egnp.exe\u202c p\u200bm r\u043eot \u2013x';
      const asked = await daemon.asked(await daemon.session(), `${command} > out`);
      const page = await scene.device(daemon);
      const box = shown(page, asked.id);
      const text = await box.textContent();
      const labels = await box.locator('.chip').evaluateAll((all) => all.map((each) => each.dataset.label));
      const direction = await box.evaluate((each) => { const chip = each.querySelector('.chip'); return [getComputedStyle(each).direction, getComputedStyle(chip).unicodeBidi]; });
      await daemon.deny(asked.id);
      return [text === `${command} > out`, labels, direction];
    },
    want: [true, ['ESC', 'RLO', 'PDF', 'ZWSP', 'U+043E', 'U+2013'], ['ltr', 'isolate']],
  },
  {
    name: 'thousands of hidden characters are one mark that says how many',
    act: async (scene) => {
      const daemon = await scene.gate();
      const asked = await daemon.asked(await daemon.session(), `npm install a${'\u200b'.repeat(5000)}b`);
      const page = await scene.device(daemon);
      await shown(page, asked.id).locator('.chip').first().waitFor();
      const labels = await shown(page, asked.id).locator('.chip').evaluateAll((all) => all.map((each) => each.dataset.label));
      await daemon.deny(asked.id);
      return labels;
    },
    want: ['ZWSP ×5000'],
  },
  {
    name: 'a question of an agent and its options are text, too',
    act: async (scene) => {
      const daemon = await scene.gate();
      const session = await daemon.session();
      const page = await scene.device(daemon);
      callTool(daemon.port, session.id, 'ask_user', { question: '<b>bold</b> \u202eevil', options: ['<i>yes</i>', 'no'] }, { from: daemon.place });
      const asked = page.locator('.card.escalation');
      await asked.getByRole('button', { name: '<i>yes</i>' }).waitFor();
      const result = [await asked.locator('.asked-text b, .choices i').count(), await asked.locator('.chip').count()];
      await asked.getByRole('button', { name: 'Decline' }).click();
      await asked.getByText('Denied').waitFor();
      return result;
    },
    want: [0, 1],
  },
  {
    name: 'an input of a megabyte is there to the last character, and the page stays quick',
    act: async (scene) => {
      const daemon = await scene.fresh({ policy: 'version: 1\nsettings: {permissionTimeout: 0}\nagents: {backend: {}}\n' });
      const body = `${'x'.repeat(200_000)}${'some line of text with words\n'.repeat(27_000)}THE END \u202e of it`;
      const asked = await daemon.asked(await daemon.session(), { title: 'big', body }, { tool: 'mcp__notes__write' });
      const page = await scene.device(daemon);
      await button(page, asked.id, 'Allow once').waitFor();
      const text = await shown(page, asked.id).textContent();
      const slow = await page.evaluate(async () => {
        const box = document.querySelector('.card .longtext');
        let worst = 0;
        for (let i = 0; i < 12; ++i) {
          const began = performance.now();
          box.scrollTop = (box.scrollHeight / 12) * (i + 1);
          await new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)));
          worst = Math.max(worst, performance.now() - began);
        }
        return worst;
      });
      await shown(page, asked.id).evaluate((box) => { box.scrollTop = box.scrollHeight; });
      await shown(page, asked.id).locator('.chip').waitFor();
      return [text === body, slow < 400 || slow];
    },
    want: [true, true],
  },
  {
    name: 'the browser itself lets no text become markup on the page',
    act: async (scene) => {
      const page = await scene.device(await scene.gate());
      const got = await page.evaluate(() => {
        try { document.createElement('div').innerHTML = '<b>bold</b>'; return 'made'; } catch (error) { return error.name; }
      });
      page.complaints.length = 0;   // it says that it refused
      return got;
    },
    want: 'TypeError',
  },
  {
    name: 'a command in which every other character hides is marked without a stop',
    act: async (scene) => {
      const daemon = await scene.fresh({ policy: 'version: 1\nsettings: {permissionTimeout: 0}\nagents: {backend: {}}\n' });
      const body = 'a\u200b'.repeat(100_000);
      const asked = await daemon.asked(await daemon.session(), { body }, { tool: 'mcp__notes__write' });
      const page = await scene.device(daemon);
      await button(page, asked.id, 'Allow once').waitFor();
      return [await shown(page, asked.id).textContent() === body, await shown(page, asked.id).locator('.chip').count() > 1000];
    },
    want: [true, true],
  },
];
