// `tollgate db` beside a daemon that runs, and in its place.
import fs from 'node:fs';

const db = (gate, ...words) => gate.world.run(`${gate.world.bin}/tollgate`, ['db', ...words, '--data', gate.world.data]);
const whole = (gate, ...file) => db(gate, 'check', ...file, '--json').then(({ out }) => JSON.parse(out));

export const rows = [
  { name: 'a copy is made while calls are recorded, and has all that was acknowledged before it',
    act: async (stage) => {
      const gate = await stage.fresh();
      const session = await gate.session();
      let over = false;
      const calls = (async () => { while (!over) await gate.verdict(session, 'make all'); })();
      const before = (await gate.audit()).at(-1).number;
      const copy = `${gate.world.dir}/copy.db`;
      const { status } = await db(gate, 'backup', copy);
      const taken = await db(gate, 'backup', copy);
      over = true;
      await calls;
      const { records, problems } = await whole(gate, copy);
      return [status, records >= before, problems, fs.statSync(copy).mode & 0o777, taken.status, /file-exists/.test(taken.err), (await whole(gate)).problems];
    },
    want: [0, true, [], 0o600, 1, true, []] },
  { name: 'nothing is put back under a daemon that runs',
    act: async (stage) => {
      const gate = await stage.fresh();
      const session = await gate.session();
      const copy = `${gate.world.dir}/copy.db`;
      await db(gate, 'backup', copy);
      const { status, err } = await db(gate, 'restore', copy, '--yes');
      return [status, /a daemon uses it/.test(err), await gate.verdict(session, 'make all')];
    },
    want: [1, true, 'allow'] },
  { name: 'a store that was put back says so, keeps what the copy had, and the other lies beside it',
    act: async (stage) => {
      const gate = await stage.fresh();
      const session = await gate.session();
      const { id } = await gate.asked(session);
      const copy = `${gate.world.dir}/copy.db`;
      await db(gate, 'backup', copy);
      await gate.approve(id);
      const later = (await gate.audit()).at(-1).number;
      await gate.stop('SIGKILL');
      const { status, out } = await db(gate, 'restore', copy, '--yes', '--json');
      const { replaced } = JSON.parse(out);
      await gate.run();
      const [told] = (await gate.audit('&kind=restore'));
      return [status, (await gate.permission(id)).state, told.by, told.record.uid === process.getuid(), told.record.from === copy, told.record.replacedRecords >= later, (await whole(gate, replaced)).problems, await gate.verdict(session, 'make all')];
    },
    want: [0, 'pending', '', true, true, true, [], 'allow'] },
];
