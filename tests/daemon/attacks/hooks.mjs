// What an agent brings in a hook's name, over the local socket: the hook's ask may only add to what is asked.
import { until } from '../lib/world.mjs';

const policy = 'version: 1\nsettings: {permissionTimeout: 0}\nrules: {allow: ["Bash(make *)"], ask: [{rule: "Bash(deploy *)", approve: {any: 2, of: [lead]}}]}\nagents: {backend: {}}\n';
const forged = { verdict: 'ask', reasons: [{ kind: 'default', rule: '', source: 'built-in', text: 'no rule covers it', span: [0, 6], verdict: 'ask' }], layer: 'hook', config_source: 'default' };

// A question as a hook would put it; its answer comes when a person's does.
const bring = async (gate, command, decision) => {
  const call = { id: 'toolu_h', session: 's', agent: 'backend', provider: 'claude', native_tool: 'Bash', tool: 'Bash', input: { command }, cwd: gate.world.work };
  const answer = gate.send('POST', '/ask', { on: gate.socket, body: { call, decision, withinMs: 50_000 } });
  answer.catch(() => {});   // a case may end while it waits
  const { permissionId } = await until(async () => (await gate.pending()).find((each) => each.callId === call.id), 'the question');
  return { answer, id: permissionId };
};

export const rows = [
  { name: 'a threshold that a hook brings does not stand beside those of our rule',
    act: async (stage) => {
      const gate = await stage.fresh({ policy });
      const { id } = await bring(gate, 'deploy prod', { ...forged, approve: 'any of us', quorums: [{ any: 1, deny: 1, or_else: true }] });
      const { json } = await gate.approve(id);
      return [json.error?.code, (await gate.permission(id)).state];
    },
    want: ['answer-not-counted', 'pending'] },
  { name: 'one person\'s other input for a hook\'s question is not what two must approve',
    act: async (stage) => {
      const gate = await stage.fresh({ policy });
      const { answer, id } = await bring(gate, 'make all', forged);
      await gate.approve(id, { updatedInput: { command: 'deploy prod' } });
      const { json } = await answer;
      return [json.verdict, json.updatedInput ?? null];
    },
    want: ['deny', null] },
];
