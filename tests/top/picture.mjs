// Draws docs/images/top.png: the dashboard on the gate of examples/show, as a terminal would show it.
// picture.mjs [--bin DIR]; needs Debian's chromium. Nothing checks the picture; look at it.
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { until, World } from '../daemon/lib/world.mjs';
import { Pane } from './lib/pane.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const bin = process.argv[2] === '--bin' ? path.resolve(process.argv[3]) : `${root}/build/release/bin`;
const colors = ['#3b4252', '#e06c75', '#98c379', '#e5c07b', '#61afef', '#c678dd', '#56b6c2', '#d8dee9'];

// Lines with SGR sequences as HTML.
function page(text) {
  let look = {};
  const html = text.replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`).split(/(\u001b\[[0-9;]*m)/).map((part) => {
    const codes = /^\u001b\[([0-9;]*)m$/.exec(part);
    if (codes === null) {
      const ink = look.color ?? '#d8dee9', paper = '#14171d';
      const style = [`color:${look.reverse ? paper : ink}`, look.reverse ? `background:${ink}` : '', look.bold ? 'font-weight:700' : '', look.dim ? 'opacity:.6' : '', look.line ? 'text-decoration:underline' : ''].filter(Boolean);
      return part === '' ? '' : `<span style="${style.join(';')}">${part}</span>`;
    }
    for (const code of (codes[1] || '0').split(';').map(Number)) {
      if (code === 0) look = {};
      if (code === 1) look.bold = true;
      if (code === 2) look.dim = true;
      if (code === 4) look.line = true;
      if (code === 7) look.reverse = true;
      if (code >= 30 && code < 38) look.color = colors[code - 30];
      if (code === 39) delete look.color;
    }
    return '';
  }).join('');
  return `<meta charset=utf-8><body style="margin:0;background:#14171d"><pre style="margin:18px;font:15px/1.32 'DejaVu Sans Mono',monospace">${html}</pre>`;
}

const world = new World({ bin });
const show = spawn('script', ['-qec', `'${root}/examples/show' --bin '${bin}'`, '/dev/null'], { cwd: world.work, env: world.environment(), stdio: ['pipe', 'pipe', 'inherit'] });
show.ended = new Promise((done) => show.on('exit', done));
world.children.add(show);
let out = '';
show.stdout.on('data', (piece) => { out += piece; });
await until(() => out.includes('Ctrl-C ends it'), 'the gate');
const pane = await Pane.open({ world: { ...world, environment: world.environment.bind(world), data: /--data (\S+)/.exec(out)[1] }, ann: /tga_[0-9a-f]+/.exec(out)[0] }, { columns: 112, rows: 34 });
await pane.shows('[y] once');
await pane.press('k', 'k', 'k', 'k', 'k', 'k');
for (let i = 0; i < 6 && !(await pane.text()).includes('why   a release'); ++i) {
  await pane.press('j');
  await pane.shows('[y] once');
}
fs.writeFileSync(`${world.dir}/top.html`, page(await pane.text({ styles: true })));
execFileSync('chromium', ['--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', `--user-data-dir=${world.dir}/chromium`, '--window-size=1090,720', `--screenshot=${root}/docs/images/top.png`, `file://${world.dir}/top.html`], { stdio: 'ignore', env: world.environment() });
await pane.close();
show.stdin.write('\u0003');
await show.ended;
await world.remove();
