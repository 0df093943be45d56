// Where the daemon listens, TLS, and reading its configuration again.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';

import { send } from '../lib/http.mjs';
import { Daemon } from '../lib/daemon.mjs';
import { until, usual } from '../lib/world.mjs';

const decide = async (gate, session, command) => (await gate.send('POST', '/api/decide', { as: session.id, body: { tool: 'Bash', input: { command } } })).json.verdict;
const serve = (world, args) => world.run(`${world.bin}/tollgate`, ['serve', '--data', world.data, '--config', world.policy, ...args]);

function certificate(world, name) {
  const [key, cert] = [`${world.dir}/${name}.key`, `${world.dir}/${name}.pem`];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2', '-subj', '/CN=localhost',
    '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1', '-keyout', key, '-out', cert], { stdio: 'ignore' });
  fs.chmodSync(key, 0o600);
  return { key, cert };
}
const withTls = ({ key, cert }) => usual.replace('permissionTimeout: 0', `permissionTimeout: 0, tls: {cert: ${cert}, key: ${key}}`);

export const rows = [
  { name: 'a change of the policy holds from the next call on',
    act: async (stage) => {
      const gate = await stage.fresh();
      const session = await gate.session();
      const before = await decide(gate, session, 'npm ci');
      gate.world.setPolicy(usual.replace('"Bash(make *)"', '"Bash(make *)", "Bash(npm ci)"'));
      await until(async () => (await decide(gate, session, 'npm ci')) === 'allow', 'the new policy');
      gate.world.setPolicy(usual.replace('"Bash(git push --force *)"', '"Bash(npm *)"'));
      await until(async () => (await decide(gate, session, 'npm ci')) === 'deny', 'the newer policy');
      return before;
    },
    want: 'ask' },
  { name: 'an agent that the policy has since is there without a restart',
    act: async (stage) => {
      const gate = await stage.fresh();
      const make = () => gate.send('POST', '/api/sessions', { as: gate.operator, body: { agent: 'newcomer', cwd: gate.world.work } });
      const before = await make();
      gate.world.setPolicy(`${usual}  newcomer: {}\n`);
      const after = await until(async () => { const made = await make(); return made.status === 201 && made; }, 'the agent');
      return [before.status, before.json.error.code, await decide(gate, after.json, 'make all')];
    },
    want: [422, 'unknown-agent', 'allow'] },
  { name: 'a signal reads the configuration again',
    act: async (stage) => {
      const gate = await stage.fresh();
      gate.process.kill('SIGHUP');
      await until(() => /policy read again/.test(gate.process.err), 'the log');
      return (await gate.send('GET', '/health')).json.status;
    },
    want: 'ok' },
  { name: 'a project\'s own file tightens a session that works there',
    act: async (stage) => {
      const gate = await stage.fresh();
      fs.mkdirSync(`${gate.world.work}/.git`);
      fs.writeFileSync(`${gate.world.work}/tollgate.yaml`, 'version: 1\nrules: {deny: ["Bash(make deploy *)"], allow: ["Bash(npm *)"]}\n');
      const session = await gate.session();
      return [await decide(gate, session, 'make deploy x'), await decide(gate, session, 'make all'), await decide(gate, session, 'npm ci')];
    },
    want: ['deny', 'allow', 'ask'] },
  { name: 'TLS: everything goes over it, and nothing else is understood',
    act: async (stage) => {
      const world = stage.world();
      const files = certificate(world, 'one');
      world.setPolicy(withTls(files));
      const gate = await Daemon.start(world, { tls: { ca: fs.readFileSync(files.cert), servername: 'localhost' } });
      const { call, id } = await gate.asked(await gate.session());
      await gate.approve(id);
      const entered = await gate.send('POST', '/api/login', { body: { credential: gate.ann } });
      const plain = await send(gate.port, { path: '/health' }).then(({ status }) => status, () => 'broken off');
      const stranger = await send(gate.port, { path: '/health', tls: { servername: 'localhost' } }).then(({ status }) => status, ({ code }) => code);
      return [gate.url.startsWith('https://'), (await call.said()).behavior, /; Secure/.test(entered.headers['set-cookie'][0]), plain, stranger];
    },
    want: [true, 'allow', true, 'broken off', 'DEPTH_ZERO_SELF_SIGNED_CERT'] },
  { name: 'TLS: a key that does not fit is an error at the start',
    act: async (stage) => {
      const world = stage.world();
      const [one, other] = [certificate(world, 'one'), certificate(world, 'other')];
      world.setPolicy(withTls({ cert: one.cert, key: other.key }));
      const { status, err } = await serve(world, ['--listen', '127.0.0.1:0']);
      return [status, /tls-unusable/.test(err)];
    },
    want: [1, true] },
  { name: 'an address that others reach is refused without TLS',
    act: async (stage) => {
      const world = stage.world();
      const out = [];
      for (const address of ['0.0.0.0:0', '[::]:0']) {
        const { status, err } = await serve(world, ['--listen', address]);
        out.push(status, /listen-insecure/.test(err));
      }
      return out;
    },
    want: [1, true, 1, true] },
  { name: 'an address that is none is a usage error',
    act: async (stage) => {
      const world = stage.world();
      const { status, err } = await serve(world, ['--listen', '127.0.0.1:99999']);
      return [status !== 0, /bad-usage/.test(err)];
    },
    want: [true, true] },
  { name: 'a port that is taken is said',
    act: async (stage) => {
      const gate = await stage.gate();
      const { status, err } = await serve(stage.world(), ['--listen', `127.0.0.1:${gate.port}`]);
      return [status, /listen-failed/.test(err)];
    },
    want: [1, true] },
  { name: 'without a descriptor to tell, the link is printed, and works once',
    act: async (stage) => {
      const world = stage.world();
      const child = world.start(`${world.bin}/tollgate`, ['serve', '--listen', '127.0.0.1:0', '--data', world.data, '--config', world.policy]);
      const link = await until(() => /(http:\S+)(\/login\/\S+)/.exec(child.out), 'the link');
      const port = Number(new URL(link[1]).port);
      const open = async () => (await send(port, { method: 'POST', path: '/api/login', body: { link: link[0] } })).status;
      return [(await send(port, { path: link[2], headers: { 'user-agent': 'Mozilla/5.0' } })).headers.location === `/#${link[2]}`, await open(), await open()];
    },
    want: [true, 200, 401] },
  { name: 'a socket that a killed daemon left is taken over',
    act: async (stage) => {
      const gate = await stage.fresh();
      await gate.stop('SIGKILL');
      const left = fs.existsSync(gate.socket);
      await gate.run();
      return [left, (await gate.send('GET', '/health', { on: gate.socket })).status];
    },
    want: [true, 200] },
  { name: 'a supervisor is told when it is ready and when it stops',
    act: async (stage) => {
      const world = stage.world();
      const heard = `${world.dir}/notify.out`;
      const socket = `${world.dir}/notify`;
      const listener = world.start('python3', ['-c', `import socket,sys
s=socket.socket(socket.AF_UNIX,socket.SOCK_DGRAM); s.bind(sys.argv[1]); f=open(sys.argv[2],"w")
while True: f.write(s.recv(4096).decode()+"\\n"); f.flush()`, socket, heard]);
      await until(() => fs.existsSync(socket), 'the supervisor');
      const gate = await Daemon.start(world, { people: false, env: { NOTIFY_SOCKET: socket } });
      await until(() => /READY=1/.test(fs.readFileSync(heard, 'utf8')), 'READY');
      await gate.stop('SIGTERM');
      await until(() => /STOPPING=1/.test(fs.readFileSync(heard, 'utf8')), 'STOPPING');
      listener.kill('SIGKILL');
      return fs.readFileSync(heard, 'utf8').replace(gate.url, 'URL');
    },
    want: 'READY=1\nSTATUS=URL\nSTOPPING=1\n' },
  { name: 'a socket that a supervisor opened is taken, and no other address',
    act: async (stage) => {
      const world = stage.world();
      // The process that becomes the daemon opens the socket, as descriptor 3, and knows its own id.
      const child = world.start('python3', ['-c', `import os,socket,sys
s=socket.socket(); s.bind(("127.0.0.1",0)); s.listen(); s.fileno()==3 or os.dup2(s.fileno(),3); os.set_inheritable(3,True)
print(s.getsockname()[1],flush=True); os.environ.update(LISTEN_FDS="1",LISTEN_PID=str(os.getpid()))
os.execv(sys.argv[1],sys.argv[1:])`, `${world.bin}/tollgate`, 'serve', '--listen', '127.0.0.1:1', '--data', world.data, '--config', world.policy]);
      await until(() => /log in/.test(child.out), 'the daemon');
      const port = Number(child.out.split('\n')[0]);
      return [(await send(port, { path: '/health' })).json.status, child.out.includes(`listening at http://127.0.0.1:${port}`)];
    },
    want: ['ok', true] },
  { name: 'health tells a local caller the limit of open files and the errors of the policy',
    act: async (stage) => {
      const gate = await stage.fresh();
      const session = await gate.session();
      await decide(gate, session, 'make all');
      const before = (await gate.send('GET', '/health')).json;
      gate.world.setPolicy('version: 1\nrulez: {}\n');
      const after = await until(async () => { const { json } = await gate.send('GET', '/health'); return json.status === 'policy-error' && json; }, 'the error');
      return [before.status, before.openFiles > 0, before.policyErrors, after.policyErrors.length > 0, await decide(gate, session, 'make all')];
    },
    want: ['ok', true, [], true, 'allow'] },
];
