// What was done to the gate and what it said, kept beside it, and held against its record at the end.
// INVARIANT: only what the gate itself acknowledged goes in; a connection that broke is no answer.
import { difference } from '../daemon/lib/runner.mjs';
import { problemsOf } from '../daemon/lib/store.mjs';

export class Ledger {
  allowed = new Set();      // commands that the gate let run
  answers = new Map();      // question -> the state that was acknowledged to a person
  counts = new Map();       // what was done how often, by name
  violations = [];          // what may never happen, and did

  count(name, times = 1) { this.counts.set(name, (this.counts.get(name) ?? 0) + times); }
  violated(what) { if (this.violations.length < 20) this.violations.push(what); this.count('violations'); }

  // What came of a call; `mayRun` says whether anything in the world could have allowed it.
  called(kind, command, behavior, mayRun) {
    this.count(`${kind}: ${behavior}`);
    if (behavior !== 'allow') return;
    if (!mayRun) this.violated(`${kind} was allowed: ${command}`);
    this.allowed.add(command);
  }

  // An answer that was acknowledged; the second one for the same question must say the same.
  answered(question, state) {
    this.count(`answers: ${state}`);
    const before = this.answers.get(question);
    if (before !== undefined && before !== state) this.violated(`question ${question} was ${before} and then ${state}`);
    this.answers.set(question, state);
  }

  // What a stranger got; anything but a refusal is a violation.
  refused(what, status) {
    this.count(`strangers: ${status}`);
    if (status >= 200 && status < 300) this.violated(`a stranger got ${status}: ${what}`);
  }

  // The record says the same. Gives what is wrong, by name.
  async held(gate) {
    const recorded = new Set(), ends = new Map();
    let last = 0, gaps = 0;
    for (let after = 0; ;) {
      const { rows } = (await gate.send('GET', `/api/audit?order=oldest&limit=1000&after=${after}`, { as: gate.ann })).json;
      if (rows.length === 0) break;
      for (const row of rows) {
        if (row.number !== last + 1) ++gaps;
        last = row.number;
        if (row.kind === 'call' && row.verdict === 'allow') recorded.add(row.record.call.input.command);
        if (row.kind === 'answer') ends.set(row.question, [...(ends.get(row.question) ?? []), row.record.outcome]);
      }
      after = last;
    }
    return {
      records: last,
      found: {
        'calls allowed without a record': [...this.allowed].filter((command) => !recorded.has(command)).slice(0, 5),
        'acknowledged answers that are not in the record': [...this.answers].filter(([question, state]) => !ends.get(question)?.includes(state)).slice(0, 5),
        'questions with two ends': [...ends].filter(([, outcomes]) => outcomes.length !== 1).slice(0, 5),
        'numbers left out of the record': gaps,
        'what is wrong with the store': await problemsOf(gate),
        'what may never happen': this.violations,
      },
    };
  }
}

export const nothing = {
  'calls allowed without a record': [], 'acknowledged answers that are not in the record': [], 'questions with two ends': [],
  'numbers left out of the record': 0, 'what is wrong with the store': [], 'what may never happen': [],
};
export const wrong = (found) => difference(found, nothing);
