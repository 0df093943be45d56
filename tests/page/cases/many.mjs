// Two thousand open questions: the page stays quick, and all of them can be reached.
import { callTool } from '../../daemon/lib/mcp.mjs';
import { until } from '../../daemon/lib/world.mjs';

const count = 2_000, agents = 10, answers = 8;
const policy = `version: 1\nsettings: {permissionTimeout: 0}\nagents:\n${Array.from({ length: agents }, (_, i) => `  a${i}: {}\n`).join('')}`;

// LIMIT: a session may have 64 open questions and an agent 256.
async function fill(daemon) {
  const sessions = [];
  for (let i = 0; i < agents; ++i) for (let k = 0; k < 4; ++k) sessions.push(await daemon.session(`a${i}`));
  const each = count / sessions.length;
  for (const [i, session] of sessions.entries())
    for (let k = 0; k < each; ++k) {
      callTool(daemon.port, session.id, 'approve', { tool_name: 'Bash', input: { command: `npm install package-${i}-${k} && echo ${'word '.repeat(k % 40)}` }, tool_use_id: `u${i}-${k}` }, { from: daemon.place });
      if (k % 25 === 24) await until(async () => (await daemon.send('GET', '/health')).json.pending >= i * each + k - 5, 'questions');
    }
  await until(async () => (await daemon.send('GET', '/health')).json.pending === count, 'all questions');
}

// How long from an act until the next picture is on the screen, in the page's own clock.
const timed = (page, act) => page.evaluate(async (words) => {
  const button = words.click && [...document.querySelectorAll(words.click)].find((each) => { const { top, bottom } = each.getBoundingClientRect(); return top > 0 && bottom < innerHeight; });
  const began = performance.now();
  if (words.click) button.click();
  else if (words.key) document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: words.key, bubbles: true }));
  else scrollTo(0, words.to * document.documentElement.scrollHeight);
  await new Promise((go) => requestAnimationFrame(() => setTimeout(go, 0)));
  return performance.now() - began;
}, act);

export const rows = [
  {
    name: `${count} open questions: moving, scrolling and answering take under 100 ms, all can be reached`,
    act: async (scene) => {
      const daemon = await scene.fresh({ policy });
      await fill(daemon);
      const page = await scene.device(daemon);
      await page.locator('.card .allow').first().waitFor();
      await page.waitForFunction((n) => document.title.startsWith(`(${n}) `), count);
      const times = [];
      for (let i = 0; i < 12; ++i) times.push(await timed(page, { key: 'j' }));
      for (let i = 1; i <= 8; ++i) times.push(await timed(page, { to: i / 9 }));
      const drawn = await page.locator('.card').count();
      await timed(page, { to: 1 });
      await page.waitForFunction((n) => { scrollTo(0, document.documentElement.scrollHeight); return document.querySelector(`.card[aria-posinset="${n}"]`) !== null; }, count);
      await timed(page, { to: 0 });
      await page.locator('.card .allow').first().waitFor();
      for (let i = 1; i <= answers; ++i) {
        await page.waitForFunction(() => [...document.querySelectorAll('.card .allow:enabled')].some((each) => { const { top, bottom } = each.getBoundingClientRect(); return top > 0 && bottom < innerHeight; }));
        times.push(await timed(page, { click: '.card .allow:enabled' }));
        await page.waitForFunction((n) => document.title.startsWith(`(${n}) `), count - i);
        await timed(page, { key: 'j' });   // what was answered stays; the next one comes into sight
      }
      times.sort((a, b) => a - b);
      const most = times[Math.ceil(times.length * 0.9) - 1];
      console.log(`      median ${times[times.length >> 1].toFixed(0)} ms, nine of ten within ${most.toFixed(0)} ms, slowest ${times.at(-1).toFixed(0)} ms of ${times.length} acts; ${drawn} cards drawn of ${count}`);
      return [most < 100, drawn < 60];   // one in ten may meet other work on the machine
    },
    want: [true, true],
  },
];
