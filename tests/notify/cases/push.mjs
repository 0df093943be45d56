// Web Push: a browser's part is played with http_ece, which opens what was sent to it; a push service's with node's crypto.
import crypto from 'node:crypto';
import { createRequire } from 'node:module';

import { policyWith, put, receipts, see } from '../lib/asking.mjs';
import { installed } from '../lib/installed.mjs';
import { Receiver } from '../lib/receiver.mjs';
import { loginOf } from '../../daemon/lib/daemon.mjs';

const ece = createRequire(`${installed}/package.json`)('http_ece');
const push = (more = {}) => ({ name: 'phones', type: 'push', hosts: ['localhost'], contact: 'mailto:ann@example.com', ...more });

// A browser: keys of its own, and an address at the push service.
function browser(service, name = 'one') {
  const keys = crypto.createECDH('prime256v1');
  keys.generateKeys();
  const auth = crypto.randomBytes(16);
  const subscription = { endpoint: `http://localhost:${service.port}/send/${name}`, expirationTime: null, keys: { p256dh: keys.getPublicKey('base64url'), auth: auth.toString('base64url') } };
  return { subscription, open: (body) => JSON.parse(ece.decrypt(body, { version: 'aes128gcm', privateKey: keys, authSecret: auth })) };
}

const subscribe = (gate, subscription, as = gate.ann) => gate.send('POST', '/api/push/subscription', { as, body: subscription });

// A phone that was paired: it logs in by its link, and acts with its cookie and key.
async function phone(gate, name = 'Ann\'s phone') {
  const paired = await gate.send('POST', '/api/pair', { as: gate.ann, body: { device: name } });
  const entered = await gate.send('POST', '/api/login', { body: { link: paired.json.url } });
  const { headers } = loginOf(entered);
  return { name, send: (method, path, body) => gate.send(method, path, { headers, body }) };
}

