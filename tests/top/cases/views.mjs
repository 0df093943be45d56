// Sessions and history beside the questions.
import http from 'node:http';

import { until } from '../../daemon/lib/world.mjs';

export const rows = [
  { name: 'sessions are a tree with their state; f freezes one and lets it go on',
    act: async (scene) => {
      const gate = await scene.fresh();
      const parent = await gate.session('backend');
      await gate.session('frontend', { parent: parent.id });
      await gate.asked(parent, 'npm ci');
      const pane = await scene.pane(gate, { secret: gate.operator });
      await pane.press('2');
      const text = await pane.shows('● frontend');
      await pane.press('f');
      await pane.shows('frozen');
      const verdict = (await gate.verdict(parent, 'make all')).split(':')[0];
      await pane.press('f');
      await pane.hides('frozen');
      return [/● backend/.test(text), /^ {3}● frontend/m.test(text), verdict, text.includes(parent.id)];
    },
    want: [true, true, 'deny', false] },
  { name: 'the mode of a session is set, and a session is ended only after a yes',
    act: async (scene) => {
      const gate = await scene.fresh();
      const session = await gate.session('backend');
      const pane = await scene.pane(gate, { secret: gate.operator, columns: 120 });
      await pane.press('2');
      await pane.shows('● backend');
      await pane.press('m');
      await pane.shows('only reads; everything else is denied');
      await pane.press('Down', 'Enter');
      await pane.shows('mode plan');
      const strict = (await gate.verdict(session, 'npm ci')).split(':')[0];
      await pane.press('x');
      await pane.shows('and all below it?');
      await pane.press('Enter');
      await pane.hides('and all below it?');
      const still = (await gate.send('GET', '/api/sessions', { as: gate.ann })).json.sessions.length;
      await pane.press('x');
      await pane.shows('and all below it?');
      await pane.press('Right', 'Enter');
      const over = await pane.shows(/● backend +ended/);
      await pane.press('1');
      await pane.hides('● backend');
      await pane.press('2');
      await pane.shows(/● backend +ended/);
      return [strict, still, /mode plan/.test(over)];
    },
    want: ['deny', 1, true] },
  { name: 'sessions that others open, freeze and end are shown as it happens',
    act: async (scene) => {
      const gate = await scene.fresh();
      const pane = await scene.pane(gate, { columns: 120 });
      await pane.press('2');
      await pane.shows('no agent has a session');
      const { handle } = await gate.session('backend');
      await pane.shows(/● backend +running/);
      await gate.send('POST', '/api/freeze', { as: gate.bob, body: {} });
      await pane.shows(/● backend +frozen/);
      await gate.send('POST', '/api/freeze', { as: gate.bob, body: { frozen: false } });
      await pane.shows(/● backend +running/);
      await gate.send('DELETE', `/api/sessions/${handle}`, { as: gate.operator });
      return /● backend +ended/.test(await pane.shows(/● backend +ended/));
    },
    want: true },
  { name: 'who answers for a session is set, and its next question is settled so',
    act: async (scene) => {
      const gate = await scene.fresh();
      const session = await gate.session('backend');
      const pane = await scene.pane(gate, { secret: gate.operator, columns: 120 });
      await pane.press('2');
      await pane.shows('● backend');
      await pane.press('w');
      await pane.shows('Who answers for the calls of backend');
      await pane.press('Down', 'Down', 'Down', 'Down');
      await pane.shows('(•) no');
      await pane.press('Enter');
      await pane.hides('Who answers for the calls');
      const answer = async () => (await gate.send('GET', '/api/sessions', { as: gate.ann })).json.sessions[0].answer;
      await until(async () => (await answer()) === 'no', 'the answerer');
      return (await gate.verdict(session, 'npm ci')).split(':')[0];
    },
    want: 'deny' },
  { name: 'F freezes everything only after a choice, and lets everything go on',
    act: async (scene) => {
      const gate = await scene.fresh();
      const session = await gate.session('backend');
      const pane = await scene.pane(gate, { secret: gate.operator, columns: 120 });
      const verdict = async () => (await gate.verdict(session, 'make all')).split(':')[0];
      const choose = async (...keys) => {
        await pane.press('F');
        await pane.shows('leave as it is');
        await pane.press(...keys, 'Enter');
        await pane.hides('leave as it is');
      };
      await pane.press('2');
      await pane.shows('● backend');
      await choose();
      const left = await verdict();
      await choose('Right');
      await until(async () => (await verdict()) === 'deny', 'the freeze');
      await choose('Right', 'Right');
      await until(async () => (await verdict()) !== 'deny', 'the end of the freeze');
      return [left, await verdict()];
    },
    want: ['allow', 'allow'] },
  { name: 'an approver who is no operator is told that it is not theirs to change',
    act: async (scene) => {
      const gate = await scene.fresh();
      await gate.session('backend');
      const pane = await scene.pane(gate);
      await pane.press('2');
      await pane.shows('● backend');
      await pane.press('f');
      await pane.shows(/operator/);
      return (await gate.send('GET', '/api/sessions', { as: gate.ann })).json.sessions[0].frozen;
    },
    want: false },
  { name: 'the history is searched, filtered, explained and judged again',
    act: async (scene) => {
      const gate = await scene.fresh();
      const session = await gate.session();
      await gate.verdict(session, 'make first');
      await gate.verdict(session, 'git push --force');
      const pane = await scene.pane(gate);
      await pane.press('3');
      await pane.shows('make first');
      await pane.press('v');
      await pane.hides('make first');
      const denied = await pane.text();
      await pane.press('Enter');
      await pane.shows('one row of the record');
      const row = await pane.shows('git push --force');
      await pane.press('r');
      await pane.shows('today\'s policy says the same');
      await pane.press('Escape');
      await pane.shows('newest first');
      await pane.press('v', 'v', 'v', '/');
      await pane.shows('Search the record');
      await pane.type('make');
      await pane.press('Enter');
      const found = await pane.hides('git push');
      return [/deny +backend +git push --force/.test(denied), row.includes('one row of the record'), found.includes('make first')];
    },
    want: [true, true, true] },
  { name: 'the history says up to which row it is attested',
    act: async (scene) => {
      const keeper = http.createServer((request, response) => request.resume().on('end', () => response.end('ok')));
      await new Promise((done) => keeper.listen(0, '127.0.0.1', done));
      const out = [];
      try {
        const kept = `{journal: false, notify: keep, every: 1s}}\nnotify: [{name: keep, type: webhook, url: "http://127.0.0.1:${keeper.address().port}/", secret: s3cret, rules: [breaker]}]`;
        for (const anchor of ['{journal: false}}', kept]) {
          const gate = await scene.fresh({ policy: `version: 1\nsettings: {anchor: ${anchor}\nagents: {backend: {}}\n` });
          await gate.session();
          await until(async () => { const { anchored, last } = (await gate.send('GET', '/api/record', { as: gate.ann })).json; return anchor !== kept || anchored.some(({ number }) => number === last); }, 'a head');
          const pane = await scene.pane(gate, { columns: 100 });
          await pane.shows('nothing is open');
          await pane.press('3');
          out.push(/no row is attested|attested to row \d+/.exec(await pane.shows(/attested/))?.[0].replace(/\d+/, 'N'));
        }
      } finally {
        keeper.close();
      }
      return out;
    },
    want: ['no row is attested', 'attested to row N'] },
  { name: 'the history goes by the clock of whoever reads it',
    act: async (scene) => {
      const gate = await scene.fresh();
      await gate.verdict(await gate.session(), 'make first');
      const { at } = (await gate.audit('&kind=call')).at(-1);
      const out = [];
      for (const [TZ, hours, zone] of [['UTC', 0, 'UTC'], ['XST-5:30', 5.5, 'XST'], ['<-09>9', -9, '-09']]) {
        const local = new Date(Date.parse(at) + hours * 3_600_000).toISOString();
        const pane = await scene.pane(gate, { env: { TZ } });
        await pane.shows('nothing is open');
        await pane.press('3');
        const list = await pane.shows('make first');
        await pane.press('/');
        await pane.shows('Search the record');
        await pane.type('make');
        await pane.press('Enter');
        await pane.shows('/make');
        await pane.press('Enter');
        const row = await pane.shows('one row of the record');
        out.push([list.includes(`newest first, times in ${zone}`), list.includes(`${local.slice(5, 10)} ${local.slice(11, 19)}`), row.includes(`${local.slice(0, 10)} ${local.slice(11, 19)} ${zone} (${at})`)]);
      }
      return out;
    },
    want: Array(3).fill([true, true, true]) },
  { name: 'the keys are listed, and the next key only closes the list',
    act: async (scene) => {
      const gate = await scene.fresh();
      const { id } = await gate.asked(await gate.session(), 'npm ci');
      const pane = await scene.pane(gate);
      await pane.shows('[y] once');
      await pane.press('?');
      await pane.shows('allow this call, once');
      await pane.press('y');
      await pane.shows('[y] once');
      return (await gate.permission(id)).state;
    },
    want: 'pending' },
];
