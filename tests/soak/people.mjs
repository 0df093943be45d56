// People who answer, look, change their minds about policies and come and go; what they do is acknowledged or it was not.
import { newPlace } from '../daemon/lib/http.mjs';
import { usual } from '../daemon/lib/world.mjs';

const pause = (milliseconds) => new Promise((go) => setTimeout(go, milliseconds));

// Two of them race for every question.
function answering(name) {
  return async (soak) => {
    const { gate, ledger } = soak;
    while (!soak.done()) {
      for (const { permissionId } of await gate.pending()) {
        const allow = soak.random() < 0.6;
        const { status, json } = await gate[allow ? 'approve' : 'deny'](permissionId, {}, gate[name]);
        if (status === 200) ledger.answered(permissionId, json.state);
        else ledger.count(`answers: refused ${status}`);
      }
      await pause(100);
    }
  };
}

// Pages that are open for a while and are closed without a word.
async function watching(soak) {
  while (!soak.over) {
    const socket = await soak.gate.watch({ headers: { Authorization: `Bearer ${soak.gate.bob}` } });
    await pause(500 + soak.random() * 1_500);
    soak.ledger.count('pages closed', socket.status === 101 ? 1 : 0);
    socket.close?.();
  }
}

// Searches, lists and figures, as the page makes them.
async function looking(soak) {
  const paths = ['/api/audit?limit=100', '/api/audit?grep=target-1', '/api/permissions?state=resolved', '/api/sessions', '/api/grants', '/metrics', '/api/policy'];
  while (!soak.over) {
    const { status } = await soak.gate.send('GET', soak.one(paths), { as: soak.gate.ann });
    soak.ledger.count(`looks: ${status}`);
    await pause(200);
  }
}

// Credentials that come and go, a freeze and its end, a policy that breaks and is mended.
async function changing(soak) {
  const { gate, ledger } = soak;
  for (let turn = 0; !soak.over; ++turn) {
    const name = `guest-${turn}`;
    const made = await gate.send('POST', '/api/approvers', { as: gate.operator, body: { name } });
    await gate.logIn(made.json.credential);
    await gate.send('DELETE', `/api/approvers/${name}`, { as: gate.operator });
    ledger.refused('a revoked credential', (await gate.send('GET', '/api/permissions', { as: made.json.credential, from: newPlace() })).status);
    await gate.send('POST', '/api/freeze', { as: gate.ann, body: { agent: 'strict', frozen: turn % 2 === 0 } });
    gate.world.setPolicy(turn % 3 === 0 ? `${usual}nonsense: [\n` : usual);
    ledger.count('changes of people and policies');
    await pause(1_000);
  }
  gate.world.setPolicy(usual);
}

export const people = [[1, answering('ann')], [1, answering('bob')], [3, watching], [1, looking], [1, changing]];
