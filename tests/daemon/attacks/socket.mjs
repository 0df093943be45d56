// The agent has our user id and reaches the local socket; neither proves anything.
import fs from 'node:fs';

import { raw, statuses } from '../lib/http.mjs';
import { until } from '../lib/world.mjs';
import { guarded, onQuestion, statusesOf } from './routes.mjs';

const pending = (got) => ({ got, state: 'pending' });
const call = { id: 'c', session: 's', provider: 'claude', native_tool: 'Bash', tool: 'Bash', input: { command: 'npm ci' }, cwd: '/work' };
const ask = { verdict: 'ask', reasons: [{ kind: 'default', rule: '', source: 'built-in', text: 'no rule covers it', span: [0, 6], verdict: 'ask' }], layer: 'hook', config_source: 'default' };

export const rows = [
  { name: 'without a credential the local socket opens no route',
    act: onQuestion((gate, it) => statusesOf(gate, guarded(it), { on: gate.socket })), want: pending([401]) },
  { name: 'headers that name a user prove nothing over the local socket',
    act: onQuestion((gate, it) => statusesOf(gate, guarded(it), { on: gate.socket, headers: () => ({
      'X-Forwarded-User': 'ann', 'X-Remote-User': 'ann', 'X-Real-Ip': '127.0.0.1', 'X-Uid': '0', Forwarded: 'for=127.0.0.1' }) })),
    want: pending([401]) },
  { name: 'other schemes than Bearer are refused',
    act: onQuestion((gate, it) => statusesOf(gate, guarded(it), { headers: () => ({ Authorization: `Basic ${Buffer.from(`ann:${gate.ann}`).toString('base64')}` }) })),
    want: pending([401]) },
  { name: 'an empty bearer is refused',
    act: onQuestion((gate, it) => statusesOf(gate, guarded(it), { headers: () => ({ Authorization: 'Bearer ' }) })), want: pending([401]) },
  { name: 'two Authorization headers are as good as none',
    act: onQuestion(async (gate, it) => statuses(await raw(gate.port, `POST /api/permissions/${it.id}/approve HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer x\r\nAuthorization: Bearer ${gate.ann}\r\nContent-Length: 2\r\n\r\n{}`))),
    want: pending([401]) },
  { name: 'a raw request over the local socket without a credential does not answer',
    act: onQuestion(async (gate, it) => {
      const out = [];
      for (const act of ['approve', 'deny'])
        out.push(...statuses(await raw(gate.socket, `POST /api/permissions/${it.id}/${act} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}`)));
      return out;
    }),
    want: pending([401, 401]) },
  { name: 'the web socket over the local socket wants a credential',
    act: onQuestion(async (gate) => statuses(await raw(gate.socket, 'GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n'))),
    want: pending([401]) },
  { name: 'a page\'s origin is refused over the local socket',
    act: onQuestion(async (gate, it) => (await gate.approve(it.id, {}, gate.ann) && (await gate.send('GET', '/api/me', { on: gate.socket, as: gate.ann, headers: { Origin: 'http://localhost' } })).status)),
    want: { got: 403, state: 'approved' } },
  { name: 'a hook\'s question is taken over the local socket alone',
    act: async (stage) => {
      const gate = await stage.gate();
      return (await gate.send('POST', '/ask', { body: { call, decision: ask, withinMs: 0 } })).status;
    },
    want: 404 },
  { name: 'a hook may only bring an ask, and nothing that settles it',
    act: async (stage) => {
      const gate = await stage.gate();
      const bodies = [{ call, decision: ask, withinMs: 0 }, { call, decision: { ...ask, verdict: 'allow' } }, { call, decision: { ...ask, verdict: 'deny' } }, { call }, { decision: ask },
        { call, decision: ask, verdict: 'allow' }, { call, decision: ask, answer: { allow: true } }, { call: 1, decision: ask }];
      const got = [];
      for (const body of bodies) got.push((await gate.send('POST', '/ask', { on: gate.socket, body })).status);
      return got;
    },
    want: [200, 400, 400, 400, 400, 400, 400, 400] },
  { name: 'a hook that asks for an agent of its choice is told to wait like any other',
    act: async (stage) => {
      const gate = await stage.gate();
      const { json } = await gate.send('POST', '/ask', { on: gate.socket, body: { call: { ...call, agent: 'backend' }, decision: ask, withinMs: 0 } });
      return json.verdict;
    },
    want: 'pending' },
  { name: 'the record has who stood at the other end of the local socket, by the kernel\'s word: uid and pid of a hook\'s call',
    act: async (stage) => {
      const gate = await stage.fresh();
      const { world } = gate;
      const payload = JSON.stringify({ session_id: 'client-peer', cwd: world.work, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'npm ci' }, tool_use_id: 'toolu_peer' });
      const hook = world.start(`${world.bin}/tollgate-hook`, ['claude', '--config', world.policy, '--agent', 'backend', '--data', world.data], { stdio: ['pipe', 'pipe', 'pipe'] });
      hook.stdin.end(payload);
      const { permissionId } = await until(async () => (await gate.pending())[0], 'the question');
      await gate.approve(permissionId);
      await hook.ended;
      const row = (await gate.audit('&kind=call')).find(({ record }) => record.peer?.socket);
      return [row?.record.call.input.command, row?.record.peer.uid === process.getuid(), row?.record.peer.pid === hook.pid, row?.verdict];
    },
    want: ['npm ci', true, true, 'allow'] },
  { name: 'the data directory and the socket are for our user alone',
    act: async (stage) => {
      const { world, socket } = await stage.gate();
      const modes = [world.data, socket, `${world.data}/tollgate.db`].map((file) => (fs.statSync(file).mode & 0o077).toString(8));
      return modes;
    },
    want: ['0', '0', '0'] },
];
