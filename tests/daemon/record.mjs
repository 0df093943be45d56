// The record as a person holds it: its chain, what it hides, how it is searched, exported and judged again.
import fs from 'node:fs';
import { execFileSync } from 'node:child_process';

import { type } from './lib/terminal.mjs';
import { until } from './lib/world.mjs';

const token = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';

// A command that needs no credential: {status, out}.
async function bare(gate, words, { data = true } = {}) {
  const child = gate.world.start(`${gate.world.bin}/tollgate`, [...words, ...(data ? ['--data', gate.world.data] : [])]);
  child.stdin.end();
  const { status } = await child.ended;
  return { status, out: child.out, err: child.err };
}
const verify = async (gate, more = []) => {
  const { status, out } = await bare(gate, ['log', 'verify', '--json', '--config', gate.world.policy, ...more]);
  const { faults, ...report } = JSON.parse(out);
  return { status, ...report, faults: faults.map((fault) => `${fault.kind} ${fault.first}-${fault.last}`) };
};
const db = (gate) => `${gate.world.data}/tollgate.db`;
// What a program of the same user can do to the file; python's own library knows its form.
const sql = (gate, text) => execFileSync('python3', ['-c', 'import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.executescript(sys.argv[2]); c.commit()', db(gate), text]);

async function withCalls(stage, options) {
  const gate = await stage.fresh(options);
  const session = await gate.session();
  for (const part of ['one', 'two', 'three', 'four']) await gate.verdict(session, `make ${part}`);
  return { gate, session };
}
const stop = async (gate) => { gate.process.kill('SIGTERM'); await gate.process.ended; };

const anchored = (world) => `version: 1
settings: {permissionTimeout: 0, anchor: {journal: false, file: ${world}, every: 1s}}
rules: {allow: ["Bash(make *)"]}
agents: {backend: {}}
`;

const chain = [
  { name: 'the chain of a daemon that runs holds, and nothing attests it',
    act: async (stage) => {
      const { gate } = await withCalls(stage);
      const { status, holds, faults, attested, first, rows, last } = await verify(gate, ['--no-anchors']);
      return [status, holds, faults, attested, first, rows === last && rows > 4];
    },
    want: [0, true, [], 0, 1, true] },
  { name: 'a row that was changed in the file is named',
    act: async (stage) => {
      const { gate } = await withCalls(stage);
      await stop(gate);
      const row = (await verify(gate)).last - 1;
      sql(gate, `UPDATE audit SET record = replace(record, 'make', 'fake') WHERE number = ${row}`);
      const { status, holds, faults } = await verify(gate);
      const told = (await bare(gate, ['log', 'verify', '--no-anchors'])).out;
      return [status, holds, faults.map((fault) => fault.replaceAll(String(row), 'ROW')), told.includes(`FAULT       row ${row} does not follow`)];
    },
    want: [1, false, ['changed ROW-ROW'], true] },
  { name: 'heads in a file show an end that was cut with care; a file of the same user attests nothing',
    act: async (stage) => {
      const world = stage.world();
      const file = `${world.dir}/heads`;
      const gate = await stage.fresh({ policy: anchored(file) });
      const session = await gate.session();
      await gate.verdict(session, 'make one');
      await until(() => fs.existsSync(file), 'the first head');
      await gate.verdict(session, 'make two');
      await stop(gate);
      const whole = await verify(gate);
      const notes = whole.notes.filter((note) => /attests nothing against that user/.test(note)).length;
      sql(gate, `DELETE FROM audit WHERE number > ${whole.last - 2}; UPDATE numbers SET last = ${whole.last - 2} WHERE name = 'audit'`);
      const { faults } = await verify(gate);
      const blind = await verify(gate, ['--no-anchors']);
      return [whole.holds, whole.attested === whole.last, notes, faults.map((fault) => fault.split(' ')[0]), blind.holds];
    },
    want: [true, true, 1, ['end'], true] },
  { name: 'heads of a store that is gone are told of beside the one that took its place',
    act: async (stage) => {
      const world = stage.world();
      const file = `${world.dir}/heads`;
      const gate = await stage.fresh({ policy: anchored(file) });
      await gate.verdict(await gate.session(), 'make one');
      await stop(gate);
      const gone = await verify(gate);
      for (const name of fs.readdirSync(gate.world.data)) if (name.startsWith('tollgate.db')) fs.rmSync(`${gate.world.data}/${name}`);
      await gate.run();
      await stop(gate);
      const { store, notes } = await verify(gate);
      const told = notes.filter((note) => note.includes(`${gone.store}, up to row ${gone.last} `));
      const shown = (await bare(gate, ['log', 'verify', '--config', gate.world.policy])).out;
      return [store !== gone.store, told.length, /^OTHER STORE /m.test(shown), notes.some((note) => note.includes(store))];
    },
    want: [true, 1, true, false] },
  { name: 'the daemon says that a file of its own user attests nothing',
    act: async (stage) => {
      const world = stage.world();
      const gate = await stage.fresh({ policy: anchored(`${world.dir}/heads`) });
      await until(() => /attests nothing against that user/.test(gate.process.err), 'the warning');
      const { anchored: [place] } = (await gate.send('GET', '/api/record', { as: gate.ann })).json;
      return [place.to, /attests nothing/.test(place.weak)];
    },
    want: ['file', true] },
  { name: 'a webhook of the settings gets heads',
    act: async (stage) => {
      const http = await import('node:http');
      const heads = [];
      const server = http.createServer((request, response) => {
        let body = '';
        request.on('data', (piece) => { body += piece; });
        request.on('end', () => { heads.push(JSON.parse(body)); response.end('ok'); });
      });
      await new Promise((done) => server.listen(0, '127.0.0.1', done));
      try {
        const gate = await stage.fresh({ policy: `version: 1
settings: {anchor: {journal: false, notify: keep, every: 1s}}
notify: [{name: keep, type: webhook, url: "http://127.0.0.1:${server.address().port}/", secret: s3cret, rules: [breaker]}]
agents: {backend: {}}
` });
        await until(() => heads.length > 0, 'a head');
        await stop(gate);
        const file = `${gate.world.dir}/kept`;
        fs.writeFileSync(file, heads.map((head) => JSON.stringify(head)).join('\n'));
        const { attested, holds } = await verify(gate, ['--no-anchors', '--anchors', file]);
        return [heads[0].type, heads[0].data.digest.length, attested > 0, holds];
      } finally {
        server.close();
      }
    },
    want: ['record.head', 64, true, true] },
];

