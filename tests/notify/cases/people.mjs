// ntfy and Slack as they document it, and answers by a notice: only where a rule has it, once, and as whom it says.
import { brief, policyWith, press, put, secret, stateOf, targets } from '../lib/asking.mjs';
import { Receiver, secretFile } from '../lib/receiver.mjs';
import { until } from '../../daemon/lib/world.mjs';

const answer = { as: 'ann', rules: ['Bash(git push *)'], within: '5m' };
const hook = (url, more = {}) => ({ name: 'hook', type: 'webhook', url, secret, ...more });
const slack = (url, more = {}) => ({ name: 'team', type: 'slack', url, secret: 'slack signing secret', ...more });

const pathOf = (url) => new URL(url).pathname;
const post = (gate, url, act, headers = {}) => gate.send('POST', pathOf(url), { body: `act=${act}`, headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers } });

// A question with a link that may answer it.
async function linked(stage, more = {}, command = 'git push') {
  const receiver = await Receiver.open();
  const gate = await stage.fresh({ policy: policyWith([hook(receiver.url, { answer: { ...answer, ...more } })]) });
  const session = await gate.session();
  const asked = await put(gate, session, command);
  const [{ data }] = await receiver.json();
  return { gate, session, receiver, ...asked, link: data.answer?.url, data };
}

