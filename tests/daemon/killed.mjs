// The daemon is killed again and again while questions are put, wait and are answered.
// Clients are another process, as agents are: each calls again after a break until it has an answer.
// What must hold stands in `wanted`; the points of the kills are random, and a failure shows the seed.
import { isDeepStrictEqual } from 'node:util';

import { problemsOf } from './lib/store.mjs';
import { until, usual } from './lib/world.mjs';

const agents = Array.from({ length: 8 }, (_, i) => `agent${i}`);
const policy = `${usual}${agents.map((name) => `  ${name}: {}\n`).join('')}`;
const ofSession = 50;   // below the 64 that a session may have open

export const wanted = {
  'questions lost by the first kill': 0, 'ids that changed': 0, 'questions after every client came back': 'all',
  'acknowledged answers that were lost': 0, 'clients with a wrong answer': 0, 'questions asked twice': 0, 'questions answered twice': 0, 'still open': 0,
  'what is wrong with the store': [],
};

export const groups = {
  'kill rounds': [
    { name: '50 questions, killed while they are put, open and answered', act: (stage) => rounds(stage, 50, stage.options.rounds ?? 5), want: wanted },
    { name: '1,000 questions, killed while they are put, open and answered', act: (stage) => rounds(stage, 1000, stage.options.rounds ?? 5), want: wanted },
  ],
};

// Gives what was wanted, or what the first round found that was not. `told` hears of each round.
export async function rounds(stage, count, times, told = () => {}) {
  for (let round = 0; round < times; ++round) {
    const began = Date.now();
    const seed = Number(process.env.TOLLGATE_SEED ?? Math.floor(Math.random() * 2 ** 31));
    // On a machine with other work clients come back later than after the usual minute.
    const gate = await stage.fresh({ policy, args: ['--keep-gone', '1h'] });
    const found = await new Round(gate, count, randomOf(seed)).play().catch((error) => { throw new Error(`round ${round + 1}, seed ${seed}`, { cause: error }); });
    await stage.endCase();
    told({ round, seed, seconds: (Date.now() - began) / 1000, questions: count });
    if (!isDeepStrictEqual(found, wanted)) return { ...found, seed, round };
  }
  return wanted;
}

// One agent's call: made again after every break, with the same id and input, until it is answered.
class Client {
  constructor(gate, session, number) {
    Object.assign(this, { gate, session, use: `toolu_${number}`, command: `npm install package-${number}` });
  }

  async run() {
    for (;;) {
      await this.gate.up;
      try {
        this.call = this.gate.call(this.session, this.command, { use: this.use });
        const said = await this.call.said();
        if (said && !/retry/.test(said.message ?? '')) return said;
      } catch {
        // The daemon was killed; it comes back.
      }
    }
  }
}

class Round {
  constructor(gate, count, random) {
    Object.assign(this, { gate, count, random });
    this.gate.up = Promise.resolve();
    this.acknowledged = new Map();   // question -> state
    this.wishes = new Map();         // call -> state
  }

  async play() {
    const { gate, count } = this;
    const sessions = [];
    for (let i = 0; i < count / ofSession; ++i) sessions.push(await gate.session(agents[i % agents.length]));
    const clients = Array.from({ length: count }, (_, i) => new Client(gate, sessions[i % sessions.length], i));
    for (const client of clients) this.wishes.set(client.use, this.random() < 0.5 ? 'approved' : 'denied');
    const answers = clients.map((client) => client.run());

    // Killed while they are put: some are kept, the others are put anew.
    await this.untilPending((pending) => pending >= count * this.random() * 0.9);
    await this.kill();
    await this.untilPending((pending) => pending === count);
    const before = await this.questions();

    // Killed while all are open: every one is there at once, before any client is back.
    gate.process.kill('SIGKILL');
    let open = () => {};
    gate.up = new Promise((done) => { open = done; });
    await gate.process.ended;
    await gate.run();
    const after = await this.questions();
    open();
    await until(async () => (await gate.pending()).every((each) => each.goneAt === null), 'the clients', { pause: 250 });
    const joined = await this.questions();

    await this.answerAll(before);
    const said = await Promise.all(answers);
    return this.report({ before, after, joined, clients, said });
  }

  async kill() {
    const { gate } = this;
    gate.process.kill('SIGKILL');
    gate.up = gate.process.ended.then(() => gate.run());
    await gate.up;
  }

  untilPending(enough) {
    return until(async () => {
      try {
        return enough((await this.gate.send('GET', '/health')).json.pending);
      } catch {
        return false;   // it is being killed
      }
    }, 'the questions', { milliseconds: 240_000 });
  }

  // The ids of what is open, by call.
  async questions() { return new Map((await this.gate.pending()).map((each) => [each.callId, each.permissionId])); }

  // Two people answer in any order while the daemon is killed under their hands.
  async answerAll(questions) {
    const { gate, count } = this;
    const left = [...questions].sort(() => this.random() - 0.5);
    const kills = [0.2, 0.5, 0.8].map((part) => Math.floor(count * (part + this.random() * 0.1)));
    let killing = Promise.resolve();
    const person = async (credential) => {
      for (let next = left.pop(); next; next = left.pop()) {
        const [use, id] = next;
        await gate.up;
        const state = this.wishes.get(use);
        try {
          const response = await gate[state === 'approved' ? 'approve' : 'deny'](id, {}, credential);
          const stands = response.status === 200 ? response.json.state : response.json.permission?.state;
          if (stands !== undefined) this.acknowledged.set(id, stands);
          else left.push(next);
        } catch {
          left.push(next);   // nobody knows whether it counted
        }
        if (kills.length > 0 && left.length < count - kills[0]) {
          kills.shift();
          killing = killing.then(() => this.kill());
        }
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, i) => person(i % 2 === 0 ? gate.ann : gate.bob)));
    await killing;
  }

  async report({ before, after, joined, clients, said }) {
    const { gate, count } = this;
    const rows = await gate.audit();
    const times = (kind, key) => {
      const counts = new Map();
      for (const row of rows) if (row.kind === kind) counts.set(key(row), (counts.get(key(row)) ?? 0) + 1);
      return [...counts.values()].filter((each) => each !== 1).length;
    };
    const states = new Map(rows.filter((row) => row.kind === 'answer').map((row) => [row.question, row.record.outcome]));
    const behavior = { approved: 'allow', denied: 'deny' };
    return {
      'questions lost by the first kill': count - after.size,
      'ids that changed': [...before].filter(([use, id]) => after.get(use) !== id || joined.get(use) !== id).length,
      'questions after every client came back': joined.size === count ? 'all' : joined.size,
      'acknowledged answers that were lost': [...this.acknowledged].filter(([id, state]) => states.get(id) !== state).length + count - this.acknowledged.size,
      'clients with a wrong answer': clients.filter(({ use, command }, i) => said[i].behavior !== behavior[this.wishes.get(use)] || (said[i].updatedInput?.command ?? command) !== command).length,
      'questions asked twice': times('question', (row) => row.record.callId),
      'questions answered twice': times('answer', (row) => row.question),
      'still open': (await gate.pending()).length,
      'what is wrong with the store': await problemsOf(gate),
    };
  }
}

// mulberry32: small, and the same everywhere.
function randomOf(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
