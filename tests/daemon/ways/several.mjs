// Questions that several people answer: thresholds side by side, others after a time, progress, and over a kill.
import { type } from '../lib/terminal.mjs';
import { until, usual } from '../lib/world.mjs';

const people = 'approvers: {ann: {person: ann, roles: [lead]}, bob: {person: bob, roles: [security]}, olga-key: {person: olga, roles: [lead, security]}}\n';
const policy = (approve) => `${usual.replace('  deny:', `  ask:\n    - {rule: "Bash(npm publish *)", approve: ${approve}}\n  deny:`)}${people}`;
const outcome = ({ status, json }) => `${status} ${json.state ?? json.error?.code}`;
const thresholds = (permission) => permission.quorum.rules.map(({ met, thresholds: all }) => [met, ...all.map(({ name, any, of, agreed, missing }) => `${name} ${agreed}/${any} ${of} ${missing}`)]);

export const rows = [
  { name: 'of two thresholds the first that is met allows, and whoever made the session counts for none',
    act: async (stage) => {
      const gate = await stage.fresh({ policy: policy('[{any: 2, of: [lead], name: leads}, {any: 1, of: [security]}]') });
      const { id, call } = await gate.asked(await gate.session(), 'npm publish');
      const out = [outcome(await gate.approve(id, {}, gate.operator)), outcome(await gate.approve(id, {}, gate.ann))];
      const shown = thresholds(await gate.permission(id));
      out.push(outcome(await gate.approve(id, { scope: 'session' }, gate.bob)), outcome(await gate.approve(id, {}, gate.bob)));
      return [out, shown, thresholds(await gate.permission(id)), (await call.said()).behavior];
    },
    want: [['403 answer-not-counted', '200 pending', '422 grant-refused', '200 approved'],
      [[false, 'leads ann/2 lead 1', ' /1 security 1']], [[true, 'leads ann/2 lead 1', ' bob/1 security 0']], 'allow'] },
  { name: 'whoever made the session may deny it',
    act: async (stage) => {
      const gate = await stage.fresh({ policy: policy('{any: 1, of: [lead]}') });
      const { id, call } = await gate.asked(await gate.session(), 'npm publish');
      return [outcome(await gate.approve(id, {}, gate.operator)), outcome(await gate.deny(id, {}, gate.operator)), (await call.said()).behavior];
    },
    want: ['403 answer-not-counted', '200 denied', 'deny'] },
  { name: 'whoever taught a grant that covers a part of the call does not count for it',
    act: async (stage) => {
      const gate = await stage.fresh({ policy: policy('{any: 1, of: [lead, security]}') });
      const session = await gate.session();
      const taught = await gate.asked(session, 'npm run build');
      await gate.approve(taught.id, { scope: 'agent', rule: 'Bash(npm run build)' });
      const alone = await gate.asked(session, 'npm publish one');
      const out = [outcome(await gate.approve(alone.id))];
      const { id, call } = await gate.asked(session, 'npm run build && npm publish two');
      out.push(outcome(await gate.approve(id)), outcome(await gate.approve(id, {}, gate.bob)));
      return [...out, (await call.said()).behavior];
    },
    want: ['200 approved', '403 answer-not-counted', '200 approved', 'allow'] },
  { name: 'after a time others are asked as well: everybody is told anew, and the record says so',
    act: async (stage) => {
      const gate = await stage.fresh({ policy: policy('[{any: 2, of: [lead], within: 1h}, {any: 1, of: [security], after: 3s, within: 1h}]') });
      const socket = await gate.watch({ headers: { Authorization: `Bearer ${gate.ann}` } });
      const { id, call } = await gate.asked(await gate.session(), 'npm publish');
      const early = outcome(await gate.approve(id, {}, gate.bob));
      const told = () => socket.messages.filter(({ event, data }) => event === 'created' && data.permissionId === id);
      await until(() => told().length === 2, 'the second telling');
      const rows = (await gate.audit('&kind=answer')).filter(({ question }) => question === id).map(({ by, record }) => `${by}: ${record.reason}`);
      return [early, rows, outcome(await gate.approve(id, {}, gate.bob)), (await call.said()).behavior];
    },
    want: ['403 answer-not-counted', ['timeout: others are asked as well'], '200 approved', 'allow'] },
  { name: 'a vote stands over a kill, and the second one allows',
    act: async (stage) => {
      const gate = await stage.fresh({ policy: policy('{any: 2}') });
      const session = await gate.session();
      const { id, call } = await gate.asked(session, 'npm publish');
      const first = outcome(await gate.approve(id, {}, gate.ann));
      await gate.stop('SIGKILL');
      await gate.run();
      const again = gate.call(session, 'npm publish', { use: call.use });
      return [first, outcome(await gate.approve(id, {}, gate.ann)), outcome(await gate.approve(id, {}, gate.bob)), (await again.said()).behavior];
    },
    want: ['200 pending', '403 answer-not-counted', '200 approved', 'allow'] },
  { name: 'commands say who has agreed and how many are missing',
    act: async (stage) => {
      const gate = await stage.fresh({ policy: policy('[{any: 2, of: [lead, security], name: two of us}, {any: 3}]') });
      const { id } = await gate.asked(await gate.session(), 'npm publish');
      const voted = await type(gate, ['approve', id]);
      const { shown } = await type(gate, ['pending'], gate.bob);
      await gate.deny(id, {}, gate.bob);
      return [voted.shown.replace(id, 'ID').split('\n'), shown.split('\n').filter((line) => line.includes('needs')).map((line) => line.trim())];
    },
    want: [['pending  ID', '  needs two of us: 1 of 2 (lead, security), ann, 1 missing', '  needs or 1 of 3, ann, 2 missing'],
      ['needs two of us: 1 of 2 (lead, security), ann, 1 missing', 'needs or 1 of 3, ann, 2 missing']] },
];