export const rows = [
  {
    name: 'ntfy gets the documented JSON, field by field, with a button that opens the card',
    act: async (stage) => {
      const receiver = await Receiver.open();
      const world = stage.world({});
      const gate = await stage.fresh({ policy: policyWith([{ name: 'phone', type: 'ntfy', url: receiver.url.replace('/hook', '/'), topic: 'gate-3f9c', secretFile: secretFile(world, 'token', 'tk_abc') }]) });
      const { id } = await put(gate, await gate.session(), 'git push');
      const [{ method, path, headers, body }] = await receiver.take();
      const link = `${gate.url}/#/question/${id}`;
      const { click, actions, ...rest } = JSON.parse(body);
      return [method, path, headers.authorization, rest, click === link, actions.map(({ url, ...each }) => [url === link, each])];
    },
    want: ['POST', '/', 'Bearer tk_abc',
      { topic: 'gate-3f9c', title: 'backend asks to use Bash', message: 'It would run git. The rule Bash(git push *) asks.', priority: 4, tags: ['tollgate'] },
      true, [[true, { action: 'view', label: 'Open', clear: true }]]],
  },
  {
    name: 'a breaker is urgent, and no rule makes a notice that answers it',
    act: async (stage) => {
      const receiver = await Receiver.open();
      const policy = policyWith([hook(receiver.url, { answer: { ...answer, rules: ['Bash(dd *)'] } })]).replace('ask: [', 'ask: ["Bash(dd *)", ');
      const gate = await stage.fresh({ policy });
      await put(gate, await gate.session(), 'dd if=/dev/zero of=/dev/sda');
      const [{ data }] = await receiver.json();
      return [data.urgent, 'answer' in data, /breaker/.test(data.text)];
    },
    want: [true, false, true],
  },
  {
    name: 'Slack gets blocks of plain text and one button that opens; a press of it is heard and does nothing',
    act: async (stage) => {
      const receiver = await Receiver.open();
      const gate = await stage.fresh({ policy: policyWith([slack(receiver.url)]) });
      const { id } = await put(gate, await gate.session(), 'git push');
      const [message] = await receiver.json();
      const [section, actions] = message.blocks;
      const opened = await press(gate, 'team', { action: 'tollgate-open' });
      const pressed = await press(gate, 'team', { action: 'tollgate-allow', value: 'tgn_guess' });
      return [section.text.type, section.text.text, actions.elements.map(({ action_id: action, url }) => [action, url === `${gate.url}/#/question/${id}`]), opened.status, pressed.status, await stateOf(gate, id)];
    },
    want: ['plain_text', 'backend asks to use Bash\nIt would run git. The rule Bash(git push *) asks.', [['tollgate-open', true]], 200, 410, 'pending'],
  },
  {
    name: 'a button of Slack answers once, as its approver, with Slack\'s signature of now, pressed by the member that is named',
    act: async (stage) => {
      const receiver = await Receiver.open();
      const gate = await stage.fresh({ policy: policyWith([slack(receiver.url, { answer: { ...answer, slackUser: 'U1' } })]) });
      const session = await gate.session();
      const { id, call } = await put(gate, session, 'git push');
      const [message] = await receiver.json();
      const { value } = message.blocks[1].elements.find((each) => each.action_id === 'tollgate-allow');
      const now = Math.floor(Date.now() / 1000);
      const refused = [];
      const good = { action: 'tollgate-allow', value };
      for (const more of [{ key: 'another' }, { key: '' }, { signature: '' }, { at: now - 301 }, { at: now + 400 }, { user: 'U2' }, { user: '' }, { value: `${value}0` }])
        refused.push((await press(gate, 'team', { ...good, ...more })).status);
      const elsewhere = await press(gate, 'nobody', good);
      const asLink = await gate.send('GET', `/answer/${value}`);
      const asPost = await post(gate, `${gate.url}/answer/${value}`, 'allow');
      const before = await stateOf(gate, id);
      const taken = await press(gate, 'team', good);
      const { behavior } = await call.said();
      const again = await press(gate, 'team', good);
      const votes = (await gate.permission(id)).votes.map(({ person, via }) => [person, via]);
      return [refused, elsewhere.status, asLink.status, asPost.status, before, taken.status, behavior, again.status, votes];
    },
    want: [[401, 401, 401, 401, 401, 403, 403, 410], 404, 410, 410, 'pending', 200, 'allow', 410, [['ann', 'slack:team']]],
  },
  {
    name: 'a deny by Slack\'s button denies',
    act: async (stage) => {
      const receiver = await Receiver.open();
      const gate = await stage.fresh({ policy: policyWith([slack(receiver.url, { answer: { ...answer, slackUser: 'U1' } })]) });
      const { call } = await put(gate, await gate.session(), 'git push');
      const [message] = await receiver.json();
      const { value } = message.blocks[1].elements.find((each) => each.action_id === 'tollgate-deny');
      await press(gate, 'team', { action: 'tollgate-deny', value });
      return (await call.said()).behavior;
    },
    want: 'deny',
  },
  {
    name: 'a message of Slack says what became of a press, and has no buttons any more',
    act: async (stage) => {
      const out = [];
      for (const [action, words] of [['tollgate-allow', 'Allowed, once. Answered as ann.'], ['tollgate-deny', 'Denied. Answered as ann.']]) {
        const receiver = await Receiver.open();
        const gate = await stage.fresh({ policy: policyWith([slack(receiver.url, { answer: { ...answer, slackUser: 'U1' } })]) });
        const { call } = await put(gate, await gate.session(), 'git push');
        const [{ blocks }] = await receiver.json();
        const { value } = blocks[1].elements.find((each) => each.action_id === action);
        const good = { action, value, reply: receiver.url.replace('/hook', '/actions/T1/2/y') };
        await press(gate, 'team', { ...good, user: 'U2' });
        const [, other] = await receiver.json(2);
        await press(gate, 'team', good);
        const replaced = (await receiver.take(3))[2];
        await call.said();
        const message = JSON.parse(replaced.body);
        await press(gate, 'team', good);
        const over = (await receiver.json(4))[3];
        out.push([other.replace_original, other.response_type, /does not answer here/.test(other.text), replaced.path, message.replace_original, message.blocks.map(({ type }) => type), message.blocks[0].text.text === blocks[0].text.text, message.blocks[1].text.text === words, message.text === words,
          JSON.stringify(message).includes(value), over.replace_original, /over/.test(over.text)]);
      }
      return out;
    },
    want: Array(2).fill([false, 'ephemeral', true, '/actions/T1/2/y', true, ['section', 'section'], true, true, true, false, true, true]),
  },
  {
    name: 'a message of Slack whose card was opened says how the question ended elsewhere, and by whom; nothing else is said before',
    act: async (stage) => {
      const out = [];
      const ends = [(gate, id) => gate.approve(id), (gate, id) => gate.approve(id, { scope: 'session' }), (gate, id) => gate.deny(id, { reason: 'the secret reason' })];
      for (const [at, end] of ends.entries()) {
        const receiver = await Receiver.open();
        const gate = await stage.fresh({ policy: policyWith([slack(receiver.url)]) });
        const { id, call } = await put(gate, await gate.session(), 'npm install x');
        const [{ blocks }] = await receiver.json();
        const places = ['/actions/T1/1/y', '/actions/T1/2/y'].map((path) => receiver.url.replace('/hook', path));
        const opened = [];
        for (const reply of places) opened.push((await press(gate, 'team', { action: 'tollgate-open', block: blocks[1].block_id, reply })).status);
        const silent = receiver.got.length;
        await end(gate, id);
        await call.said();
        const { path, body } = (await receiver.take(2))[1];
        const message = JSON.parse(body);
        out.push([at, blocks[1].block_id === id, opened, silent, path, message.replace_original, message.blocks[0].text.text === blocks[0].text.text, message.blocks.map(({ type }) => type), message.blocks[1].text.text, /secret reason/.test(body)]);
      }
      return out;
    },
    want: ['Allowed, once, by ann.', 'Allowed, for this session, by ann.', 'Denied, by ann.'].map((words, at) => [at, true, [200, 200], 1, '/actions/T1/2/y', true, true, ['section', 'section'], words, false]),
  },
  {
    name: 'buttons of Slack that are pressed after somebody answered elsewhere answer nothing, and the message says who did',
    act: async (stage) => {
      const receiver = await Receiver.open();
      const gate = await stage.fresh({ policy: policyWith([slack(receiver.url, { answer: { ...answer, slackUser: 'U1' } })]) });
      const { id, call } = await put(gate, await gate.session(), 'git push');
      const [{ blocks }] = await receiver.json();
      const { value } = blocks[1].elements.find((each) => each.action_id === 'tollgate-allow');
      const reply = receiver.url.replace('/hook', '/actions/T1/2/y');
      await gate.deny(id);
      await call.said();
      const { status } = await press(gate, 'team', { action: 'tollgate-allow', value, block: blocks[1].block_id, reply });
      const late = (await receiver.json(2))[1];
      await press(gate, 'team', { action: 'tollgate-open', block: blocks[1].block_id, reply });
      const opened = (await receiver.json(3))[2];
      return [status, await stateOf(gate, id), [late, opened].map((each) => [each.replace_original, each.text, each.blocks.some(({ type }) => type === 'actions')])];
    },
    want: [410, 'denied', Array(2).fill([true, 'Denied, by ann.', false])],
  },
  {
    name: 'whoever may not press is told so alone, and the message still says how it ended; another target hears nothing of it',
    act: async (stage) => {
      const [receiver, other] = [await Receiver.open(), await Receiver.open()];
      const gate = await stage.fresh({ policy: policyWith([slack(receiver.url, { answer: { ...answer, slackUser: 'U1' } }), { ...slack(other.url), name: 'publishers', rules: ['Bash(npm publish *)'] }]) });
      const { id, call } = await put(gate, await gate.session(), 'git push');
      const [{ blocks }] = await receiver.json();
      const { value } = blocks[1].elements.find((each) => each.action_id === 'tollgate-allow');
      await press(gate, 'publishers', { action: 'tollgate-open', block: id, reply: other.url });
      const refused = await press(gate, 'team', { action: 'tollgate-allow', value, user: 'U2', block: id, reply: receiver.url.replace('/hook', '/actions/T1/2/y') });
      const alone = (await receiver.json(2))[1];
      await gate.approve(id);
      await call.said();
      const whole = (await receiver.json(3))[2];
      // Its own question comes after all that could have been said of the other.
      await put(gate, await gate.session(), 'npm publish');
      const [{ blocks: own }] = await other.json();
      return [refused.status, alone.replace_original, alone.response_type, whole.replace_original, whole.text, own[1].block_id === id, other.got.length];
    },
    want: [403, false, 'ephemeral', true, 'Allowed, once, by ann.', false, 1],
  },
  {
    name: 'what a press names as its place for replies is spoken to only where the target itself is',
    act: async (stage) => {
      const [receiver, stranger] = [await Receiver.open(), await Receiver.open()];
      const gate = await stage.fresh({ policy: policyWith([slack(receiver.url, { answer: { ...answer, slackUser: 'U1' } })]) });
      const { call } = await put(gate, await gate.session(), 'git push');
      const [{ blocks }] = await receiver.json();
      const { value } = blocks[1].elements.find((each) => each.action_id === 'tollgate-allow');
      for (const reply of [stranger.url, 'file:///etc/passwd', `http://localhost:${receiver.port}@localhost:${stranger.port}/x`, receiver.url.replace('localhost', '127.0.0.1'), 'x', '']) await press(gate, 'team', { action: 'tollgate-allow', value, user: 'U2', reply });
      const status = (await press(gate, 'team', { action: 'tollgate-allow', value, reply: stranger.url })).status;
      await call.said();
      // One that is allowed comes after all the others.
      await press(gate, 'team', { action: 'tollgate-allow', value, reply: receiver.url });
      await receiver.take(2);
      return [status, stranger.got.length, receiver.got.length];
    },
    want: [200, 0, 2],
  },
  {
    name: 'a place for replies that is dead keeps no answer back',
    act: async (stage) => {
      const receiver = await Receiver.open({ answer: (request) => (request.path === '/hook' ? { status: 200 } : 'never') });
      const gate = await stage.fresh({ policy: policyWith([slack(receiver.url, { answer: { ...answer, slackUser: 'U1' } })]) });
      const { call } = await put(gate, await gate.session(), 'git push');
      const [{ blocks }] = await receiver.json();
      const { value } = blocks[1].elements.find((each) => each.action_id === 'tollgate-allow');
      const began = Date.now();
      const { status } = await press(gate, 'team', { action: 'tollgate-allow', value, reply: receiver.url.replace('/hook', '/never') });
      return [status, (await call.said()).behavior, Date.now() - began < 5_000];
    },
    want: [200, 'allow', true],
  },
  {
    name: 'no notice answers anything, unless the configuration says so for its rule',
    act: async (stage) => {
      const receiver = await Receiver.open();
      const gate = await stage.fresh({ policy: policyWith([hook(receiver.url, { answer })]) });
      const session = await gate.session();
      await put(gate, session, 'npm publish');
      await put(gate, session, 'npm install x');
      await put(gate, session, 'git push');
      await put(gate, session, 'git push && npm publish');
      await put(gate, session, 'git push && npm install x');
      const got = await receiver.json(5);
      return got.map(({ data }) => 'answer' in data).filter((each) => each).length;
    },
    want: 1,
  },
  {
    name: 'looking at the link does nothing; the press answers; a second press, or another link, is refused',
    act: async (stage) => {
      const { gate, id, call, link, data } = await linked(stage);
      const looks = [];
      for (const method of ['GET', 'HEAD', 'GET']) looks.push((await gate.send(method, pathOf(link))).status);
      const page = await gate.send('GET', pathOf(link));
      const before = await stateOf(gate, id);
      const wrong = [(await post(gate, link, 'maybe')).status, (await post(gate, `${link}0`, 'allow')).status, (await post(gate, link, 'allow', { Origin: 'http://evil.example' })).status];
      const pressed = await post(gate, link, 'allow', { Origin: gate.url });
      const { behavior } = await call.said();
      const replay = [(await post(gate, link, 'allow')).status, (await post(gate, link, 'deny')).status, (await gate.send('GET', pathOf(link))).status];
      const votes = (await gate.permission(id)).votes.map(({ person, via }) => [person, via]);
      const csp = page.headers['content-security-policy'];
      return { looks, before, shows: /backend asks to use Bash/.test(page.text), script: /<script/.test(page.text), csp: /default-src 'none'/.test(csp) && /frame-ancestors 'none'/.test(csp),
        kept: page.headers['cache-control'], wrong, pressed: pressed.status, behavior, replay, votes, short: new Date(data.answer.expiresAt) - Date.now() <= 300_000 };
    },
    want: { looks: [200, 200, 200], before: 'pending', shows: true, script: false, csp: true, kept: 'no-store', wrong: [400, 410, 403], pressed: 200, behavior: 'allow', replay: [410, 410, 410], votes: [['ann', 'link:hook']], short: true },
  },
  {
    name: 'a link ends with its question, with its time, with the daemon and with its approver',
    act: async (stage) => {
      const ends = {};
      const answered = await linked(stage);
      await answered.gate.deny(answered.id);
      ends.question = (await post(answered.gate, answered.link, 'allow')).status;
      const late = await linked(stage, { within: '1s' });
      ends.time = await until(async () => { const { status } = await late.gate.send('GET', pathOf(late.link)); return status !== 200 && status; }, 'its end');
      ends.timePost = (await post(late.gate, late.link, 'allow')).status;
      const killed = await linked(stage);
      await killed.gate.stop('SIGKILL');
      await killed.gate.run();
      ends.daemon = (await post(killed.gate, killed.link, 'allow')).status;
      const revoked = await linked(stage);
      await revoked.gate.send('DELETE', '/api/approvers/ann', { as: revoked.gate.operator });
      ends.approver = (await post(revoked.gate, revoked.link, 'allow')).status;
      const changed = await linked(stage);
      changed.gate.world.setPolicy(policyWith([hook(changed.receiver.url)]));
      await until(async () => (await targets(changed.gate))[0]?.answers === false, 'the new file');
      ends.file = (await post(changed.gate, changed.link, 'allow')).status;
      return ends;
    },
    want: { question: 410, time: 410, timePost: 410, daemon: 410, approver: 403, file: 403 },
  },
  {
    name: 'a try that is made again has a link of its own, and the one before has ended',
    act: async (stage) => {
      const receiver = await Receiver.open({ answer: (_, number) => ({ status: number === 1 ? 503 : 200 }) });
      const gate = await stage.fresh({ policy: policyWith([hook(receiver.url, { answer })]) });
      const { id } = await put(gate, await gate.session(), 'git push');
      const [first, second] = await receiver.json(2);
      const old = await post(gate, first.data.answer.url, 'allow');
      const fresh = await post(gate, second.data.answer.url, 'deny');
      return [old.status, fresh.status, await until(async () => { const state = await stateOf(gate, id); return state !== 'pending' && state; }, 'the end')];
    },
    want: [410, 200, 'denied'],
  },
  {
    name: 'the secret of a link lies nowhere in the data directory, nor in the log',
    act: async (stage) => {
      const { gate, link, id } = await linked(stage);
      const ticket = link.split('/').at(-1);
      const running = gate.stored().includes(ticket);
      await post(gate, link, 'allow');
      await until(async () => (await brief(gate)).every((each) => each.permissionId !== id), 'the end');
      await gate.stop();
      return [running, gate.stored().includes(ticket), gate.process.err.includes(ticket), gate.stored().includes(secret)];
    },
    want: [false, false, false, false],
  },
];
