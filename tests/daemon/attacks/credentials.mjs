// Links, secrets and cookies: used twice, guessed, taken for one another, revoked.
import { newPlace } from '../lib/http.mjs';
import { cookieOf, loginOf } from '../lib/daemon.mjs';
import { long, patience, until, usual } from '../lib/world.mjs';
import { guarded, onQuestion, operatorOnly, statusesOf } from './routes.mjs';

const newLink = async (gate) => (await gate.send('POST', '/api/links', { as: gate.ann })).json.login;
const open = (gate, link) => gate.send('POST', '/api/login', { body: { link }, from: newPlace() });

export const rows = [
  { name: 'a replayed link is refused, whole and by its secret',
    act: async (stage) => {
      const gate = await stage.gate();
      const link = await newLink(gate);
      return [(await open(gate, link)).status, (await open(gate, link)).status, (await open(gate, link.split('/').at(-1))).status];
    },
    want: [200, 401, 401] },
  { name: 'a browser that opens a link is led to the page and spends nothing',
    act: async (stage) => {
      const gate = await stage.gate();
      const link = await newLink(gate);
      const looked = await gate.send('GET', new URL(link).pathname, { headers: { 'user-agent': 'Mozilla/5.0' } });
      return [looked.status, looked.headers.location === `/#${new URL(link).pathname}`, cookieOf(looked) ?? null, looked.headers['referrer-policy'], (await open(gate, link)).status];
    },
    want: [303, true, null, 'no-referrer', 200] },
  { name: 'a program gets in by a link at once; what it has is nothing in a browser',
    act: async (stage) => {
      const gate = await stage.gate();
      const link = await newLink(gate);
      const entered = await gate.send('GET', new URL(link).pathname);
      const cookie = cookieOf(entered), [alone, key] = cookie.split('.');
      const out = [entered.status, entered.headers.location, (await open(gate, link)).status];
      const ask = async (headers) => (await gate.send('GET', '/api/permissions', { headers, from: newPlace() })).status;
      const whole = `tollgate=${cookie}`;
      out.push(await ask({ cookie: whole }), await ask({ cookie: whole, 'user-agent': 'Mozilla/5.0' }), await ask({ cookie: whole, 'sec-fetch-site': 'same-origin' }),
        await ask({ cookie: `tollgate=${alone}` }), await ask({ cookie: `tollgate=${alone}.` }), await ask({ cookie: `tollgate=.${key}` }), await ask({ cookie: `tollgate=${alone}`, 'x-tollgate-key': key }));
      return out;
    },
    want: [303, '/', 401, 200, 401, 401, 401, 401, 401, 200] },
  { name: 'a link with tricks in it leads nowhere',
    act: async (stage) => {
      const gate = await stage.gate();
      const out = [];
      for (const secret of ['x%0d%0aSet-Cookie:%20a=b', '%2f%2fevil.example', 'a%3fb', 'a%23b', 'a%22b', '%ff', 'a%5cb'])
        out.push(((each) => [each.status, each.headers.location ?? null])(await gate.send('GET', `/login/${secret}`)));
      return out.every(([status, location]) => status >= 400 && location === null) || out;
    },
    want: true },
  { name: 'of many that open a link at the same time one gets in',
    act: async (stage) => {
      const gate = await stage.gate();
      const out = [];
      for (let round = 0; round < 5; ++round) {
        const link = await newLink(gate);
        const got = await Promise.all(Array.from({ length: 10 }, () => open(gate, link)));
        out.push(got.filter((each) => each.status < 400).length, got.filter((each) => cookieOf(each)).length, got.filter((each) => each.status === 401).length);
      }
      return out;
    },
    want: [1, 1, 9, 1, 1, 9, 1, 1, 9, 1, 1, 9, 1, 1, 9] },
  { name: 'a link of more than a minute ago is refused', skip: long,
    act: async (stage) => {
      const gate = await stage.gate();
      const link = await newLink(gate);
      const over = Date.now() + 60_000;
      await until(() => Date.now() >= over, 'a minute', { milliseconds: 2 * patience });
      return (await open(gate, link)).status;
    },
    want: 401 },
  { name: 'a link of a daemon that ended is refused when it was used, and works once when it was not',
    act: async (stage) => {
      const gate = await stage.fresh();
      const [used, unused] = [await newLink(gate), await newLink(gate)];
      await open(gate, used);
      await gate.stop('SIGKILL');
      await gate.run();
      return [(await open(gate, used)).status, (await open(gate, unused)).status, (await open(gate, unused)).status];
    },
    want: [401, 200, 401] },
  { name: 'link, cookie, key and credential do not stand for one another',
    act: onQuestion(async (gate, it) => {
      const { cookie, key } = await gate.logIn(gate.ann);
      const secret = (await newLink(gate)).split('/').at(-1);
      const bearer = (text) => ({ Authorization: `Bearer ${text}` });
      const out = [];
      for (const headers of [bearer(cookie), bearer(secret), bearer(key), bearer(`${cookie}.${key}`), { Cookie: `tollgate=${gate.ann}`, 'X-Tollgate-Key': key }, { Cookie: `tollgate=${secret}`, 'X-Tollgate-Key': key },
        { Cookie: `tollgate=${cookie}.${key}`, 'User-Agent': 'Mozilla/5.0' }, { Cookie: `tollgate=${cookie}.${key}`, 'X-Tollgate-Key': key }, { 'X-Tollgate-Key': key }, { 'X-Tollgate-Key': gate.ann }])
        out.push((await gate.send('POST', `/api/permissions/${it.id}/approve`, { headers, body: {}, from: newPlace() })).status);
      for (const body of [{ credential: cookie }, { credential: key }, { credential: secret }, { link: gate.ann }, { link: `${gate.url}/login/${cookie}` }, { link: key }])
        out.push((await gate.send('POST', '/api/login', { body, from: newPlace() })).status);
      return out;
    }),
    want: { got: Array(16).fill(401), state: 'pending' } },
  { name: 'guessed credential: after ten wrong ones the place must wait; who has a right one need not',
    act: async (stage) => {
      const gate = await stage.gate();
      const out = [];
      let last;
      for (let i = 0; i < 12; ++i) {
        last = await gate.send('GET', '/api/me', { as: `tga_${'0'.repeat(60)}${1000 + i}` });
        out.push(last.status);
      }
      const elsewhere = await gate.send('GET', '/api/me', { as: 'tga_wrong', from: newPlace() });
      // An agent on the same machine must not be able to lock people out.
      const right = await gate.send('GET', '/api/me', { as: gate.ann });
      return { out, code: last.json.error.code, waits: Number(last.headers['retry-after']) > 0, elsewhere: elsewhere.status, right: right.status };
    },
    want: { out: [401, 401, 401, 401, 401, 401, 401, 401, 401, 401, 429, 429], code: 'too-many-guesses', waits: true, elsewhere: 401, right: 200 } },
  { name: 'guessed links and cookies count as guesses',
    act: async (stage) => {
      const gate = await stage.gate();
      for (let i = 0; i < 5; ++i) {
        await gate.send('POST', '/api/login', { body: { link: `tgl_${i}` } });
        await gate.send('GET', '/api/me', { headers: { Cookie: `tollgate=tgc_${i}`, 'X-Tollgate-Key': 'tgk_1' } });
      }
      return [(await gate.send('GET', '/api/me', { as: 'tga_wrong' })).status, (await gate.send('POST', '/api/login', { body: { link: 'tgl_wrong' } })).status];
    },
    want: [429, 429] },
  { name: 'a place that must wait is told for how long',
    act: async (stage) => {
      const gate = await stage.gate();
      for (let i = 0; i < 10; ++i) await gate.send('GET', '/api/me', { as: `wrong${i}` });
      // Each further wrong one that is let in doubles the wait; a short one is over soon.
      const { headers, json } = await gate.send('GET', '/api/me', { as: 'wrong' });
      return Number(headers['retry-after']) === Number(/wait (\d+) s/.exec(json.error.hint)?.[1]);
    },
    want: true },
  { name: 'requests without a credential are no guesses',
    act: async (stage) => {
      const gate = await stage.gate();
      for (let i = 0; i < 20; ++i) await gate.send('GET', '/api/me');
      return (await gate.send('GET', '/api/me', { as: gate.ann })).status;
    },
    want: 200 },
  { name: 'a revoked credential, its cookies and links are worth nothing, and its socket is closed',
    act: onQuestion(async (gate, it) => {
      const carol = (await gate.send('POST', '/api/approvers', { as: gate.operator, body: { name: 'carol' } })).json.credential;
      const { headers } = await gate.logIn(carol);
      const link = (await gate.send('POST', '/api/links', { as: carol })).json.login;
      const socket = await gate.watch({ headers: { Authorization: `Bearer ${carol}` } });
      await socket.next('all');
      const revoked = (await gate.send('DELETE', '/api/approvers/carol', { as: gate.operator })).status;
      const approve = { body: {}, from: newPlace() };
      const got = [revoked, (await gate.send('POST', `/api/permissions/${it.id}/approve`, { as: carol, ...approve })).status,
        (await gate.send('POST', `/api/permissions/${it.id}/approve`, { headers, ...approve })).status,
        (await open(gate, link)).status, (await gate.watch({ headers: { Authorization: `Bearer ${carol}` }, from: newPlace() })).status];
      const closed = await socket.next('refused').then(() => 'open', (error) => error.message);
      return [...got, closed];
    }),
    want: { got: [200, 401, 401, 401, 401, 'the socket was closed'], state: 'pending' } },
  { name: 'a socket of a revoked credential hears nothing more',
    act: async (stage) => {
      const gate = await stage.gate();
      const dave = (await gate.send('POST', '/api/approvers', { as: gate.operator, body: { name: 'dave' } })).json.credential;
      const socket = await gate.watch({ headers: { Authorization: `Bearer ${dave}` } });
      await socket.next('all');
      await gate.send('DELETE', '/api/approvers/dave', { as: gate.operator });
      const witness = await gate.watch({ headers: { Authorization: `Bearer ${gate.ann}` } });
      const { id } = await gate.asked(await gate.session());
      while ((await witness.next('created')).data.permissionId !== id);
      // What the witness has heard the other socket has been sent as well, before it.
      socket.say('permission', 'ping', {});
      await Promise.race([socket.closed, socket.next('pong').catch(() => {})]);
      return socket.messages.filter((each) => each.event === 'created').length;
    },
    want: 0 },
  { name: 'a cookie ends with its logout',
    act: async (stage) => {
      const gate = await stage.gate();
      const { headers } = await gate.logIn(gate.ann);
      return [(await gate.send('GET', '/api/me', { headers })).status, (await gate.send('POST', '/api/logout', { headers })).status, (await gate.send('GET', '/api/me', { headers })).status];
    },
    want: [200, 200, 401] },
  { name: 'a web socket ends with the login that opened it, and no other does',
    act: async (stage) => {
      const gate = await stage.gate();
      const [one, other] = [await gate.logIn(gate.ann), await gate.logIn(gate.ann)];
      const sockets = [await gate.watch({ headers: one.headers }), await gate.watch({ headers: other.headers })];
      for (const socket of sockets) await socket.next('all');
      await gate.send('POST', '/api/logout', { headers: one.headers });
      const { id } = await gate.asked(await gate.session());
      const heard = async (socket) => { for (;;) { const event = await socket.next('created'); if (event.data.permissionId === id) return 'heard'; } };
      return Promise.all(sockets.map((socket) => heard(socket).catch((error) => error.message)));
    },
    want: ['the socket was closed', 'heard'] },
  { name: 'nobody gets a name with characters that cannot be seen',
    act: async (stage) => {
      const gate = await stage.gate();
      const out = [];
      for (const body of [{ name: 'a\u202enna' }, { name: 'ann\u200b' }, { name: 'a\u001b[2J' }, { name: 'carla', person: 'ann\u2069' }]) out.push((await gate.send('POST', '/api/approvers', { as: gate.operator, body })).status);
      for (const device of ['pho\u202ene', 'phone\u200d', 'a\u0007']) out.push((await gate.send('POST', '/api/pair', { as: gate.ann, body: { device } })).status);
      return out;
    },
    want: Array(7).fill(400) },
  { name: 'an approver opens no session and makes no approver',
    act: async (stage) => {
      const gate = await stage.gate();
      const session = await gate.session();
      return [await statusesOf(gate, operatorOnly(session), { headers: () => ({ Authorization: `Bearer ${gate.ann}` }) }),
        (await gate.send('GET', '/api/me', { as: gate.bob })).status, (await gate.send('GET', '/api/sessions', { as: gate.ann })).json.sessions.find((each) => each.id === session.id).mode];
    },
    want: [[403], 200, null] },
  { name: 'nobody takes the name of a credential that is in use',
    act: async (stage) => {
      const gate = await stage.gate();
      const { status, json } = await gate.send('POST', '/api/approvers', { as: gate.operator, body: { name: 'ann', operator: true } });
      return [status, json.error.code, (await gate.send('GET', '/api/me', { as: gate.ann })).json.operator];
    },
    want: [409, 'approver-taken', false] },
  { name: 'every route wants a credential; a session\'s routes never say 401',
    act: async (stage) => {
      const gate = await stage.gate();
      const unknown = 'f'.repeat(64);
      return [await statusesOf(gate, guarded()),
        await statusesOf(gate, [['POST', `/mcp/${unknown}`, {}], ['GET', `/mcp/${unknown}`], ['DELETE', `/mcp/${unknown}`], ['POST', `/hook/${unknown}/claude`, {}], ['POST', `/hook/${unknown}/nobody`, {}]],
          { headers: () => ({ Authorization: 'Bearer wrong' }) })];
    },
    want: [[401], [404]] },
  { name: 'a role that the configuration has taken away counts no more, on a paired device neither',
    act: async (stage) => {
      const policy = (roles) => `${usual.replace('  deny:', '  ask:\n    - {rule: "Bash(npm publish *)", approve: {any: 1, of: [lead]}}\n  deny:')}approvers: {carol: {person: carol, roles: [${roles}]}}\n`;
      const gate = await stage.fresh({ policy: policy('lead') });
      const carol = (await gate.send('POST', '/api/approvers', { as: gate.operator, body: { name: 'carol' } })).json.credential;
      const paired = await gate.send('POST', '/api/pair', { as: carol, body: { device: 'phone' } });
      const { headers } = loginOf(await gate.send('POST', '/api/login', { body: { link: paired.json.url } }));
      const roles = async () => [(await gate.send('GET', '/api/me', { as: carol })).json.roles, (await gate.send('GET', '/api/me', { headers })).json.roles];
      const { id } = await gate.asked(await gate.session(), 'npm publish x');
      const path = `/api/permissions/${id}/approve`;
      const before = await roles();
      gate.world.setPolicy(policy(''));
      const during = await until(async () => { const now = await roles(); return now[0].length === 0 && now; }, 'the role to be gone');
      const refused = [(await gate.send('POST', path, { as: carol, body: {} })).json.error.code, (await gate.send('POST', path, { headers, body: {} })).json.error.code];
      const { state } = await gate.permission(id);
      gate.world.setPolicy(policy('lead'));
      await until(async () => (await roles())[0].length === 1, 'the role to be back');
      return [before, during, refused, state, (await gate.send('POST', path, { headers, body: {} })).status];
    },
    want: [[['lead'], ['lead']], [[], []], ['answer-not-counted', 'answer-not-counted'], 'pending', 200] },
  { name: 'the devices of a person go with their last credential',
    act: async (stage) => {
      const gate = await stage.fresh();
      const { headers } = await gate.logIn(gate.ann);
      const paired = await gate.send('POST', '/api/pair', { body: { device: 'phone' }, headers });
      const code = /#\/pair\/([^?]+)/.exec(paired.json.url)[1];
      const phone = loginOf(await gate.send('POST', '/api/login', { body: { link: code }, from: newPlace() }));
      const me = async () => (await gate.send('GET', '/api/me', { headers: phone.headers })).status;
      const out = [await me()];
      await gate.send('DELETE', '/api/approvers/ann', { as: gate.operator });
      return [...out, await me()];
    },
    want: [200, 401] },
];
