// Webhooks: signed, tried again, never in anybody's way.
import crypto from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';

import { makeCertificate } from '../lib/certificate.mjs';
import { brief, policyWith, put, receipts, secret, see, targets } from '../lib/asking.mjs';
import { deadPort, Receiver, secretFile } from '../lib/receiver.mjs';
import { installed } from '../lib/installed.mjs';
import { until } from '../../daemon/lib/world.mjs';

const require = createRequire(`${installed}/package.json`);
const hook = (url, more = {}) => ({ name: 'hook', type: 'webhook', url, secret, ...more });

export const rows = [
  {
    name: 'a webhook gets a notice that its signature proves, and nothing of the call',
    act: async (stage) => {
      const receiver = await Receiver.open();
      const gate = await stage.fresh({ policy: policyWith([hook(receiver.url)]) });
      const { id } = await put(gate, await gate.session(), 'git push https://example.com/hunter2; echo "<b>main"');
      const [{ method, headers, body, path }] = await receiver.take();
      const mac = crypto.createHmac('sha256', secret).update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`).digest('base64');
      const { Webhook } = require('standardwebhooks');
      const library = new Webhook(Buffer.from(secret).toString('base64')).verify(body.toString(), headers);
      const { data, type } = JSON.parse(body);
      return {
        method, path, type, kind: headers['content-type'], signed: headers['webhook-signature'] === `v1,${mac}`, library: library.data.id === id,
        fresh: Math.abs(Date.now() / 1000 - Number(headers['webhook-timestamp'])) < 60, id: headers['webhook-id'] === `${id}-hook`,
        link: data.link === `${gate.url}/#/question/${id}`, title: data.title, text: data.text, keys: Object.keys(data), leaked: /hunter2|main|<b>/.test(body),
      };
    },
    want: {
      method: 'POST', path: '/hook', type: 'question.asked', kind: 'application/json', signed: true, library: true, fresh: true, id: true, link: true,
      title: 'backend asks to use Bash', text: 'It would run git and echo, reach example.com. The rule Bash(git push *) asks.',
      keys: ['id', 'agent', 'tool', 'title', 'text', 'link', 'urgent', 'createdAt', 'expiresAt'], leaked: false,
    },
  },
  {
    name: 'a failure is tried again with back-off, under the same id, signed anew',
    act: async (stage) => {
      const receiver = await Receiver.open({ answer: (_, number) => ({ status: number < 3 ? 503 : 200 }) });
      const gate = await stage.fresh({ policy: policyWith([hook(receiver.url)]) });
      await put(gate, await gate.session(), 'git push');
      const got = await receiver.take(3);
      const said = await receipts(gate, 1);
      const pauses = [got[1].at - got[0].at, got[2].at - got[1].at];
      return [new Set(got.map((each) => each.headers['webhook-id'])).size, new Set(got.map((each) => each.headers['webhook-signature'])).size, pauses[0] >= 900, pauses[1] >= 3_900, said];
    },
    want: [1, 3, true, true, ['hook:delivered:3']],
  },
  {
    name: 'a target that is dead delays no answer, and a try says why',
    act: async (stage) => {
      const gate = await stage.fresh({ policy: policyWith([hook(`http://127.0.0.1:${await deadPort()}/`)]) });
      const { id, call } = await put(gate, await gate.session(), 'git push');
      const { state, why } = (await gate.send('POST', '/api/notices/hook/try', { as: gate.ann, body: {} })).json;
      const began = Date.now();
      await gate.approve(id);
      const { behavior } = await call.said();
      return [state, /refused/i.test(why), behavior, Date.now() - began < 5_000];
    },
    want: ['failed', true, 'allow', true],
  },
  {
    name: 'a target that never answers delays no answer, no decision and no other target',
    act: async (stage) => {
      const [slow, good] = [await Receiver.open({ answer: () => 'never' }), await Receiver.open()];
      const gate = await stage.fresh({ policy: policyWith([hook(slow.url, { name: 'slow' }), hook(good.url, { name: 'good' })]) });
      const session = await gate.session();
      const began = Date.now();
      const asked = [];
      for (let i = 0; i < 20; ++i) asked.push(await put(gate, session, `git push origin b${i}`));
      await good.take(20);
      const verdict = await gate.verdict(session, 'make all');
      for (const { id } of asked) await gate.approve(id);
      const said = await Promise.all(asked.map(({ call }) => call.said()));
      // One behind the other they would take 100 seconds: ten each, two at a time.
      return [verdict, said.every(({ behavior }) => behavior === 'allow'), slow.sockets.size <= 2, Date.now() - began < 60_000];
    },
    want: ['allow', true, true, true],
  },
  {
    name: 'a second channel hears of what nobody has seen, and not of what somebody has',
    act: async (stage) => {
      const [first, second] = [await Receiver.open(), await Receiver.open()];
      const gate = await stage.fresh({ policy: policyWith([hook(first.url, { name: 'first' }), hook(second.url, { name: 'second', after: '1500ms' })]) });
      const session = await gate.session();
      const seen = await put(gate, session, 'git push one');
      await see(gate, seen.id);
      const unseen = await put(gate, session, 'git push two');
      const marks = Object.fromEntries((await brief(gate)).map((each) => [each.permissionId, each.seen]));
      await first.take(2);
      const [late] = await second.json();
      await until(async () => (await gate.permission(unseen.id)).notices.every(({ state }) => state === 'delivered'), 'both receipts');
      return [late.data.id === unseen.id, second.got.length, second.got[0].at - Date.parse(unseen.question.createdAt) >= 1_490, marks[seen.id], marks[unseen.id], (await gate.permission(seen.id)).notices.map(({ state }) => state)];
    },
    want: [true, 1, true, true, false, ['delivered', 'unneeded']],
  },
  {
    name: 'a first channel that refuses makes the second go at once',
    act: async (stage) => {
      const [first, second] = [await Receiver.open({ answer: () => ({ status: 403 }) }), await Receiver.open()];
      const gate = await stage.fresh({ policy: policyWith([hook(first.url, { name: 'first' }), hook(second.url, { name: 'second', after: '10m' })]) });
      await put(gate, await gate.session(), 'git push');
      await second.take();
      return (await receipts(gate, 2)).sort();
    },
    want: ['first:failed:1', 'second:delivered:1'],
  },
  {
    name: 'rules and agents route: each target hears of its own questions',
    act: async (stage) => {
      const receiver = await Receiver.open();
      const at = (name, more) => hook(`${receiver.url}/${name}`, { name, ...more });
      const gate = await stage.fresh({ policy: policyWith([at('pushes', { rules: ['Bash(git push *)'] }), at('rest', { rules: ['default'] }), at('front', { agents: ['frontend'] })]) });
      await put(gate, await gate.session('backend'), 'git push');
      await put(gate, await gate.session('backend'), 'npm install x');
      await put(gate, await gate.session('frontend'), 'npm publish');
      const got = (await receiver.take(3)).map(({ path, body }) => `${path.split('/').at(-1)}: ${JSON.parse(body).data.text.replace(/^.*\. /, '')}`);
      return got.sort();
    },
    want: ['front: The rule Bash(npm publish *) asks.', 'pushes: The rule Bash(git push *) asks.', 'rest: No rule covers it.'],
  },
  {
    name: 'after kill -9 what was delivered is not sent again, and what was not is',
    act: async (stage) => {
      const [good, late] = [await Receiver.open(), await Receiver.open()];
      const gate = await stage.fresh({ policy: policyWith([hook(good.url, { name: 'good' }), hook(late.url, { name: 'late', after: '8s' })]) });
      const { id } = await put(gate, await gate.session(), 'git push');
      await good.take();
      await until(() => gate.stored().includes('"device":"","state":"delivered"'), 'a receipt on the disk');
      await gate.stop('SIGKILL');
      await gate.run();
      await late.take();
      const both = await until(async () => { const { notices } = await gate.permission(id); return notices.length === 2 && notices.every(({ state }) => state === 'delivered') && notices; }, 'both receipts');
      return [good.got.length, late.got.length, both.map(({ target, tries }) => `${target} ${tries}`)];
    },
    want: [1, 1, ['good 1', 'late 1']],
  },
  {
    name: 'https is checked: a certificate that nobody vouches for is refused, its own authority vouches',
    act: async (stage) => {
      const tls = makeCertificate(stage.world({}).dir);
      const [strange, known, other] = [await Receiver.open({ tls }), await Receiver.open({ tls }), await Receiver.open({ tls })];
      const gate = await stage.fresh({ policy: policyWith([
        hook(strange.url, { name: 'strange' }), hook(known.url, { name: 'known', caFile: tls.file }),
        hook(other.url.replace('localhost', '127.0.0.1'), { name: 'othername', caFile: tls.file })]) });
      const said = [];
      for (const name of ['strange', 'known', 'othername']) said.push((await gate.send('POST', `/api/notices/${name}/try`, { as: gate.ann, body: {} })).json);
      return [strange.got.length, known.got.length, other.got.length, said.map(({ state, why }) => `${state} ${/certificate/.test(why)}`)];
    },
    want: [0, 1, 0, ['failed true', 'delivered false', 'failed true']],
  },
  {
    name: 'redirects are not followed',
    act: async (stage) => {
      const elsewhere = await Receiver.open();
      const receiver = await Receiver.open({ answer: () => ({ status: 307, headers: { Location: elsewhere.url } }) });
      const gate = await stage.fresh({ policy: policyWith([hook(receiver.url)]) });
      await put(gate, await gate.session(), 'git push');
      return [await receipts(gate, 1), elsewhere.got.length];
    },
    want: [['hook:failed:1'], 0],
  },
  {
    name: 'a secret comes from a file that is one\'s own; one that others read makes the target unusable and nothing else',
    act: async (stage) => {
      const receiver = await Receiver.open();
      const world = stage.world({});
      const [good, open] = [secretFile(world, 'good', `${secret}\n`), secretFile(world, 'open', secret, 0o644)];
      const gate = await stage.fresh({ policy: policyWith([
        { name: 'good', type: 'webhook', url: receiver.url, secretFile: good }, { name: 'open', type: 'webhook', url: receiver.url, secretFile: open }]) });
      await put(gate, await gate.session(), 'git push');
      const [{ headers, body }] = await receiver.take();
      const mac = crypto.createHmac('sha256', secret).update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`).digest('base64');
      const all = await targets(gate);
      return [headers['webhook-signature'] === `v1,${mac}`, all.map(({ name, state, why }) => `${name} ${state} ${/others/.test(why ?? '')}`), gate.process.err.includes('no notices to `open`'), gate.process.err.includes(secret)];
    },
    want: [true, ['good ready false', 'open unusable true'], true, false],
  },
  {
    name: 'targets change with the file, while the daemon runs; a try says what became of it',
    act: async (stage) => {
      const receiver = await Receiver.open();
      const gate = await stage.fresh({ policy: policyWith([]) });
      gate.world.setPolicy(policyWith([hook(receiver.url)]));
      await until(async () => (await targets(gate)).length === 1, 'the target');
      const tried = await gate.send('POST', '/api/notices/hook/try', { as: gate.ann, body: {} });
      const [{ data }] = await receiver.json();
      const none = await gate.send('POST', '/api/notices/nobody/try', { as: gate.ann, body: {} });
      return [tried.json.state, data.title, none.status, none.json.error.code];
    },
    want: ['delivered', 'A notice to try this target', 404, 'unknown-target'],
  },
  {
    name: 'a project file adds no target: it is an error, and calls there are denied',
    act: async (stage) => {
      const receiver = await Receiver.open();
      const gate = await stage.fresh({ policy: policyWith([]) });
      fs.writeFileSync(`${gate.world.work}/tollgate.yaml`, `notify: [${JSON.stringify(hook(receiver.url))}]\n`);
      const said = await gate.verdict(await gate.session(), 'git push');
      return [/^deny: .*notify/.test(said), receiver.got.length];
    },
    want: [true, 0],
  },
];
