// `tollgate serve` for one case, and the person who answers: logged in by the printed link, over HTTP.
// It listens on loopback, on a port that is free, and keeps that port when it is started again.
// Whoever waits here looks again until it is so or the limit has passed; nothing counts on a time.
import { spawn } from 'node:child_process';

// LIMIT: for whatever is waited for; the machine may be busy.
const limitSeconds = 280;
const betweenLooks = 50;   // milliseconds

export class Gate {
  log = '';

  static async start(world, { bin }) {
    const gate = new Gate();
    gate.world = world;
    gate.program = `${bin}/tollgate`;
    gate.address = '127.0.0.1:0';
    await gate.start();
    return gate;
  }

  async start() {
    const args = ['serve', '--config', this.world.policy, '--data', this.world.data, '--listen', this.address, '--ready-fd', '3'];
    this.daemon = spawn(this.program, args,
      { cwd: this.world.dir, env: this.world.environment({ USER: 'ann' }), stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
    this.ended = new Promise((ended) => this.daemon.on('exit', ended));
    for (const stream of [this.daemon.stdout, this.daemon.stderr]) stream.on('data', (piece) => { this.log += piece; });
    const { url, login } = await this.#ready();
    this.url = url;
    this.address = new URL(url).host;
    await this.#logIn(login);
  }

  async #ready() {
    let line = '';
    for await (const piece of this.daemon.stdio[3]) {
      line += piece;
      if (line.includes('\n')) return JSON.parse(line);
    }
    throw new Error(`tollgate serve does not start: ${this.log}`);
  }

  async #logIn(login) {
    const json = { 'content-type': 'application/json' };
    const response = await fetch(new URL('/api/login', login), { method: 'POST', headers: json, body: JSON.stringify({ link: login }) });
    const { key } = await response.json();
    this.headers = { ...json, cookie: response.headers.get('set-cookie').split(';')[0], 'x-tollgate-key': key };
  }

  kill() {
    this.daemon.kill('SIGKILL');
    return this.ended;
  }

  stop() {
    this.daemon.kill('SIGTERM');
    return this.ended;
  }

  async api(method, path, body) {
    const response = await fetch(`${this.url}/api/${path}`, { method, headers: this.headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
    return answer;
  }

  // {id, mcp_url, hook_url, …}
  openSession(wanted = {}) {
    return this.api('POST', 'sessions', { cwd: this.world.work, provider: 'claude', ...wanted });
  }

  endSession({ id }) {
    return this.api('DELETE', `sessions/${id}`);
  }

  async sessions() {
    return (await this.api('GET', 'sessions')).sessions;
  }

  async open() {
    return (await this.api('GET', 'permissions')).permissions;
  }

  // All that there have been, oldest first.
  async questions() {
    const ended = (await this.api('GET', 'permissions?state=resolved')).permissions.filter(({ state }) => state !== 'pending');
    const all = [...ended, ...await this.open()];
    return all.sort((a, b) => a.createdAt.localeCompare(b.createdAt));
  }

  // The one question that is open; comes back when there is one.
  question() {
    return this.until('a question is open', async () => (await this.open())[0]);
  }

  approve({ permissionId }, how = {}) {
    return this.api('POST', `permissions/${permissionId}/approve`, how);
  }

  deny({ permissionId }, reason) {
    return this.api('POST', `permissions/${permissionId}/deny`, { reason });
  }

  find({ permissionId }) {
    return this.api('GET', `permissions/${permissionId}`);
  }

  // Calls as the record has them, oldest first.
  async record() {
    return (await this.api('GET', 'audit?kind=call&order=oldest')).rows;
  }

  async until(what, look, seconds = limitSeconds) {
    const end = Date.now() + seconds * 1000;
    for (;;) {
      const found = await look();
      if (found) return found;
      if (this.over) throw new Error(`the client ended before ${what}`);
      if (Date.now() > end) throw new Error(`not in ${seconds} s: ${what}`);
      await new Promise((again) => setTimeout(again, betweenLooks));
    }
  }
}
