// One running daemon with its people: an operator and two approvers, each with a credential.
// Whatever a case does to it is done from outside, as another process of the same user could.
import fs from 'node:fs';

import { newPlace, parsed, send } from './http.mjs';
import { callTool } from './mcp.mjs';
import { WebSocketClient } from './websocket.mjs';
import { until, within } from './world.mjs';

export class Daemon {
  constructor(world) {
    this.world = world;
    this.place = newPlace();
    this.calls = 0;
  }

  static async start(world, { args = [], people = true, tls, env = {}, under = [] } = {}) {
    const daemon = new Daemon(world);
    daemon.tls = tls;
    daemon.env = env;
    daemon.under = under;   // the words of a program that starts it, and becomes it
    await daemon.run(args);
    if (people) await daemon.makePeople();
    return daemon;
  }

  // Starts it, or starts it again on what it left.
  async run(args = this.args) {
    this.args = args;
    const { world } = this;
    const [file, ...words] = [...(this.under ?? []), `${world.bin}/tollgate`, 'serve', '--listen', '127.0.0.1:0', '--ready-fd', '3', '--data', world.data, '--config', world.policy, ...args];
    this.process = world.start(file, words,
      { env: this.env, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
    const ready = new Promise((done, fail) => {
      let text = '';
      this.process.stdio[3].on('data', (piece) => { text += piece; if (text.endsWith('\n')) done(parsed(text)); });
      this.process.ended.then(({ status }) => fail(new Error(`tollgate serve ended with ${status}: ${this.process.err}`)));
    });
    Object.assign(this, await within(ready, 'the daemon'));   // url, login, pid
    this.port = Number(new URL(this.url).port);
    this.socket = `${world.data}/gate.sock`;
  }

  // The link's own cookie makes the credentials; then everybody has a secret of their own.
  async makePeople() {
    const entered = await this.send('POST', '/api/login', { body: { link: this.login } });
    if (entered.json?.key === undefined) throw new Error(`no login by ${this.login}: ${entered.status} ${entered.text}`);
    this.console = loginOf(entered);
    const add = async (body) => {
      const made = await this.send('POST', '/api/approvers', { body, headers: this.console.headers });
      if (made.status !== 201) throw new Error(`no credential: ${made.text}`);
      return made.json.credential;
    };
    this.operator = await add({ name: 'olga-key', person: 'olga', operator: true });
    this.ann = await add({ name: 'ann' });
    this.bob = await add({ name: 'bob' });
  }

  send(method, path, { as, body, headers = {}, from = this.place, on = this.port } = {}) {
    const sent = as === undefined ? headers : { Authorization: `Bearer ${as}`, ...headers };
    return send(on, { method, path, headers: sent, body, from, tls: this.tls });
  }

  async session(agent = 'backend', more = {}) {
    const made = await this.send('POST', '/api/sessions', { as: this.operator, body: { agent, cwd: this.world.work, ...more } });
    if (made.status !== 201) throw new Error(`no session: ${made.text}`);
    return made.json;
  }

  // A permission call of a session, under way. `command` is one that the policy asks about.
  call(session, command, { tool = 'Bash', use = `toolu_${++this.calls}`, ...more } = {}) {
    const input = typeof command === 'string' ? { command } : command;
    const call = callTool(this.port, session.id ?? session, 'approve', { tool_name: tool, input, tool_use_id: use }, { from: this.place, tls: this.tls, ...more });
    return Object.assign(call, { command, use });
  }

  // A call that waits for a person, and the question that it put.
  async asked(session, command = 'npm install left-pad', more = {}) {
    const call = this.call(session, command, more);
    const question = await this.questionOf(call);
    return { call, question, id: question.permissionId };
  }

  questionOf(call) {
    return until(async () => (await this.pending()).find((each) => each.callId === call.use), `the question of ${call.use}`);
  }

  async pending() {
    return (await this.send('GET', '/api/permissions', { as: this.ann })).json.permissions;
  }

  async permission(id) {
    return (await this.send('GET', `/api/permissions/${id}`, { as: this.ann })).json;
  }

  approve(id, body = {}, as = this.ann) { return this.send('POST', `/api/permissions/${id}/approve`, { as, body }); }
  deny(id, body = {}, as = this.ann) { return this.send('POST', `/api/permissions/${id}/deny`, { as, body }); }

  // A call that no person has to see: what it comes to.
  async verdict(session, command, more) {
    const { behavior, message } = await this.call(session, command, more).said();
    return message === undefined ? behavior : `${behavior}: ${message}`;
  }

  // All rows of the record that fit, oldest first.
  async audit(query = '') {
    const rows = [];
    for (let after = 0; ;) {
      const page = await this.send('GET', `/api/audit?order=oldest&limit=1000&after=${after}${query}`, { as: this.ann });
      if (page.json.rows.length === 0) return rows;
      rows.push(...page.json.rows);
      after = rows.at(-1).number;
    }
  }

  watch(options = {}) {
    return WebSocketClient.open(this.port, { from: this.place, ...options });
  }

  async logIn(credential) {
    const entered = await this.send('POST', '/api/login', { body: { credential } });
    return loginOf(entered);
  }

  async stop(signal = 'SIGTERM') {
    this.process.kill(signal);
    return within(this.process.ended, `the end by ${signal}`);
  }

  // Everything that lies in the data directory, as one text.
  stored() {
    const files = fs.readdirSync(this.world.data, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
    return files.map((each) => fs.readFileSync(`${each.parentPath ?? each.path}/${each.name}`, 'latin1')).join('\n');
  }
}

// What a page has after its login: the browser's cookie, the key that it keeps itself, and the headers of its requests.
export function loginOf(entered) {
  const cookie = cookieOf(entered), { key } = entered.json;
  return { cookie, key, headers: { Cookie: `tollgate=${cookie}`, 'X-Tollgate-Key': key } };
}

export const cookieOf = (response) => /tollgate=([^;]*)/.exec(response.headers['set-cookie']?.[0] ?? '')?.[1];
