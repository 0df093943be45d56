// `tollgate pending --watch`: plain lines, and one prompt where one question is open.
const watch = { words: ['pending', '--watch'], columns: 120, rows: 40 };

export const rows = [
  { name: 'questions are printed as they come; one alone is prompted for, and y allows it',
    act: async (scene) => {
      const gate = await scene.fresh();
      const pane = await scene.pane(gate, watch);
      const { call, id } = await gate.asked(await gate.session(), 'npm ci');
      const text = await pane.shows('⚠ PERMISSION: backend wants to use Bash(npm ci)  [y]once [a]lways [n]o:');
      await pane.type('y');
      await pane.press('Enter');
      await pane.shows('delivered to the agent');
      return [/why +no rule covers/.test(text), (await call.said()).behavior, (await gate.permission(id)).answer.scope];
    },
    want: [true, 'allow', 'once'] },
  { name: 'n denies with the words behind it',
    act: async (scene) => {
      const gate = await scene.fresh();
      const pane = await scene.pane(gate, watch);
      const { call } = await gate.asked(await gate.session(), 'npm ci');
      await pane.shows('[n]o:');
      await pane.type('n use the cache');
      await pane.press('Enter');
      await pane.shows('denied by ann: use the cache');
      return (await call.said()).message.includes('use the cache');
    },
    want: true },
  { name: 'a is remembered for the agent',
    act: async (scene) => {
      const gate = await scene.fresh();
      const session = await gate.session();
      const pane = await scene.pane(gate, watch);
      await gate.asked(session, 'npm ci');
      await pane.shows('[a]lways');
      await pane.type('always');
      await pane.press('Enter');
      await pane.shows('from now on Bash(npm ci)');
      return gate.verdict(await gate.session(), 'npm ci');
    },
    want: 'allow' },
  { name: 'only whole words are answers',
    act: async (scene) => {
      const gate = await scene.fresh();
      const pane = await scene.pane(gate, watch);
      const { id } = await gate.asked(await gate.session(), 'npm ci');
      for (const words of ['yesterday', 'yes, but only here', 'allow', '']) {
        await pane.shows(/\[n\]o:\s*$/);
        await pane.type(words);
        await pane.press('Enter');
        await pane.shows('nothing was answered');
        await pane.tmux('clear-history');
      }
      return (await gate.permission(id)).state;
    },
    want: 'pending' },
  { name: 'with a second question the prompt is taken back, and what is typed answers neither',
    act: async (scene) => {
      const gate = await scene.fresh();
      const session = await gate.session();
      const pane = await scene.pane(gate, watch);
      const one = await gate.asked(session, 'npm ci');
      await pane.shows('[n]o:');
      const two = await gate.asked(session, 'npm update');
      await pane.shows('Bash  npm update');
      await pane.type('y');
      await pane.press('Enter');
      await pane.shows('nothing was answered');
      return [(await gate.permission(one.id)).state, (await gate.permission(two.id)).state];
    },
    want: ['pending', 'pending'] },
  { name: 'a daemon that comes back is followed again',
    act: async (scene) => {
      const gate = await scene.fresh();
      const session = await gate.session();
      const pane = await scene.pane(gate, watch);
      await gate.asked(session, 'npm ci');
      await pane.shows('[n]o:');
      await gate.stop('SIGKILL');
      await pane.shows('cut off');
      await gate.run();
      await pane.shows('the daemon is there again');
      gate.call(session, 'npm update');
      await pane.shows('Bash  npm update');
      return true;
    },
    want: true },
  { name: 'what an agent writes is shown inert',
    act: async (scene) => {
      const gate = await scene.fresh();
      const pane = await scene.pane(gate, watch);
      await gate.asked(await gate.session(), 'npm ci # \u001b[2J\u001b]0;x\u0007 \u202eevil');
      await pane.shows('[n]o:');
      return /\u001b\[2J|\u001b\]0|\u202e/.test(pane.written());
    },
    want: false },
];
