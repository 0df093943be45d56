// A home, a workspace and a data directory of their own for one case, and the programs run in them.
// Nothing of the person's environment reaches a client; whatever it started is gone afterwards.
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

// LIMIT: a client that takes longer hangs; the machine may be busy.
const limitSeconds = 120;

export class World {
  constructor() {
    // The system's temporary directory would be a special place to the gate.
    this.dir = fs.mkdtempSync('/var/tmp/tollgate-e2e.');
    for (const name of ['home', 'work', 'tmp', 'data']) fs.mkdirSync(path.join(this.dir, name), { mode: 0o700 });
    this.home = path.join(this.dir, 'home');
    this.work = path.join(this.dir, 'work');
    this.data = path.join(this.dir, 'data');
    this.policy = path.join(this.dir, 'tollgate.yaml');
    this.silence = path.join(this.dir, 'silence');   // a pipe that nobody writes to
    execFileSync('mkfifo', [this.silence]);
  }

  write(file, text) {
    const target = path.resolve(this.home, file);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(target, text);
    return target;
  }

  has(name) {
    return fs.existsSync(path.join(this.work, name));
  }

  // Whatever would leave the machine finds a closed port.
  environment(extra) {
    const node = path.dirname(process.execPath);
    const nowhere = 'http://127.0.0.1:1/';
    return {
      HTTP_PROXY: nowhere, HTTPS_PROXY: nowhere, NO_PROXY: '127.0.0.1', npm_config_registry: nowhere, npm_config_fetch_retries: '0',
      PATH: `${node}:/usr/bin:/bin`, HOME: this.home, TMPDIR: path.join(this.dir, 'tmp'),
      XDG_CONFIG_HOME: path.join(this.home, '.config'), XDG_DATA_HOME: path.join(this.home, '.local/share'),
      XDG_CACHE_HOME: path.join(this.home, '.cache'), XDG_STATE_HOME: path.join(this.home, '.local/state'),
      TERM: 'dumb', LANG: 'C.UTF-8', ...extra,
    };
  }

  // Runs a program to its end. Its process group ends with it.
  async run(file, args, { env, input = '', until = () => false, seconds = limitSeconds }) {
    const child = spawn(file, args, { cwd: this.work, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
    const output = { out: '', err: '', late: false, status: null };
    const end = () => endGroup(child.pid);
    const timer = setTimeout(() => { output.late = true; end(); }, seconds * 1000);
    child.stdout.on('data', (piece) => { output.out += piece; if (until(output.out)) end(); });
    child.stderr.on('data', (piece) => { output.err += piece; });
    child.stdin.on('error', () => {});
    if (input === '') child.stdin.end(); else child.stdin.write(input);
    await new Promise((ended) => {
      child.on('error', (error) => { output.err += error.message; ended(); });
      child.on('exit', (status) => { output.status = status; ended(); });
    });
    clearTimeout(timer);
    end();
    return output;
  }

  remove() {
    // Whoever still reads the silent pipe gets its end.
    try {
      fs.closeSync(fs.openSync(this.silence, fs.constants.O_WRONLY | fs.constants.O_NONBLOCK));
    } catch {
      // Nobody reads it.
    }
    fs.rmSync(this.dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

function endGroup(pid) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