const exports_ = [
  { name: 'an export is checked without the store, and a change in it is named',
    act: async (stage) => {
      const { gate } = await withCalls(stage);
      const file = `${gate.world.dir}/record.jsonl`;
      const made = await bare(gate, ['log', 'export', file]);
      const again = await bare(gate, ['log', 'export', file]);
      const mode = (fs.statSync(file).mode & 0o777).toString(8);
      const good = await verify(gate, [file, '--no-anchors']);
      const text = fs.readFileSync(file, 'utf8');
      fs.writeFileSync(file, text.replace('make two', 'make 2wo'));
      const bad = await verify(gate, [file, '--no-anchors']);
      fs.writeFileSync(file, text.split('\n').slice(0, -2).join('\n') + '\n');
      const cut = await verify(gate, [file, '--no-anchors']);
      fs.writeFileSync(file, text.slice(0, -10));
      const torn = await bare(gate, ['log', 'verify', file, '--no-anchors']);
      return [made.status, again.status, /file-exists/.test(again.err), mode, good.holds, bad.faults.map((fault) => fault.split(' ')[0]), cut.faults.map((fault) => fault.split(' ')[0]), torn.status, /bad-export/.test(torn.err)];
    },
    want: [0, 1, true, '600', true, ['changed'], ['end'], 1, true] },
  { name: 'a part of the record is a piece of the chain',
    act: async (stage) => {
      const { gate } = await withCalls(stage);
      const file = `${gate.world.dir}/part.jsonl`;
      const at = (await gate.audit('&kind=call'))[1].at;
      await bare(gate, ['log', 'export', file, '--since', `${at.slice(0, 19)}Z`]);
      const { holds, first } = await verify(gate, [file, '--no-anchors']);
      return [holds, first >= 1];
    },
    want: [true, true] },
];

const hidden = [
  { name: 'a token in a call is not in the record, nor anywhere in the store; a replay says so',
    act: async (stage) => {
      const { gate, session } = await withCalls(stage);
      await gate.verdict(session, `make deploy TOKEN=${token}`);
      const row = (await gate.audit('&kind=call')).at(-1);
      const replay = (await gate.send('POST', `/api/audit/${row.number}/replay`, { as: gate.ann })).json;
      const { id } = await gate.asked(session, `curl -H 'X: ${token}' https://example.com`);
      const shown = (await gate.permission(id)).toolInput.command.includes(token);
      await gate.deny(id);
      await gate.send('GET', '/api/record', { as: gate.ann });
      await stop(gate);
      const kept = [db(gate), `${db(gate)}-wal`].some((file) => fs.existsSync(file) && fs.readFileSync(file).includes(token));
      return [row.record.call.input.command, row.record.redacted.types, row.record.redacted.hmac.length, replay.redacted.types, replay.changed, shown, kept, (await verify(gate)).holds];
    },
    want: ['make deploy TOKEN=REDACTED-github-token-xxxxxxxxxxxxxxxxxx', ['github-token'], 64, ['github-token'], false, true, false, true] },
  { name: 'what the settings name is hidden, also when they change',
    act: async (stage) => {
      const { gate, session } = await withCalls(stage);
      gate.world.setPolicy(fs.readFileSync(gate.world.policy, 'utf8').replace('settings: {', 'settings: {redact: ["pin=([0-9]+)"], '));
      await until(async () => {
        await gate.verdict(session, 'make pin=123456');
        return (await gate.audit('&kind=call')).at(-1).record.call.input.command === 'make pin=REDACT';
      }, 'the rule');
      const mode = (fs.statSync(`${gate.world.data}/record.key`).mode & 0o777).toString(8);
      return mode;
    },
    want: '600' },
];

