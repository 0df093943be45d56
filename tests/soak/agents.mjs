// Agents of every kind, each going on until the soak is over: hooks as programs, MCP, REST and web sockets.
// Every call has a command of its own, so that its record can be found. To add a kind: a row in `agents`.
import { parsed } from '../daemon/lib/http.mjs';

let numbers = 0;
// Mostly what is allowed at once, some that ask, some that are never allowed.
function next() {
  const number = ++numbers, kind = number % 10;
  if (kind === 3) return { command: `git push --force origin ${number}`, mayRun: false };
  if (kind === 6) return { command: `npm install package-${number}`, mayRun: true, asks: true };
  return { command: `make target-${number}`, mayRun: true };
}

const pause = (milliseconds) => new Promise((go) => setTimeout(go, milliseconds));

// A session of its own, changed for another now and then: agents come and go.
async function* sessions(soak) {
  while (!soak.over) {
    const session = await soak.gate.session(soak.one(['backend', 'frontend']));
    for (let calls = 0; calls < 40 && !soak.over; ++calls) yield session;
    await soak.gate.send('DELETE', `/api/sessions/${session.id}`, { as: soak.gate.operator });
    soak.ledger.count('sessions ended');
  }
}

async function overMcp(soak) {
  for await (const session of sessions(soak)) {
    const { command, mayRun, asks } = next();
    const call = soak.gate.call(session, command);
    if (asks && soak.random() < 0.1) {   // an agent that goes away while it waits
      await pause(200);
      call.hangUp();
      soak.ledger.count('MCP: hung up');
      continue;
    }
    const said = await call.said();
    soak.ledger.called('MCP', command, said?.behavior ?? 'none', mayRun);
    await pause(soak.pace);
  }
}

async function overRest(soak) {
  for await (const session of sessions(soak)) {
    const { command, mayRun, asks } = next();
    const { json } = await soak.gate.send('POST', '/api/decide', { as: session.id, body: { tool: 'Bash', input: { command } } });
    soak.ledger.called('REST', command, json?.verdict ?? 'none', mayRun && !asks);
    await pause(soak.pace);
  }
}

async function overSocket(soak) {
  for await (const session of sessions(soak)) {
    const socket = await soak.gate.watch({ path: `/ws?session=${session.id}` });
    if (socket.status !== 101) continue;
    for (let i = 0; i < 5; ++i) {
      const { command, mayRun, asks } = next();
      if (asks) continue;
      const callId = `call-${numbers}`;
      socket.say('agent', 'gate_request', { turnId: '1', callId, tool: 'Bash', args: { command } });
      soak.ledger.called('web socket', command, (await socket.next('gate_decision')).data.verdict, mayRun);
    }
    socket.close();
    await pause(soak.pace);
  }
}

// The program, as a client starts it; what it settles without the daemon comes into the record over its spool.
async function overHook(soak) {
  const { world } = soak.gate;
  while (!soak.over) {
    const { command, mayRun } = next();
    const payload = { session_id: `client-${numbers % 7}`, cwd: world.work, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command }, tool_use_id: `toolu_h${numbers}` };
    const { out } = await world.run(`${world.bin}/tollgate-hook`, ['claude', '--config', world.policy, '--agent', 'backend', '--data', world.data, '--timeout', '20'], { input: JSON.stringify(payload) });
    soak.ledger.called('hook', command, parsed(out)?.hookSpecificOutput?.permissionDecision ?? 'none', mayRun);
    await pause(10 * soak.pace);
  }
}

export const agents = [[8, overMcp], [3, overRest], [2, overSocket], [2, overHook]];
