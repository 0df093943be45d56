// What `./dev run` starts: examples/show with the sample agents.
import { spawn } from 'node:child_process';
import fs from 'node:fs';

import { parsed, send } from '../../daemon/lib/http.mjs';
import { until, within } from '../../daemon/lib/world.mjs';

const kinds = ['Bash', 'Edit', 'Write', 'mcp__github__merge_pull_request', 'AskUserQuestion'];

// At a terminal where `terminal` says so, else without one.
function show(scene, words) {
  const world = scene.world();
  return world.start(`${scene.root}/examples/show`, ['--bin', scene.bin, ...words]);
}
const places = () => fs.readdirSync('/var/tmp').filter((name) => name.startsWith('tollgate-run.'));

export const rows = [
  { name: 'without anybody to wait for, it puts every question, says what to try, and takes everything away',
    act: async (scene) => {
      const before = places();
      const child = show(scene, ['--no-wait']);
      const { status } = await within(child.ended, 'the end of examples/show');
      return [status, /7 questions are open/.test(child.out), /the page +http:\/\/127\.0\.0\.1:\d+\/login\/tgl_/.test(child.out), /tollgate top --data/.test(child.out), /tollgate pending --watch/.test(child.out),
        places().filter((name) => !before.includes(name))];
    },
    want: [0, true, true, true, true, []] },
  { name: 'at a terminal it stays: its questions are of every kind, the agents get the answers, Ctrl-C ends all of it',
    act: async (scene) => {
      const world = scene.world();
      const before = places();
      const child = spawn('script', ['-qec', `'${scene.root}/examples/show' --bin '${scene.bin}'`, '/dev/null'], { cwd: world.work, env: world.environment(), stdio: ['pipe', 'pipe', 'pipe'] });
      world.children.add(child);
      let out = '';
      child.stdout.on('data', (piece) => { out += piece; });
      child.ended = new Promise((done) => child.on('exit', (status) => done({ status })));
      await until(() => out.includes('Ctrl-C ends it'), 'the gate');
      const port = Number(/127\.0\.0\.1:(\d+)/.exec(out)[1]);
      const as = { Authorization: `Bearer ${/tga_[0-9a-f]+/.exec(out)[0]}` };
      const list = (await send(port, { path: '/api/permissions', headers: as })).json.permissions;
      const edit = list.find((each) => each.toolName === 'Edit');
      const answered = await send(port, { method: 'POST', path: `/api/permissions/${edit.permissionId}/approve`, headers: as, body: {} });
      await until(() => /agent +edit +\{"behavior":"allow"/.test(out), 'what the agent is told');
      child.stdin.write('\u0003');
      await within(child.ended, 'the end of examples/show');
      return [[...new Set(list.map((each) => each.toolName))].sort(), list.some((each) => each.breaker), list.some((each) => each.type === 'escalation'), list.some((each) => each.chain.length === 2),
        answered.status, parsed(JSON.stringify(places().filter((name) => !before.includes(name))))];
    },
    want: [[...kinds].sort(), true, true, true, 200, []] },
];
