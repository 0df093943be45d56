// A session has its id, knows its own question's, and wants a yes.
import { callTool } from '../lib/mcp.mjs';
import { guarded, onQuestion, statusesOf } from './routes.mjs';

const pending = (got) => ({ got, state: 'pending' });

// What a tool of the session says, with `!` where it failed.
async function toolSays(gate, session, name, args) {
  const result = await callTool(gate.port, session.id, name, args, { from: gate.place }).result();
  return `${result.isError ? '! ' : ''}${result.content[0].text}`;
}

export const rows = [
  { name: 'a session id is no bearer on any route',
    act: onQuestion((gate, it) => statusesOf(gate, guarded(it), { headers: () => ({ Authorization: `Bearer ${it.session.id}` }) })),
    want: pending([401]) },
  { name: 'a session id is no cookie on any route',
    act: onQuestion((gate, it) => statusesOf(gate, guarded(it), { headers: () => ({ Cookie: `tollgate=${it.session.id}`, 'X-Tollgate-Key': it.session.id }) })),
    want: pending([401]) },
  { name: 'a session id in a header opens nothing',
    act: onQuestion((gate, it) => statusesOf(gate, guarded(it), { headers: () => ({ 'X-Tollgate-Session': it.session.id, 'X-Tollgate-Key': it.session.id }) })),
    want: pending([401]) },
  { name: 'a session id in the query opens nothing',
    act: onQuestion((gate, it) => statusesOf(gate, guarded(it).filter(([, path]) => !path.includes('?')), { path: (text) => `${text}?session=${it.session.id}&access_token=${it.session.id}` })),
    want: pending([401]) },
  { name: 'no path below a session answers',
    act: onQuestion((gate, it) => statusesOf(gate, ['approve', `approve/${it.id}`, `permissions/${it.id}/approve`, `api/permissions/${it.id}/approve`]
      .flatMap((tail) => [['POST', `/mcp/${it.session.id}/${tail}`, {}], ['POST', `/api/sessions/${it.session.id}/${tail}`, {}]]))),
    want: pending([404]) },
  { name: 'a session may not answer over its web socket',
    act: onQuestion(async (gate, it) => {
      const socket = await gate.watch({ path: `/ws?session=${it.session.id}` });
      const codes = [];
      for (const data of [{ permissionId: it.id, decision: 'allow_once' }, { callId: it.call.use, decision: 'allow_always' }, { permissionId: it.id, decision: 'deny' }]) {
        socket.say('agent', 'approval_response', data);
        codes.push((await socket.next('refused')).data.error.code);
      }
      return codes;
    }),
    want: pending(['not-allowed-here', 'not-allowed-here', 'not-allowed-here']) },
  { name: 'a session that names itself a person over its web socket is still a session',
    act: onQuestion(async (gate, it) => {
      const socket = await gate.watch({ path: `/ws?session=${it.session.id}`, headers: { Authorization: `Bearer ${it.session.id}` } });
      socket.say('permission', 'approval_response', { permissionId: it.id, decision: 'allow_once', person: 'ann', approver: 'ann' });
      return (await socket.next('refused')).data.error.code;
    }),
    want: pending('not-allowed-here') },
  { name: 'a session id as the bearer opens no web socket of people',
    act: onQuestion(async (gate, it) => (await gate.watch({ headers: { Authorization: `Bearer ${it.session.id}` } })).status),
    want: pending(401) },
  { name: 'a session may not answer itself as its own parent',
    act: onQuestion((gate, it) => toolSays(gate, it.session, 'answer_child_permission', { permission_id: it.id, decision: 'allow' })),
    want: pending('! this question is not for that agent to answer') },
  { name: 'a session may not answer another\'s question as its parent',
    act: onQuestion(async (gate, it) => toolSays(gate, await gate.session('frontend'), 'answer_child_permission', { permission_id: it.id, decision: 'allow' })),
    want: pending('! this question is not for that agent to answer') },
  { name: 'a parent may not answer what its child puts to people',
    act: async (stage) => {
      const gate = await stage.gate();
      const parent = await gate.session();
      const { id } = await gate.asked(await gate.session('backend', { parent: parent.id }));
      const got = await toolSays(gate, parent, 'answer_child_permission', { permission_id: id, decision: 'allow' });
      return { got, state: (await gate.permission(id)).state };
    },
    want: pending('! this question is not for that agent to answer') },
  { name: 'a session sees no question by its tool that was not put to it',
    act: onQuestion((gate, it) => toolSays(gate, it.session, 'list_child_permissions', {})),
    want: pending('{"permissions":[]}') },
  { name: 'running the program that answers is denied to a session',
    act: onQuestion(async (gate, it) => (await gate.verdict(it.session, `tollgate approve ${it.id}`)).slice(0, 4)),
    want: pending('deny') },
  { name: 'asking again with a yes inside the input is a question like any other',
    act: onQuestion(async (gate, it) => {
      const { question } = await gate.asked(it.session, { command: 'npm install left-pad', behavior: 'allow', approved: true, decision: 'allow' });
      return question.state;
    }),
    want: pending('pending') },
  { name: 'the same call id with another input is another question',
    act: onQuestion(async (gate, it) => {
      const other = gate.call(it.session, 'npm install right-pad', { use: it.call.use });
      const ids = (await gate.pending()).filter((each) => each.callId === it.call.use).map((each) => each.permissionId);
      while (ids.length < 2) {
        await other.alive();
        ids.splice(0, ids.length, ...(await gate.pending()).filter((each) => each.callId === it.call.use).map((each) => each.permissionId));
      }
      return new Set(ids).size;
    }),
    want: pending(2) },
];
