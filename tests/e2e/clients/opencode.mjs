// opencode: a plugin that asks the hook before a tool and throws unless it hears an allow.

const plugin = (hook) => `
import { spawnSync } from 'node:child_process';

export const Tollgate = async ({ directory }) => ({
  'tool.execute.before': async (input, output) => {
    const payload = JSON.stringify({ ...input, args: output.args, cwd: directory });
    const hook = spawnSync('/bin/sh', ['-c', ${JSON.stringify(hook.command)}],
      { input: payload, encoding: 'utf8', timeout: ${hook.seconds * 1000}, killSignal: 'SIGKILL' });
    let answer = {};
    try {
      answer = JSON.parse(hook.stdout);
    } catch {
      answer = { reason: hook.stderr || 'Tollgate: the hook gave no answer, so the call is blocked' };
    }
    if (hook.status !== 0 || answer.decision !== 'allow') throw new Error(answer.reason ?? 'Tollgate: blocked');
    if (answer.args) Object.assign(output.args, answer.args);
  },
});
`;

export const opencode = {
  name: 'opencode',
  package: 'opencode-linux-x64',
  program: 'opencode-linux-x64/bin/opencode',
  tools: {
    shell: (command) => ({ tool: 'bash', input: { command, description: 'x' } }),
    read: (path) => ({ tool: 'read', input: { filePath: path } }),
    write: (path, content) => ({ tool: 'write', input: { filePath: path, content } }),
    fetch: (url) => ({ tool: 'webfetch', input: { url, format: 'text' } }),
    mcp: (server, tool, input) => ({ tool: `${server}_${tool}`, input }),
  },
  own: '`"bash": "ask"` under `opencode run`',

  register(world, hook) {
    world.write('.config/opencode/plugin/tollgate.js', plugin(hook));
  },

  launch(world, model, { own, native }) {
    const provider = {
      npm: '@ai-sdk/anthropic', name: 'mock', options: { baseURL: `${model.url}/v1`, apiKey: 'none' },
      models: { mock: { name: 'mock', tool_call: true, limit: { context: 100000, output: 8000 } } },
    };
    world.write('.config/opencode/opencode.json', JSON.stringify({
      autoupdate: false, share: 'disabled', snapshot: false, experimental: { continue_loop_on_deny: true },
      model: 'mock/mock', small_model: 'mock/mock', provider: { mock: provider },
      ...(native ? { mcp: { s: { type: 'remote', url: `${model.url}/mcp/s` } } } : { permission: { bash: own ? 'ask' : 'allow' } }),
    }));
    return {
      args: [...(native?.arguments ?? ['run']), '--format', 'json', 'go'],
      env: {
        OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
        OPENCODE_DISABLE_DEFAULT_PLUGINS: '1', ...native?.environment,
      },
    };
  },
};