function vapid(header, key) {
  const [, token, k] = /^vapid t=([^,]+), k=(.+)$/.exec(header);
  const [head, claims, signature] = token.split('.');
  const point = Buffer.from(k, 'base64url');
  const publicKey = crypto.createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x: point.subarray(1, 33).toString('base64url'), y: point.subarray(33).toString('base64url') } });
  const good = crypto.verify('sha256', Buffer.from(`${head}.${claims}`), { key: publicKey, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'));
  return { good, same: k === key, head: JSON.parse(Buffer.from(head, 'base64url')), ...JSON.parse(Buffer.from(claims, 'base64url')) };
}

export const rows = [
  {
    name: 'a phone that subscribed opens what it was sent, and nobody else can',
    act: async (stage) => {
      const service = await Receiver.open({ answer: () => ({ status: 201 }) });
      const gate = await stage.fresh({ policy: policyWith([push()]) });
      const device = await phone(gate);
      const key = (await device.send('GET', '/api/push/key')).json.key;
      const own = browser(service);
      const kept = await device.send('POST', '/api/push/subscription', own.subscription);
      const { id } = await put(gate, await gate.session(), 'git push');
      const [{ path, headers, body }] = await service.take();
      const token = vapid(headers.authorization, key);
      const stranger = browser(service, 'other');
      let opened = 'opened';
      try { stranger.open(body); } catch { opened = 'shut'; }
      return {
        kept: kept.status, path, encoding: headers['content-encoding'], ttl: headers.ttl, urgency: headers.urgency, topic: headers.topic === id, title: own.open(body).title, text: own.open(body).body, tag: own.open(body).tag === id,
        vapid: [token.good, token.same, token.head, token.aud === `http://localhost:${service.port}`, token.sub, token.exp > Date.now() / 1000 && token.exp < Date.now() / 1000 + 86_400],
        opened, receipts: await receipts(gate, 1), devices: (await gate.send('GET', '/api/devices', { as: gate.operator })).json.devices.map(({ name, push: on }) => [name, on]),
        id: own.open(body).id === id,
      };
    },
    want: {
      title: 'backend asks to use Bash', text: 'It would run git. The rule Bash(git push *) asks.',
      kept: 201, path: '/send/one', encoding: 'aes128gcm', ttl: '86400', urgency: 'high', topic: true, tag: true,
      vapid: [true, true, { typ: 'JWT', alg: 'ES256' }, true, 'mailto:ann@example.com', true], opened: 'shut', receipts: ['phones:delivered:1'], devices: [['Ann\'s phone', true]], id: true,
    },
  },
  {
    name: 'a device that was revoked hears no more, and its subscription goes',
    act: async (stage) => {
      const service = await Receiver.open({ answer: () => ({ status: 201 }) });
      const gate = await stage.fresh({ policy: policyWith([push()]) });
      const [lost, kept] = [await phone(gate, 'lost'), await phone(gate, 'kept')];
      await lost.send('POST', '/api/push/subscription', browser(service, 'lost').subscription);
      await kept.send('POST', '/api/push/subscription', browser(service, 'kept').subscription);
      await gate.send('DELETE', '/api/devices/lost', { as: gate.ann });
      await put(gate, await gate.session(), 'git push');
      await receipts(gate, 1);
      const after = await lost.send('POST', '/api/push/subscription', browser(service, 'again').subscription);
      return [service.got.map(({ path }) => path), after.status];
    },
    want: [['/send/kept'], 401],
  },
  {
    name: 'subscriptions outlive a restart; one that the service ended is forgotten',
    act: async (stage) => {
      let ended = false;
      const service = await Receiver.open({ answer: () => ({ status: ended ? 410 : 201 }) });
      const gate = await stage.fresh({ policy: policyWith([push()]) });
      const own = browser(service);
      await subscribe(gate, own.subscription);
      const key = (await gate.send('GET', '/api/push/key', { as: gate.ann })).json.key;
      await gate.stop('SIGKILL');
      await gate.run();
      const session = await gate.session();
      await put(gate, session, 'git push one');
      const first = own.open((await service.take())[0].body).title;
      ended = true;
      await put(gate, session, 'git push two');
      await receipts(gate, 2);
      await put(gate, session, 'git push three');
      const tried = await gate.send('POST', '/api/notices/phones/try', { as: gate.ann, body: {} });
      return [first, service.got.length, tried.json.why, key === (await gate.send('GET', '/api/push/key', { as: gate.ann })).json.key];
    },
    want: ['backend asks to use Bash', 2, 'no device has subscribed', true],
  },
  {
    name: 'a page cannot make the gate speak to anything but a push service',
    act: async (stage) => {
      const service = await Receiver.open();
      const gate = await stage.fresh({ policy: policyWith([push({ hosts: ['push.example.org'] })]) });
      const { subscription } = browser(service);
      const answers = [];
      for (const endpoint of [subscription.endpoint, 'https://169.254.169.254/latest/meta-data', 'https://localhost/', 'http://push.example.org/x', 'https://fcm.googleapis.com@localhost/', 'file:///etc/passwd', '', 'x'.repeat(5_000)])
        answers.push((await subscribe(gate, { ...subscription, endpoint })).status);
      const keys = await subscribe(gate, { ...subscription, endpoint: 'https://push.example.org/x', keys: { p256dh: 'AAAA', auth: 'BBBB' } });
      const good = await subscribe(gate, { ...subscription, endpoint: 'https://push.example.org/x' });
      const stranger = await gate.send('POST', '/api/push/subscription', { body: subscription });
      return [answers, keys.status, good.status, stranger.status];
    },
    want: [[400, 400, 400, 400, 400, 400, 400, 400], 400, 201, 401],
  },
  {
    name: 'without a target of type push there is no key, and a hint says what to write',
    act: async (stage) => {
      const gate = await stage.fresh({ policy: policyWith([]) });
      const { status, json } = await gate.send('GET', '/api/push/key', { as: gate.ann });
      return [status, json.error.code, /type: push/.test(json.error.hint)];
    },
    want: [404, 'unknown-target', true],
  },
  {
    name: 'notices can be for some people, and stop when they are switched off',
    act: async (stage) => {
      const service = await Receiver.open({ answer: () => ({ status: 201 }) });
      const gate = await stage.fresh({ policy: policyWith([push({ people: ['ann'] })]) });
      const [ann, bob] = [browser(service, 'ann'), browser(service, 'bob')];
      await subscribe(gate, ann.subscription);
      await subscribe(gate, bob.subscription, gate.bob);
      const session = await gate.session();
      const one = await put(gate, session, 'git push one');
      await service.take();
      await see(gate, one.id);
      const foreign = await gate.send('DELETE', '/api/push/subscription', { as: gate.bob, body: ann.subscription });
      await put(gate, session, 'git push two');
      await service.take(2);
      await gate.send('DELETE', '/api/push/subscription', { as: gate.ann, body: ann.subscription });
      await put(gate, session, 'git push three');
      const tried = await gate.send('POST', '/api/notices/phones/try', { as: gate.ann, body: {} });
      return [service.got.map(({ path }) => path), foreign.status, tried.json.state];
    },
    want: [['/send/ann', '/send/ann'], 200, 'failed'],
  },
];
