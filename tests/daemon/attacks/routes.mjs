// Every route that needs a credential, and what it takes to try all of them at once.
import { newPlace } from '../lib/http.mjs';

export const guarded = ({ id = 'q', session = { id: 's' } } = {}) => [
  ['POST', `/api/permissions/${id}/approve`, {}],
  ['POST', `/api/permissions/${id}/approve`, { scope: 'everyone' }],
  ['POST', `/api/permissions/${id}/deny`, {}],
  ['POST', `/api/permissions/${id}/preview`, {}],
  ['GET', '/api/permissions'],
  ['GET', '/api/permissions?state=resolved'],
  ['GET', `/api/permissions/${id}`],
  ['POST', '/api/freeze', {}],
  ['GET', '/api/audit'],
  ['GET', '/api/grants'],
  ['DELETE', '/api/grants/g'],
  ['GET', '/api/sessions'],
  ['POST', '/api/sessions', { agent: 'backend' }],
  ['PATCH', `/api/sessions/${session.id}`, { mode: 'autonomous' }],
  ['DELETE', `/api/sessions/${session.id}`],
  ['GET', '/api/agents'],
  ['GET', '/api/policy'],
  ['GET', '/api/settings'],
  ['GET', '/api/approvers'],
  ['POST', '/api/approvers', { name: 'mallory', operator: true }],
  ['DELETE', '/api/approvers/ann'],
  ['GET', '/api/push/key'],
  ['POST', '/api/push/subscription', { endpoint: 'https://fcm.googleapis.com/x' }],
  ['DELETE', '/api/push/subscription', { endpoint: 'https://fcm.googleapis.com/x' }],
  ['GET', '/api/notices'],
  ['POST', '/api/notices/x/try', {}],
  ['POST', '/api/links'],
  ['GET', '/api/keys'],
  ['POST', '/api/keys', { name: 'mine' }],
  ['POST', '/api/keys/options', {}],
  ['DELETE', '/api/keys/a2V5'],
  ['POST', '/api/touch', {}],
  ['GET', '/api/me'],
  ['GET', '/metrics'],
];

// Those that an approver who is no operator may not take.
export const operatorOnly = (session) => [
  ['POST', '/api/sessions', { agent: 'backend' }],
  ['PATCH', `/api/sessions/${session.id}`, { mode: 'autonomous' }],
  ['DELETE', `/api/sessions/${session.id}`],
  ['POST', '/api/approvers', { name: 'mallory', operator: true }],
  ['POST', '/api/approvers', { name: 'mallory' }],
  ['DELETE', '/api/approvers/bob'],
];

// The statuses that these requests get, each once. Every one comes from a place of its own: a wrong secret is a guess.
export async function statusesOf(gate, routes, { headers = () => ({}), on, path = (text) => text, body = (value) => value } = {}) {
  const found = new Set();
  for (const [method, target, given] of routes) {
    const response = await gate.send(method, path(target), { headers: headers(method), body: body(given), on, from: newPlace() });
    found.add(response.status);
  }
  return [...found].sort();
}

// A case about a question that is open: gives what the attack got and how the question stands after it.
export const onQuestion = (attack, command) => async (stage) => {
  const gate = await stage.gate();
  const session = await gate.session();
  const { id, call, question } = await gate.asked(session, command);
  const got = await attack(gate, { session, id, call, question, stage });
  return { got, state: (await gate.permission(id)).state };
};
