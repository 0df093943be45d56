// What happens to the line, and to the dashboard itself.
import { until } from '../../daemon/lib/world.mjs';

const ready = '[y] once';

export const rows = [
  { name: 'a daemon that is killed is shown as cut off, nothing can be answered, and it goes on after the start',
    act: async (scene) => {
      const gate = await scene.fresh();
      const session = await gate.session();
      const { id } = await gate.asked(session, 'npm ci');
      const pane = await scene.pane(gate);
      await pane.shows(ready);
      await gate.stop('SIGKILL');
      await pane.shows('cut off');
      await pane.press('y');
      await pane.shows('the daemon is not there: nothing can be answered');
      await gate.run();
      await pane.shows('● live');
      const state = (await gate.permission(id)).state;
      const again = gate.call(session, 'npm ci', { use: 'toolu_1' });
      await pane.shows(ready);
      await pane.press('y');
      await pane.shows('delivered to the agent');
      return [state, (await again.said()).behavior, (await gate.permission(id)).state];
    },
    want: ['pending', 'allow', 'approved'] },
  { name: 'what ended and what came while it was cut off is shown once it is back',
    act: async (scene) => {
      const gate = await scene.fresh();
      const session = await gate.session();
      const one = await gate.asked(session, 'npm ci');
      const pane = await scene.pane(gate);
      await pane.shows(ready);
      // The dashboard is stopped, so that it hears nothing of what happens meanwhile.
      const pid = Number((await pane.tmux('display', '-p', '#{pane_pid}')).trim());
      process.kill(pid, 'SIGSTOP');
      await gate.deny(one.id, { reason: 'not today' });
      const two = await gate.asked(session, 'npm update');
      await gate.stop('SIGKILL');
      await gate.run();
      process.kill(pid, 'SIGCONT');
      await pane.shows(/✘ denied by ann|npm update/);
      const text = await pane.shows('1 questions 1');
      return [text.includes('npm update'), (await gate.permission(two.id)).state];
    },
    want: [true, 'pending'] },
  { name: 'q and Ctrl-C leave, the terminal is as it was, and questions stay open',
    act: async (scene) => {
      const gate = await scene.fresh();
      const { id } = await gate.asked(await gate.session(), 'npm ci');
      const first = await scene.pane(gate), second = await scene.pane(gate);
      await first.shows(ready);
      await second.shows(ready);
      await first.press('q');
      await second.press('C-c');
      const statuses = [await first.status(), await second.status()];
      return [statuses, (await first.text()).includes('PERMISSION'), (await gate.permission(id)).state];
    },
    want: [['0', '0'], false, 'pending'] },
  { name: 'a credential that is wrong is said before the screen is taken, and none is ever shown',
    act: async (scene) => {
      const gate = await scene.fresh();
      const wrong = await scene.pane(gate, { secret: 'tga_0123456789abcdef' });
      const status = await wrong.status();
      const right = await scene.pane(gate);
      await right.shows('nothing is open');
      return [status, /bad-credential/.test(await wrong.text()), right.written().includes(gate.ann)];
    },
    want: ['1', true, false] },
  { name: 'a login link serves as well, also for the live line',
    act: async (scene) => {
      const gate = await scene.fresh();
      const link = (await gate.send('POST', '/api/links', { as: gate.bob })).json.login;
      const pane = await scene.pane(gate, { secret: link, columns: 160 });
      await pane.shows('● live');
      const { id } = await gate.asked(await gate.session(), 'npm ci');
      await pane.shows(ready);
      await pane.press('y');
      await pane.shows('delivered');
      return (await gate.permission(id)).answer.by;
    },
    want: 'bob' },
  { name: 'a credential that was revoked is told, and answers nothing',
    act: async (scene) => {
      const gate = await scene.fresh();
      const { id } = await gate.asked(await gate.session(), 'npm ci');
      const pane = await scene.pane(gate, { secret: gate.bob });
      await pane.shows(ready);
      await gate.send('DELETE', '/api/approvers/bob', { as: gate.operator });
      await pane.shows('cut off');
      await pane.press('y');
      await until(async () => (await pane.text()).includes('nothing can be answered'), 'the refusal');
      return (await gate.permission(id)).state;
    },
    want: 'pending' },
  { name: 'without a terminal, or with one of an unknown kind, it says so',
    act: async (scene) => {
      const gate = await scene.fresh();
      const { world } = gate;
      const none = await world.run(`${world.bin}/tollgate`, ['top', '--data', world.data]);
      const strange = await scene.pane(gate, { env: { TERM: 'no-such-terminal' } });
      return [none.status, /no-terminal/.test(none.err), await strange.status(), /no-terminal/.test(await strange.text())];
    },
    want: [1, true, '1', true] },
];
