// A home, a workspace, a policy and a data directory of their own, and the programs run in them.
// Nothing of the person's environment reaches a program; whatever was started is ended by its id.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

// LIMIT: whatever takes longer hangs; a machine that is busier than most may say so.
export const patience = Number(process.env.TOLLGATE_PATIENCE ?? 60_000);

// Why a case that waits for a minute is skipped, unless it is wanted.
export const long = process.env.TOLLGATE_LONG === '1' ? undefined : 'it takes a minute; TOLLGATE_LONG=1 plays it';

export const usual = `version: 1
settings: {permissionTimeout: 0}
rules:
  allow: ["Bash(make *)"]
  deny: ["Bash(git push --force *)"]
agents:
  backend: {}
  frontend: {}
  strict: {rules: {deny: ["Bash(make deploy *)"]}}
`;

const worlds = new Set();

// Whoever stops the run stops what it started, too.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    for (const world of worlds) {
      for (const child of world.children) child.kill('SIGKILL');
      fs.rmSync(world.dir, { recursive: true, force: true });
    }
    process.exit(1);
  });

export class World {
  constructor({ bin, policy = usual }) {
    this.bin = bin;
    // The system's temporary directory would be a special place to the gate.
    this.dir = fs.mkdtempSync('/var/tmp/tollgate-daemon.');
    for (const name of ['home', 'work', 'tmp']) fs.mkdirSync(path.join(this.dir, name));
    this.home = path.join(this.dir, 'home');
    this.work = path.join(this.dir, 'work');
    this.data = path.join(this.dir, 'data');
    this.policy = path.join(this.dir, 'tollgate.yaml');
    this.children = new Set();
    worlds.add(this);
    this.setPolicy(policy);
  }

  // Whole or not at all: the daemon looks at the file whenever it likes.
  setPolicy(text) {
    fs.writeFileSync(`${this.policy}.new`, text, { mode: 0o600 });
    fs.renameSync(`${this.policy}.new`, this.policy);
  }

  environment(extra = {}) {
    return {
      PATH: '/usr/local/bin:/usr/bin:/bin', HOME: this.home, TMPDIR: path.join(this.dir, 'tmp'), USER: 'olga',
      XDG_CONFIG_HOME: path.join(this.home, '.config'), XDG_STATE_HOME: path.join(this.home, '.local/state'),
      LC_ALL: 'C.UTF-8', TZ: 'UTC', NO_COLOR: '1', TERM: 'dumb', ...extra,
    };
  }

  // In a session of its own: no program finds the terminal of whoever runs the tests.
  start(file, args, { env = {}, stdio = ['pipe', 'pipe', 'pipe'] } = {}) {
    const child = spawn(file, args, { cwd: this.work, env: this.environment(env), stdio, detached: true });
    this.children.add(child);
    child.ended = new Promise((ended) => {
      child.on('error', (error) => ended({ status: null, signal: null, error }));
      child.on('exit', (status, signal) => ended({ status, signal }));
    });
    child.ended.then(() => this.children.delete(child));
    child.out = child.err = '';
    child.stdin?.on('error', () => {});
    child.stdout?.on('data', (piece) => { child.out += piece; });
    child.stderr?.on('data', (piece) => { child.err += piece; });
    return child;
  }

  // Runs a program to its end: {status, out, err}.
  async run(file, args, { env, input = '' } = {}) {
    const child = this.start(file, args, { env });
    const closed = new Promise((done) => { child.on('close', done); child.on('error', done); });
    child.stdin.end(input);
    const { status } = await within(child.ended, `${path.basename(file)} ${args[0]}`);
    await closed;
    return { status, out: child.out, err: child.err };
  }

  async remove() {
    worlds.delete(this);
    const left = [...this.children];
    for (const child of left) child.kill('SIGKILL');
    await Promise.all(left.map((child) => child.ended));
    fs.rmSync(this.dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

// What `promise` gives, or an error that says what was waited for.
export function within(promise, what, milliseconds = patience) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`waited ${milliseconds} ms for ${what}`)), milliseconds);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

// Looks again and again until `look` gives something.
export async function until(look, what, { milliseconds = patience, pause = 20 } = {}) {
  const end = Date.now() + milliseconds;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) throw new Error(`waited ${milliseconds} ms for ${what}`);
    await new Promise((go) => setTimeout(go, pause));
  }
}
