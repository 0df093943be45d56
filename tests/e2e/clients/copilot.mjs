// Copilot CLI: a preToolUse hook in a file of its own. It runs offline, with a model of ours.

export const copilot = {
  name: 'copilot',
  package: '@github/copilot',
  tools: {
    shell: (command) => ({ tool: 'bash', input: { command, description: 'x' } }),
    read: (path) => ({ tool: 'view', input: { path } }),
    write: (path, content) => ({ tool: 'create', input: { path, file_text: content } }),
    fetch: (url) => ({ tool: 'web_fetch', input: { url } }),
    mcp: (server, tool, input) => ({ tool: `${server}-${tool}`, input }),
  },
  own: 'no `--allow-all-tools`',

  register(world, hook) {
    const entry = { type: 'command', bash: hook.command, timeoutSec: hook.seconds };
    world.write('.copilot/hooks/tollgate.json', JSON.stringify({ version: 1, hooks: { preToolUse: [entry] } }));
  },

  launch(world, model, { own, native }) {
    if (native)
      world.write('.copilot/mcp-config.json', JSON.stringify({ mcpServers: { s: { type: 'http', url: `${model.url}/mcp/s`, tools: ['*'] } } }));
    return {
      args: ['--output-format', 'json', ...(native?.arguments ?? (own ? [] : ['--allow-all-tools'])), '-p', 'go'],
      env: {
        COPILOT_HOME: `${world.home}/.copilot`, COPILOT_OFFLINE: 'true', COPILOT_AUTO_UPDATE: 'false',
        COPILOT_PROVIDER_BASE_URL: `${model.url}/v1`, COPILOT_PROVIDER_API_KEY: 'none', COPILOT_MODEL: 'gpt-5',
        COPILOT_PROVIDER_WIRE_API: 'completions',
      },
    };
  },
};
