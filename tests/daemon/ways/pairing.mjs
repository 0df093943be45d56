// A phone: its code, the certificate, the addresses by which it comes, and the end of its login.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import tls from 'node:tls';

import { certify, digestOf, files, openssl, secureGate, shownDigest, withSettings } from '../lib/certificate.mjs';
import { Daemon, loginOf } from '../lib/daemon.mjs';
import { newPlace, send } from '../lib/http.mjs';
import { drawingIn, scanned } from '../lib/screen.mjs';
import { json, type } from '../lib/terminal.mjs';
import { until } from '../lib/world.mjs';
import { WebSocketClient } from '../lib/websocket.mjs';

const color = { NO_COLOR: '', TERM: 'xterm-256color', COLUMNS: '200' };
const linkIn = (shown) => /^link +(\S+)/m.exec(shown)[1];
const named = async (stage, url = 'http://100.64.0.7:1615') => {
  const world = stage.world();
  world.setPolicy(withSettings(`publicUrl: "${url}"`));
  return Daemon.start(world);
};
const enter = (gate, url, from = newPlace()) => gate.send('POST', '/api/login', { body: { link: url }, from });
const asDevice = (gate, entered) => (method, path, body) => gate.send(method, path, { body, headers: loginOf(entered).headers });

const drawings = [
  ['black on white by colours, on a dark terminal', [], color, { fg: 1, bg: 0 }, false],
  ['black on white by colours, on a light terminal', [], color, { fg: 0, bg: 1 }, false],
  ['without colours on a dark terminal', [], {}, { fg: 1, bg: 0 }, false],
  ['without colours on a light terminal, inverted', ['--invert'], {}, { fg: 0, bg: 1 }, false],
];