// One mark of a private key, and what a program is told behind it.
const marked = `git push --force origin '-----BEGIN PRIVATE KEY-----\nimport shutil; shutil.rmtree("/srv/data")'`;
hidden.push({ name: 'a mark of a private key hides no code that stands behind it',
  act: async (stage) => {
    const { gate, session } = await withCalls(stage);
    await gate.verdict(session, marked);
    const { record } = (await gate.audit('&kind=call')).at(-1);
    return [record.call.input.command === marked, (await gate.audit('&grep=shutil.rmtree')).length];
  },
  want: [true, 1] });

const searching = [
  { name: 'words are found at once, and the index has them within two seconds',
    act: async (stage) => {
      const { gate, session } = await withCalls(stage);
      await gate.verdict(session, 'make needle-77');
      const begun = Date.now();
      const at_once = (await gate.audit('&grep=needle-77')).length;
      const state = async () => (await gate.send('GET', '/api/record', { as: gate.ann })).json;
      await until(async () => (await state()).words.to === (await state()).last, 'the index');
      return [at_once, (await gate.audit('&grep=edle-7')).length, (await gate.audit('&grep=needle-78')).length, Date.now() - begun < 20_000, (await state()).words.lagMs];
    },
    want: [1, 1, 0, true, 0] },
  { name: '--csv has a head line, and a cell is no formula',
    act: async (stage) => {
      const { gate, session } = await withCalls(stage);
      await gate.call(session, '=cmd|calc, "x"').close?.();
      await gate.verdict(session, 'make "a,b"');
      const { shown } = await type(gate, ['log', '--kind', 'call', '--csv', '--limit', '1']);
      const [head, row] = shown.split('\n');
      return [head, /,backend,.*"make ""a,b"""$/.test(row)];
    },
    want: ['number,at,kind,verdict,agent,session,tool,rule,by,origin,about', true] },
  { name: '--follow shows what comes',
    act: async (stage) => {
      const { gate, session } = await withCalls(stage);
      const log = `${gate.world.dir}/follow`;
      const child = gate.world.start('script', ['-qfec', `'${gate.world.bin}/tollgate' log --kind call --follow --data '${gate.world.data}'`, log]);
      await until(() => child.out.includes('credential'), 'the prompt');
      child.stdin.write(`${gate.ann}\n`);
      const shown = () => fs.readFileSync(log, 'utf8');
      await until(() => shown().includes('make four'), 'what was there');
      await gate.verdict(session, 'make later');
      await until(() => shown().includes('make later'), 'what came');
      child.kill('SIGTERM');
      await child.ended;
      return shown().split('make four').length;
    },
    want: 2 },
  { name: 'explain re-tells a decision',
    act: async (stage) => {
      const { gate, session } = await withCalls(stage);
      await gate.verdict(session, 'git push --force');
      const { number } = (await gate.audit('&kind=call')).at(-1);
      const { status, shown } = await type(gate, ['log', 'explain', String(number)]);
      return [status, /deny/.test(shown), /Bash\(git push --force \*\)/.test(shown), (await type(gate, ['log', 'explain', '999999'])).status];
    },
    want: [0, true, true, 1] },
  { name: 'replay judges the history by another policy and groups what differs',
    act: async (stage) => {
      const { gate, session } = await withCalls(stage);
      await gate.verdict(session, 'git push --force');
      const other = `${gate.world.dir}/other.yaml`;
      fs.writeFileSync(other, 'version: 1\nrules: {ask: ["Bash(make *)"], deny: ["Bash(git push --force *)"]}\nagents: {backend: {}}\n', { mode: 0o600 });
      const judged = async (config) => JSON.parse((await bare(gate, ['replay', '--json', '--config', config])).out);
      const same = await judged(gate.world.policy);
      const { differences: [group], judged: count, alike } = await judged(other);
      const text = (await bare(gate, ['replay', '--config', other])).out;
      const file = `${gate.world.dir}/record.jsonl`;
      await bare(gate, ['log', 'export', file]);
      const exported = JSON.parse((await bare(gate, ['replay', file, '--json', '--config', other])).out);
      return [same.judged, same.alike, count, alike, `${group.then} ${group.now} ${group.count} ${group.rule}`, text.includes('allow -> ask  4  backend  Bash  [Bash(make *)]'), exported.alike];
    },
    want: [5, 5, 5, 1, 'allow ask 4 Bash(make *)', true, 1] },
];

export const groups = { chain, exports: exports_, hidden, searching };
