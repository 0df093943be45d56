// What is on the screen: the whole call, inert, at every size.
import { until } from '../../daemon/lib/world.mjs';

const ready = '[y] once';

// Turns the pages of the call, and gives every line that was ever in the window.
async function readOn(pane) {
  const lines = new Set();
  for (let pages = 0; pages < 200; ++pages) {
    const text = await pane.text();
    for (const line of text.split('\n')) lines.add(line.trim());
    const place = /(\d+)\/(\d+) ([↓↑])/.exec(text);
    if (place === null || place[3] === '↑') return lines;
    await pane.press('Space');
    await until(async () => !(await pane.text()).includes(place[0]), 'the next page');
  }
  throw new Error('the call does not end');
}

export const rows = [
  { name: 'a long call is read whole, and not allowed unread by one key',
    act: async (scene) => {
      const gate = await scene.fresh();
      const lines = Array.from({ length: 300 }, (_, i) => `echo line-${i} >> out.txt`);
      const { id } = await gate.asked(await gate.session(), lines.join('\n'));
      const pane = await scene.pane(gate);
      await pane.shows(ready);
      await pane.press('y');
      await pane.shows('were not on the screen');
      const state = (await gate.permission(id)).state;
      const seen = await readOn(pane);
      const missing = lines.filter((_, i) => ![...seen].some((line) => line.includes(`line-${i} `)));
      await pane.press('y');
      await pane.shows('✔ approved');
      return [state, missing];
    },
    want: ['pending', []] },
  { name: 'the same key twice allows it unread: that was said',
    act: async (scene) => {
      const gate = await scene.fresh();
      await gate.asked(await gate.session(), Array.from({ length: 99 }, (_, i) => `echo ${i} >> out.txt`).join('\n'));
      const pane = await scene.pane(gate);
      await pane.shows(ready);
      await pane.press('y');
      await pane.shows('the same key allows it');
      await pane.press('y');
      await pane.shows('✔ approved');
      return true;
    },
    want: true },
  { name: 'one line of 20,000 characters is folded, not cut',
    act: async (scene) => {
      const gate = await scene.fresh();
      const words = Array.from({ length: 2_500 }, (_, i) => `w${String(i).padStart(6, '0')}`);
      await gate.asked(await gate.session(), { note: words.join('') }, { tool: 'mcp__notes__keep' });
      const pane = await scene.pane(gate, { rows: 50 });
      await pane.shows(ready);
      const whole = [];
      let last;
      for (;;) {
        const text = await pane.text();
        const body = text.split('\n').filter((line) => line.startsWith('       ') || line.startsWith(' call')).map((line) => line.slice(7).replace(/^note +/, '').replace(/^ *↪ /, '').trim());
        const place = /(\d+)\/(\d+) ([↓↑])/.exec(text);
        for (const line of body) if (/^w?\d*/.test(line) && line !== last && !whole.includes(line)) whole.push(line);
        if (place === null || place[3] === '↑') break;
        await pane.press('Space');
        await until(async () => !(await pane.text()).includes(place[0]), 'the next page');
      }
      const text = whole.join('');
      return words.filter((word) => !text.includes(word)).length;
    },
    want: 0 },
  { name: 'what hides, steers or imitates is shown by its number, and nothing of it reaches the terminal',
    act: async (scene) => {
      const gate = await scene.fresh();
      const hostile = 'echo \u001b[2J\u001b]0;owned\u0007 \u202egnp.exe \u200b g\u043e\u043egle.com \u009b31m \r rm';
      await gate.asked(await gate.session(), hostile);
      await gate.asked(await gate.session(), { text: '\u001b]52;c;ZXZpbA==\u0007<script>\u2066' }, { tool: 'mcp__x__\u001b[31my' });
      const pane = await scene.pane(gate, { columns: 140 });
      await pane.shows(ready);
      const text = await pane.text();
      await pane.press('j');
      await pane.shows('<script>');
      const second = await pane.text();
      const title = (await pane.tmux('display', '-p', '#{pane_title}')).trim();
      const written = pane.written();
      return [['\\x1b[2J', '\\u202egnp', '\\u200b', 'g\\u043e\\u043egle', '\\u009b31m', '\\x0d', '\\x07'].filter((each) => !text.includes(each)),
        ['\\x1b]52;c;', '\\u2066'].filter((each) => !second.includes(each)), title.includes('owned'),
        ['\u001b]0;owned', '\u001b]52', '\u202e', '\u2066', '\u009b', '\u200b', '\u043e'].filter((each) => written.includes(each))];
    },
    want: [[], [], false, []] },
  { name: 'a mark looks different from the same characters written out',
    act: async (scene) => {
      const gate = await scene.fresh();
      await gate.asked(await gate.session(), 'echo "\u202e" "\\u202e"');
      const pane = await scene.pane(gate);
      await pane.shows(ready);
      const styled = (await pane.text({ styles: true })).split('\n').find((line) => line.includes('echo') && line.includes('$'));
      const parts = styled.split('\\u202e');
      return [parts.length, parts[0].endsWith('m'), parts[1].endsWith('"')];
    },
    want: [3, true, true] },
  { name: 'an edit is a difference, with what it leaves alone counted until z',
    act: async (scene) => {
      const gate = await scene.fresh();
      const { default: fs } = await import('node:fs');
      const file = `${gate.world.work}/list.txt`;
      const before = Array.from({ length: 40 }, (_, i) => `row ${i}`);
      fs.writeFileSync(file, `${before.join('\n')}\n`);
      const after = before.map((line, i) => (i === 20 ? 'row twenty' : line));
      await gate.asked(await gate.session(), { file_path: file, content: `${after.join('\n')}\n` }, { tool: 'Write' });
      const pane = await scene.pane(gate, { rows: 60 });
      await pane.shows(ready);
      const folded = await pane.text();
      await pane.press('z');
      const open = await pane.shows('row 39');
      return [/- row 20\n/.test(folded.replace(/ +\n/g, '\n')), folded.includes('+ row twenty'), folded.includes('row 39'), folded.includes('unchanged lines'), open.includes('unchanged lines'), folded.includes('list.txt  the whole file')];
    },
    want: [true, true, false, true, false, true] },
  { name: 'the agent\'s words are labelled, below the call',
    act: async (scene) => {
      const gate = await scene.fresh();
      const session = await gate.session();
      const { callTool } = await import('../../daemon/lib/mcp.mjs');
      callTool(gate.port, session.id, 'approve', { tool_name: 'Bash', input: { command: 'npm ci' }, tool_use_id: 'toolu_w', reason: 'why    a rule allows it' }, { from: gate.place });
      const pane = await scene.pane(gate);
      await pane.shows(ready);
      const text = await pane.text();
      return [text.indexOf('the agent\'s own words') > text.indexOf('$ npm ci'), /says +why +a rule allows it/.test(text)];
    },
    want: [true, true] },
  { name: 'it follows the size of the terminal, down to one that is too small to read a call on',
    act: async (scene) => {
      const gate = await scene.fresh();
      const { id } = await gate.asked(await gate.session(), 'npm ci # a remark that is long enough to need a second line on a narrow terminal, and a third');
      const pane = await scene.pane(gate, { columns: 120, rows: 40 });
      await pane.shows(ready);
      await pane.resize(50, 20);
      const narrow = await pane.shows('↪');
      await pane.resize(30, 8);
      await pane.shows('too small');
      await pane.resize(20, 5);
      await pane.shows('too small');
      await pane.press('y');
      await pane.resize(160, 50);
      const wide = await pane.shows(ready);
      return [narrow.split('\n').every((line) => line.length <= 50), wide.includes('a second line on a narrow terminal, and a third'), (await gate.permission(id)).state];
    },
    want: [true, true, 'pending'] },
  { name: 'without colours it is all there',
    act: async (scene) => {
      const gate = await scene.fresh();
      await gate.asked(await gate.session(), 'npm ci');
      const pane = await scene.pane(gate, { env: { NO_COLOR: '1' } });
      await pane.shows(ready);
      const styled = await pane.text({ styles: true });
      return [/\u001b\[[0-9;]*3[0-7]m/.test(styled), styled.includes('npm ci')];
    },
    want: [false, true] },
  { name: 'the countdown is the daemon\'s, and an end by time is shown',
    act: async (scene) => {
      const gate = await scene.fresh({ policy: 'version: 1\nsettings: {permissionTimeout: 4s}\nagents: {backend: {}}\n' });
      const pane = await scene.pane(gate);
      await pane.shows('nothing is open');
      gate.call(await gate.session(), 'npm ci');
      await pane.shows(/0:0[1-4]/);
      const text = await pane.shows(/expired|denied/);
      return text.includes(ready);
    },
    want: false },
];
