// The record as a person holds it: its chain, what it hides, how it is searched, exported and judged again.
import fs from 'node:fs';
import { execFileSync, spawnSync } from 'node:child_process';

import { Daemon } from './lib/daemon.mjs';
import { isolated } from './lib/faults.mjs';
import { type } from './lib/terminal.mjs';
import { until } from './lib/world.mjs';

const token = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';

// A command that needs no credential: {status, out}. It sees the files that the daemon sees.
async function bare(gate, words) {
  const [file, ...more] = [...(gate.under ?? []), `${gate.world.bin}/tollgate`, ...words, '--data', gate.world.data];
  const child = gate.world.start(file, more);
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

// A journal of its own, kept by the system's own journald in a view of the files that only this test has: the words
// that put a program into that view. It ends with its holder, which ends with the test.
const journald = '/usr/lib/systemd/systemd-journald';
const keepsJournal = [...isolated, 'sh', '-c', `mount -t tmpfs none /run && mount -t tmpfs none /var/log && mkdir -p /run/systemd/journal /run/log/journal || exit 1
setpriv --pdeathsig KILL ${journald} >&2 & while kill -0 $! && [ ! -S /run/systemd/journal/socket ]; do sleep 0.05; done; [ -S /run/systemd/journal/socket ] || exit 1; echo ready; exec cat`];
const noJournal = !fs.existsSync(journald) ? 'systemd-journald is not installed'
  : spawnSync(keepsJournal[0], keepsJournal.slice(1), { input: '', timeout: 20_000 }).status === 0 ? undefined : 'no journal can be kept in a namespace of its own here';
async function withJournal(world) {
  const holder = world.start(keepsJournal[0], keepsJournal.slice(1));
  await until(() => holder.out.includes('ready'), 'the journal');
  return ['nsenter', '-t', String(holder.pid), ...(process.getuid() === 0 ? [] : ['-U', '--preserve-credentials']), '-m'];
}
const places = async (gate) => (await gate.send('GET', '/api/record', { as: gate.ann })).json;
const headArrived = (gate, to) => until(async () => {
  const { anchored, last } = await places(gate);
  return anchored.some((place) => place.to === to && place.number === last && place.why === undefined);
}, `a head in the ${to}`);

// A file that its own file system lets nobody rewrite, as root makes one.
function appendOnly(file) {
  fs.writeFileSync(file, '');
  return spawnSync('chattr', ['+a', file]).status === 0;
}
const noAppendOnly = (() => {
  const file = `/var/tmp/tollgate-append-only.${process.pid}`;
  try {
    return appendOnly(file) ? undefined : 'no file can be made append-only here (`chattr +a` as root)';
  } finally {
    spawnSync('chattr', ['-a', file]);
    fs.rmSync(file, { force: true });
  }
})();
const refused = (act) => { try { act(); return 'done'; } catch (error) { return error.code; } };

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
      const here = await verify(gate);
      // Heads from before they said where their store lies.
      fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(/,"place":"[0-9a-f]+"/g, ''));
      const { store, holds, notes } = await verify(gate);
      const told = notes.filter((note) => note.includes(`${gone.store}, up to row ${gone.last} `));
      const shown = (await bare(gate, ['log', 'verify', '--config', gate.world.policy])).out;
      return [here.faults, here.notes.some((note) => note.includes(gone.store)), store !== gone.store, holds, told.length, /^OTHER STORE /m.test(shown), notes.some((note) => note.includes(store))].map((each) => (Array.isArray(each) ? each.map((fault) => fault === `replaced 1-${gone.last}`) : each));
    },
    want: [[true], false, true, true, 1, true, false] },
  { name: 'heads in the journal attest; an end that was cut, and a store in the place of another, show by them', skip: noJournal,
    act: async (stage) => {
      const world = stage.world({ policy: anchored('').replace('journal: false, file: ,', 'journal: true,') });
      const gate = stage.last = await Daemon.start(world, { under: await withJournal(world) });
      const session = await gate.session();
      await gate.verdict(session, 'make one');
      await gate.verdict(session, 'make two');
      await headArrived(gate, 'journal');
      await stop(gate);
      const whole = await verify(gate);
      const told = (await bare(gate, ['log', 'verify', '--config', world.policy])).out;
      sql(gate, `DELETE FROM audit WHERE number > ${whole.last - 2}; UPDATE numbers SET last = ${whole.last - 2} WHERE name = 'audit'`);
      const { faults: cut } = await verify(gate);
      const blind = await verify(gate, ['--no-anchors']);
      for (const end of ['', '-wal', '-shm']) fs.rmSync(`${db(gate)}${end}`, { force: true });
      await gate.run();
      await gate.makePeople();
      await headArrived(gate, 'journal');
      const other = await verify(gate);
      return [whole.holds, whole.attested === whole.last, whole.attestedBy.from, whole.notes, new RegExp(`attested    rows 1 to ${whole.last}, by a head in the journal of `).test(told),
        cut.map((fault) => fault.split(' ')[0]), blind.holds, other.faults.map((fault) => fault === `replaced 1-${whole.last}`), other.attested > 0, (await verify(gate, ['--no-anchors'])).holds];
    },
    want: [true, true, 'the journal', [], true, ['end'], true, [true], true, true] },
  { name: 'heads in an append-only file attest, and nobody rewrites it', skip: noAppendOnly,
    act: async (stage) => {
      const world = stage.world();
      const file = `${world.dir}/heads`;
      appendOnly(file);
      try {
        const gate = await stage.fresh({ policy: anchored(file) });
        await gate.verdict(await gate.session(), 'make one');
        await headArrived(gate, 'file');
        await stop(gate);
        const { holds, attested, last, notes } = await verify(gate);
        return [holds, attested === last, notes, refused(() => fs.writeFileSync(file, '')), refused(() => fs.unlinkSync(file)), refused(() => fs.renameSync(file, `${file}.old`)), gate.process.err.includes('attests nothing')];
      } finally {
        spawnSync('chattr', ['-a', file]);
      }
    },
    want: [true, true, [], 'EPERM', 'EPERM', 'EPERM', false] },
  { name: 'a file of another owner attests nothing while it is not append-only', skip: process.getuid() === 0 ? undefined : 'only root can give a file away',
    act: async (stage) => {
      const world = stage.world();
      const file = `${world.dir}/heads`;
      fs.writeFileSync(file, '', { mode: 0o666 });
      fs.chownSync(file, 65534, 65534);
      const gate = await stage.fresh({ policy: anchored(file) });
      await headArrived(gate, 'file');
      const { anchored: [place] } = await places(gate);
      return [/whoever may append to it may also rewrite it/.test(place.weak), (await verify(gate)).notes.filter((note) => /chattr \+a/.test(note)).length];
    },
    want: [true, 1] },
  { name: 'what is older than `retention` goes, the chain holds, and an export of the rest does as well',
    act: async (stage) => {
      const { gate, session } = await withCalls(stage);
      // Rows go in whole spans of 256.
      await Promise.all(Array.from({ length: 520 }, (_, i) => gate.verdict(session, `make old-${i}`)));
      await stop(gate);
      gate.world.setPolicy(fs.readFileSync(gate.world.policy, 'utf8').replace('settings: {', 'settings: {retention: 1s, '));
      await until(() => Date.now() - fs.statSync(db(gate)).mtimeMs > 1_100, 'a second');
      await gate.run();
      await until(async () => (await places(gate)).first > 512, 'the removal');
      const { status, holds, removed, first, faults } = await verify(gate);
      const file = `${gate.world.dir}/rest.jsonl`;
      await bare(gate, ['log', 'export', file]);
      const rest = await verify(gate, [file, '--no-anchors']);
      const [row] = await gate.audit('&kind=retention');
      return [status, holds, faults, removed === first - 1, rest.holds, row.record.act, (await gate.audit('&grep=old-0&kind=call')).length];
    },
    want: [0, true, [], true, true, 'removed', 0] },
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
  { name: 'words are found at once, and the index is less than two seconds behind a burst of calls',
    act: async (stage) => {
      const { gate, session } = await withCalls(stage);
      const lags = [];
      for (let burst = 0; burst < 10; ++burst) {
        await Promise.all(Array.from({ length: 40 }, (_, i) => gate.verdict(session, `make needle-${burst}-${i}`)));
        lags.push((await places(gate)).words.lagMs);
      }
      const at_once = (await gate.audit('&kind=call&grep=needle-9-39')).length;
      await until(async () => {
        const { words, last } = await places(gate);
        lags.push(words.lagMs);
        return words.to === last;
      }, 'the index');
      return [at_once, (await gate.audit('&kind=call&grep=edle-9-3')).length, (await gate.audit('&grep=needle-78')).length, lags.filter((lag) => lag >= 2_000), lags.at(-1)];
    },
    want: [1, 11, 0, [], 0] },
  { name: 'each option of the command narrows what it shows',
    act: async (stage) => {
      const { gate, session } = await withCalls(stage);
      await gate.verdict(await gate.session('strict'), 'make deploy now');
      await gate.verdict(session, 'git push --force');
      const shown = async (...words) => (await type(gate, ['log', '--kind', 'call', '--json', ...words])).shown.split('\n').filter(Boolean).map((line) => JSON.parse(line).record.call.input.command);
      const { at } = (await gate.audit('&kind=call'))[2];
      return [
        await shown('--agent', 'strict'), (await shown('--session', session.handle)).length, await shown('--verdict', 'deny'), (await shown('--tool', 'Bash')).length, await shown('--tool', 'Edit'),
        await shown('--rule', 'Bash(make deploy *)'), await shown('--grep', 'ploy n'), await shown('--limit', '1'), (await shown('--since', '1h')).length, await shown('--until', '1h'),
        (await shown('--since', `${at.slice(0, 19)}Z`)).includes('make three'), (await type(gate, ['log', '--since', 'yesterday'])).status,
      ];
    },
    want: [['make deploy now'], 5, ['make deploy now', 'git push --force'], 6, [], ['make deploy now'], ['make deploy now'], ['git push --force'], 6, [], true, 2] },
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
      // It lies above the workspace: where another file is named it would be taken for a project's.
      fs.renameSync(gate.world.policy, `${gate.world.home}/mine.yaml`);
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
