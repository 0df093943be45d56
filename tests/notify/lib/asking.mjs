// Questions for cases of notices, put without anybody having looked at them: a whole list counts as a look, a brief one does not.
import crypto from 'node:crypto';

import { until } from '../../daemon/lib/world.mjs';

export const secret = 'a key that only both sides know';

// A policy with these targets; `git push` and `npm publish` ask by rules, the rest because no rule covers it.
export const policyWith = (targets, more = '') => `version: 1
settings: {permissionTimeout: 0}
rules:
  ask: ["Bash(git push *)", "Bash(npm publish *)"]
  allow: ["Bash(make *)"]
agents: {backend: {}, frontend: {}}
notify: ${targets.length === 0 ? '[]' : ''}
${targets.map((each) => `  - ${JSON.stringify(each)}\n`).join('')}${more}`;

export async function put(gate, session, command, more) {
  const call = gate.call(session, command, more);
  const question = await until(async () => (await brief(gate)).find((each) => each.callId === call.use), `the question of ${call.use}`);
  return { call, id: question.permissionId, question };
}

export const brief = async (gate) => (await gate.send('GET', '/api/permissions?view=brief', { as: gate.ann })).json.permissions;
export const stateOf = async (gate, id) => (await gate.send('GET', '/api/permissions?state=resolved&view=brief', { as: gate.ann })).json.permissions.find((each) => each.permissionId === id)?.state ?? 'pending';
export const see = (gate, id) => gate.send('POST', `/api/permissions/${id}/seen`, { as: gate.ann });

// What the record says became of notices, once there are so many lines.
export async function receipts(gate, count) {
  const rows = await until(async () => { const all = await gate.audit('&kind=notice'); return all.length >= count ? all : undefined; }, `${count} receipts`);
  return rows.map(({ record }) => `${record.target}:${record.state}:${record.tries}`);
}

export const targets = async (gate) => (await gate.send('GET', '/api/notices', { as: gate.ann })).json.targets;

// What Slack's server sends when somebody presses a button.
export function press(gate, target, { action, value, user = 'U1', key = 'slack signing secret', at = Math.floor(Date.now() / 1000), signature, reply, block } = {}) {
  const payload = { type: 'block_actions', user: { id: user, username: 'ann' }, actions: [{ type: 'button', action_id: action, block_id: block, value }], ...(reply === undefined ? {} : { response_url: reply }) };
  const body = `payload=${encodeURIComponent(JSON.stringify(payload))}`;
  const signed = signature ?? `v0=${crypto.createHmac('sha256', key).update(`v0:${at}:${body}`).digest('hex')}`;
  return gate.send('POST', `/slack/${target}`, { body, headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'X-Slack-Request-Timestamp': String(at), 'X-Slack-Signature': signed } });
}
