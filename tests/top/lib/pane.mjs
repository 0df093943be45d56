// A terminal of its own, made by a tmux server of its own: keys go in, what is on the screen comes out.
// The server's socket lies in the world's directory, and the server ends with the pane.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { promisify } from 'node:util';

import { until } from '../../daemon/lib/world.mjs';

const run = promisify(execFile);
const prompt = 'credential or login link:';
const quoted = (words) => words.map((word) => `'${String(word).replaceAll("'", `'\\''`)}'`).join(' ');
let panes = 0;

export class Pane {
  constructor(gate, number) {
    this.gate = gate;
    this.world = gate.world;
    this.socket = `${this.world.dir}/tmux-${number}`;
    this.output = `${this.world.dir}/screen-${number}`;
    this.last = '';
  }

  // `words` is the command of tollgate; where `secret` is null nothing is typed. `opened` hears of the pane before anything
  // can go wrong with it.
  static async open(gate, { words = ['top'], columns = 100, rows = 30, secret = gate.ann, env = {}, opened } = {}) {
    const pane = new Pane(gate, ++panes);
    opened?.(pane);
    const script = `${pane.world.dir}/start-${panes}.sh`;
    const set = Object.entries({ NO_COLOR: '', ...env }).map(([name, value]) => `export ${name}=${quoted([value])}\n`);
    fs.writeFileSync(script, `${set.join('')}exec ${quoted([`${pane.world.bin}/tollgate`, ...words, '--data', pane.world.data])}\n`);
    fs.writeFileSync(`${script}.conf`, 'set -g remain-on-exit on\nset -g status off\nset -g default-terminal tmux-256color\nset -g escape-time 0\n');
    await pane.tmux('-f', `${script}.conf`, 'new-session', '-d', '-x', columns, '-y', rows, '-c', pane.world.work, `exec sh ${quoted([script])}`);
    await pane.tmux('pipe-pane', '-o', `cat >> ${quoted([pane.output])}`);
    if (secret !== null) {
      await pane.shows(prompt);
      await pane.type(secret);
      await pane.press('Enter');
      // What is typed before the dashboard has the terminal may be lost; a secret that is refused leaves the prompt where it is.
      if (words[0] === 'top') await until(async () => !(await pane.text()).includes(prompt), 'the dashboard', { milliseconds: 5_000 }).catch(() => {});
    }
    return pane;
  }

  async tmux(...words) {
    const { stdout } = await run('tmux', ['-u', '-S', this.socket, ...words.map(String)], { env: this.world.environment({ TERM: 'xterm-256color' }), maxBuffer: 64 << 20 });
    return stdout;
  }

  // What is on the screen, as text; with `styles` also how it looks.
  async text({ styles = false } = {}) {
    this.last = (await this.tmux('capture-pane', '-p', ...(styles ? ['-e'] : []))).replace(/\n+$/, '');
    return this.last;
  }

  // Everything that was ever written to the terminal.
  written() { return fs.existsSync(this.output) ? fs.readFileSync(this.output, 'utf8') : ''; }

  async shows(what) {
    const fits = (text) => (typeof what === 'string' ? text.includes(what) : what.test(text));
    let text = '';
    await until(async () => fits(text = await this.text()), `${what} on the screen`);
    return text;
  }
  async hides(what) {
    await until(async () => !(await this.text()).includes(what), `${what} to leave the screen`);
    return this.last;
  }

  type(text) { return this.tmux('send-keys', '-l', text); }
  press(...keys) { return this.tmux('send-keys', ...keys); }
  async paste(text) {
    await this.tmux('set-buffer', text);
    await this.tmux('paste-buffer', '-p');
  }
  resize(columns, rows) { return this.tmux('resize-window', '-x', columns, '-y', rows); }

  // How the command ended.
  async status() {
    const dead = async () => (await this.tmux('display', '-p', '#{pane_dead} #{pane_dead_status} #{pane_dead_signal}')).trim();
    const server = Number(await this.tmux('display', '-p', '#{pid}'));
    const words = await until(async () => {
      const text = await dead();
      if (text.startsWith('1 ')) return text;
      process.kill(server, 'SIGCHLD');   // tmux now and then misses that its command has ended
      return undefined;
    }, 'the end of the command');
    return words.slice(2);
  }

  async close() {
    await this.tmux('kill-server').catch(() => {});
  }
}