export const rows = [
  ...drawings.map(([name, words, env, look, tall]) => ({
    name: `the code in the terminal is the link to another reader: ${name}`,
    act: async (stage) => {
      const gate = await named(stage);
      const { status, shown, leaked } = await type(gate, ['pair', '--name', 'my phone', ...words], gate.ann, env);
      return [status, scanned(drawingIn(shown), look, tall) === linkIn(shown), /^http:\/\/100\.64\.0\.7:1615\/#\/pair\/tgl_[0-9a-f]{64}$/.test(linkIn(shown)), leaked];
    },
    want: [0, true, true, false],
  })),
  { name: 'the code in ASCII as well, where the terminal is wide enough',
    act: async (stage) => {
      const gate = await named(stage);
      const { world } = gate;
      const line = `stty cols 200; exec ${world.bin}/tollgate pair --ascii --data ${world.data}`;
      const child = world.start('script', ['-qec', line, `${world.dir}/screen`], { env: color });
      await until(() => child.out.includes('login link: '), 'the prompt');
      child.stdin.write(`${gate.ann}\n`);
      await child.ended;
      const shown = fs.readFileSync(`${world.dir}/screen`, 'utf8').replaceAll('\r', '');
      const drawing = drawingIn(shown);
      return [/^[\x00-\x7f]*$/.test(drawing), scanned(drawing, { fg: 1, bg: 0 }, true) === linkIn(shown), /^device +phone$/m.test(shown)];
    },
    want: [true, true, true] },
  { name: 'the code of a gate with its own certificate carries the digest, behind the #',
    act: async (stage) => {
      const gate = await secureGate(stage);
      const { shown } = await type(gate, ['pair'], gate.ann, color);
      const url = new URL(linkIn(shown));
      const digest = await shownDigest(gate.port, fs.readFileSync(files(gate.world).ca), 'box.local');
      return [scanned(drawingIn(shown)) === url.href, url.origin === `https://box.local:${gate.port}`, url.pathname, url.search, /^#\/pair\/tgl_[0-9a-f]{64}\?sha256=/.test(url.hash), url.hash.split('sha256=')[1] === digest,
        shown.includes(digest.toUpperCase().match(/../g).join(':')), digestOf(files(gate.world).server) === digest];
    },
    want: [true, true, '/', '', true, true, true, true] },
  { name: 'a code works once, for a named device that is no operator and pairs no other',
    act: async (stage) => {
      const gate = await named(stage);
      const { url, device } = await json(gate, ['pair', '--name', 'tablet'], gate.operator);
      const [entered, again] = [await enter(gate, url), await enter(gate, url)];
      const me = (await asDevice(gate, entered)('GET', '/api/me')).json;
      const further = await asDevice(gate, entered)('POST', '/api/pair', { device: 'another' });
      return [device, entered.status, again.status, me.device, me.person, me.operator, further.status];
    },
    want: ['tablet', 200, 401, 'tablet', 'olga', false, 403] },
  { name: 'ten phones with one code: one gets in',
    act: async (stage) => {
      const gate = await named(stage);
      const { url } = await json(gate, ['pair']);
      const got = await Promise.all(Array.from({ length: 10 }, () => enter(gate, url)));
      return got.map(({ status }) => status).sort();
    },
    want: [200, 401, 401, 401, 401, 401, 401, 401, 401, 401] },
  { name: 'guessed codes: after ten wrong ones the place must wait; the right one still works',
    act: async (stage) => {
      const gate = await named(stage);
      const { url } = await json(gate, ['pair']);
      const place = newPlace();
      const out = [];
      for (let i = 0; i < 12; ++i) out.push((await enter(gate, url.replace(/tgl_..../, `tgl_${1000 + i}`), place)).status);
      return [out, (await enter(gate, url, place)).status];
    },
    want: [[401, 401, 401, 401, 401, 401, 401, 401, 401, 401, 429, 429], 200] },
  { name: 'devices are listed and revoked; a revoked one gets nothing, and neither does its unused code',
    act: async (stage) => {
      const gate = await named(stage);
      const first = await json(gate, ['pair', '--name', 'lost']);
      const phone = asDevice(gate, await enter(gate, first.url));
      const unused = await json(gate, ['pair', '--name', 'unused']);
      const before = (await phone('GET', '/api/permissions')).status;
      const listed = await type(gate, ['pair', '--list']);
      const revoked = [await type(gate, ['pair', '--revoke', 'lost']), await type(gate, ['pair', '--revoke', 'unused'])].map(({ shown }) => shown);
      const unknown = await type(gate, ['pair', '--revoke', 'lost']);
      return [before, /lost +ann/.test(listed.shown) && /unused +ann/.test(listed.shown), revoked, unknown.status, /unknown-device/.test(unknown.shown),
        (await phone('GET', '/api/permissions')).status, (await enter(gate, unused.url)).status, (await type(gate, ['pair', '--list'])).shown];
    },
    want: [200, true, ['revoked lost', 'revoked unused'], 1, true, 401, 401, 'no devices'] },
  { name: 'a code that was never used is replaced by the next one for that name',
    act: async (stage) => {
      const gate = await named(stage);
      const first = await json(gate, ['pair', '--name', 'tablet']);
      const second = await json(gate, ['pair', '--name', 'tablet']);
      const stranger = await gate.send('POST', '/api/pair', { as: gate.bob, body: { device: 'tablet' } });
      const out = [(await enter(gate, first.url)).status, stranger.status, (await enter(gate, second.url)).status];
      const taken = await type(gate, ['pair', '--name', 'tablet']);
      return [...out, taken.status, /approver-taken/.test(taken.shown), (await json(gate, ['pair', '--list'])).devices.length];
    },
    want: [401, 409, 200, 1, true, 1] },
  { name: 'a name that was not chosen gets a number; a chosen one that is taken is refused',
    act: async (stage) => {
      const gate = await named(stage);
      const first = await json(gate, ['pair']);
      await enter(gate, first.url);
      const names = [first.device, (await json(gate, ['pair'])).device];
      const taken = await type(gate, ['pair', '--name', 'phone']);
      return [names, taken.status, /approver-taken/.test(taken.shown)];
    },
    want: [['phone', 'phone-2'], 1, true] },
  { name: 'a daemon on loopback gets no code: what to write is said, and nothing is opened or made',
    act: async (stage) => {
      const gate = await stage.fresh();
      const { status, shown } = await type(gate, ['pair']);
      const { devices } = await json(gate, ['pair', '--list']);
      return [status, /unreachable-address/.test(shown), shown.includes(`\n  listen: 0.0.0.0:${gate.port}\n`), new RegExp(`^  publicUrl: https://[^:\\s]+:${gate.port}$`, 'm').test(shown), shown.includes(`    cert: ${files(gate.world).server}`),
        /tollgate pair --certificate/.test(shown), drawingIn(shown), devices, fs.existsSync(files(gate.world).caKey)];
    },
    want: [1, true, true, true, true, true, '', [], false] },
  { name: 'the certificate: OpenSSL and Node verify it, for the machine\'s names and no others',
    act: async (stage) => {
      const world = stage.world();
      const made = await certify(world, '--host', 'gate.vpn.example');
      const { ca, caKey, server } = files(world);
      const verify = (host) => openssl('verify', '-x509_strict', '-purpose', 'sslserver', '-CAfile', ca, ...(/^[\d.:]+$/.test(host) ? ['-verify_ip', host] : ['-verify_hostname', host]), server).status;
      const text = openssl('x509', '-in', server, '-noout', '-text').stdout, caText = openssl('x509', '-in', ca, '-noout', '-text').stdout;
      return [made.status, ['localhost', '127.0.0.1', '::1', 'gate.vpn.example'].map(verify), ['example.org', '10.99.99.99'].map(verify).every((status) => status !== 0),
        /prime256v1/.test(text) && /prime256v1/.test(caText), /CA:TRUE, pathlen:0/.test(caText), /Name Constraints: critical/.test(caText), /CA:FALSE/.test(text),
        openssl('x509', '-in', server, '-noout', '-checkend', String(398 * 86_400)).status, [caKey, server].map((file) => (fs.statSync(file).mode & 0o777).toString(8)), made.out.includes('PRIVATE')];
    },
    want: [0, [0, 0, 0, 0], true, true, true, true, true, 1, ['600', '600'], false] },
  { name: 'the certificate: a stolen key of the authority vouches for no other site',
    act: async (stage) => {
      const world = stage.world();
      await certify(world);
      const { ca, caKey } = files(world);
      const at = (name) => `${world.dir}/${name}`;
      fs.writeFileSync(at('ext'), 'subjectAltName=DNS:bank.example.com\nextendedKeyUsage=serverAuth\n');
      execFileSync('openssl', ['req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-subj', '/CN=bank', '-keyout', at('key'), '-out', at('csr')], { stdio: 'ignore' });
      execFileSync('openssl', ['x509', '-req', '-in', at('csr'), '-CA', ca, '-CAkey', caKey, '-days', '30', '-extfile', at('ext'), '-out', at('crt')], { stdio: 'ignore' });
      const { status, stderr } = openssl('verify', '-CAfile', ca, at('crt'));
      return [status !== 0, /permitted subtree violation/.test(stderr)];
    },
    want: [true, true] },
  { name: 'the certificate: a client that trusts the authority is served, one that does not is not; the authority is handed out',
    act: async (stage) => {
      const gate = await secureGate(stage);
      const { ca } = files(gate.world);
      const stranger = await send(gate.port, { path: '/health', tls: { servername: 'box.local' } }).then(({ status }) => status, ({ code }) => code);
      const told = (await gate.send('GET', '/api/certificate')).json;
      const handed = await gate.send('GET', '/ca.crt');
      return [(await gate.send('GET', '/health')).status, stranger, told.certificate.sha256 === digestOf(files(gate.world).server), told.authority.sha256 === digestOf(ca), handed.text === fs.readFileSync(ca, 'utf8'),
        handed.headers['content-type'], /PRIVATE/.test(handed.text)];
    },
    want: [200, 'SELF_SIGNED_CERT_IN_CHAIN', true, true, true, 'application/x-x509-ca-cert', false] },
  { name: 'the certificate: other names are taken over by a daemon that runs; the authority stays',
    act: async (stage) => {
      const gate = await secureGate(stage);
      const { ca, server } = files(gate.world);
      const [authority, before] = [fs.readFileSync(ca, 'utf8'), digestOf(server)];
      await certify(gate.world, '--host', 'other.local');
      gate.process.kill('SIGHUP');
      await until(() => /the certificate was read again/.test(gate.process.err), 'the log');
      const after = await shownDigest(gate.port, fs.readFileSync(ca), 'other.local');
      return [before === after, after === digestOf(server), authority === fs.readFileSync(ca, 'utf8')];
    },
    want: [false, true, true] },
  { name: 'the certificate: one that has run out is renewed when the daemon starts',
    act: async (stage) => {
      const gate = await secureGate(stage);
      const { ca, caKey, server } = files(gate.world);
      await gate.stop();
      const at = (name) => `${gate.world.dir}/${name}`;
      fs.writeFileSync(at('ext'), 'subjectAltName=DNS:box.local,IP:127.0.0.1\nextendedKeyUsage=serverAuth\n');
      execFileSync('openssl', ['req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-subj', '/CN=Tollgate server on box', '-keyout', at('key'), '-out', at('csr')], { stdio: 'ignore' });
      execFileSync('openssl', ['x509', '-req', '-in', at('csr'), '-CA', ca, '-CAkey', caKey, '-days', '0', '-extfile', at('ext'), '-out', at('crt')], { stdio: 'ignore' });
      fs.writeFileSync(server, ['key', 'crt'].map((name) => fs.readFileSync(at(name), 'utf8')).join('') + fs.readFileSync(ca, 'utf8'), { mode: 0o600 });
      const old = digestOf(server);
      await gate.run();
      const shown = await shownDigest(gate.port, fs.readFileSync(ca), 'box.local');
      return [/the certificate was renewed/.test(gate.process.err), shown !== old, openssl('verify', '-CAfile', ca, '-verify_hostname', 'box.local', server).status];
    },
    want: [true, true, 0] },
  { name: 'a proxy with TLS before it: its host and its pages are ours, the cookie is for HTTPS, links lead there',
    act: async (stage) => {
      const world = stage.world();
      await certify(world, '--host', 'gate.example.org');
      world.setPolicy(withSettings('publicUrl: "https://gate.example.org"'));
      const gate = await Daemon.start(world);
      const { ca, server } = files(world);
      const pem = fs.readFileSync(server);
      const proxy = tls.createServer({ key: pem, cert: pem }, (outer) => {
        const inner = net.connect(gate.port, '127.0.0.1');
        outer.pipe(inner).pipe(outer);
        for (const socket of [outer, inner]) socket.on('error', () => { outer.destroy(); inner.destroy(); });
      });
      await new Promise((ready) => proxy.listen(0, '127.0.0.1', ready));
      try {
        const through = (method, path, { host = 'gate.example.org', headers = {}, body } = {}) => send(proxy.address().port, { method, path, body, headers: { Host: host, ...headers }, tls: { ca: fs.readFileSync(ca), servername: 'gate.example.org' } });
        const entered = await through('POST', '/api/login', { body: { credential: gate.ann }, headers: { Origin: 'https://gate.example.org' } });
        const { headers: own } = loginOf(entered);
        const act = (origin) => through('POST', '/api/freeze', { body: { agent: 'backend', frozen: false }, headers: { ...own, Origin: origin, 'Sec-Fetch-Site': 'same-origin' } });
        const link = (await gate.send('POST', '/api/links', { as: gate.ann })).json.login;
        const socket = await WebSocketClient.open(gate.port, { headers: { Host: 'gate.example.org', Origin: 'https://gate.example.org', ...own } }).then(({ status, socket: open }) => { open?.destroy(); return status; });
        return [entered.status, /; HttpOnly; SameSite=Strict; .*; Secure/.test(entered.headers['set-cookie'][0]), (await act('https://gate.example.org')).status, (await act('https://evil.example.org')).status,
          (await through('GET', '/health', { host: 'other.example.org' })).status, link.startsWith('https://gate.example.org/login/tgl_'), gate.login.startsWith('https://gate.example.org/login/'),
          (await json(gate, ['pair'])).url.split('tgl_')[0], socket];
      } finally {
        proxy.close();
      }
    },
    want: [200, true, 200, 403, 421, true, true, 'https://gate.example.org/#/pair/', 101] },
  { name: 'on the machine itself the page says that self-approval is not prevented',
    act: async (stage) => {
      const gate = await secureGate(stage);
      const { url } = (await gate.send('POST', '/api/pair', { as: gate.ann, body: { device: 'here' } })).json;
      const me = (await asDevice(gate, await enter(gate, url))('GET', '/api/me')).json;
      return [me.device, me.selfApproval.prevented, /machine that the agents run on/.test(me.selfApproval.why)];
    },
    want: ['here', false, true] },
];
