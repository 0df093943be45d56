// Gemini CLI: a BeforeTool hook in the user's settings; its timer counts milliseconds.

const settings = {
  security: { auth: { selectedType: 'gemini-api-key' } }, privacy: { usageStatisticsEnabled: false },
  general: { enableAutoUpdate: false },
};

export const gemini = {
  name: 'gemini',
  package: '@google/gemini-cli',
  tools: {
    shell: (command) => ({ tool: 'run_shell_command', input: { command, description: 'x' } }),
    read: (path) => ({ tool: 'read_file', input: { file_path: path } }),
    write: (path, content) => ({ tool: 'write_file', input: { file_path: path, content } }),
    fetch: (url) => ({ tool: 'web_fetch', input: { prompt: `get ${url}` } }),
    mcp: (server, tool, input) => ({ tool: `mcp_${server}_${tool}`, input }),
  },
  own: 'headless, no `--approval-mode`',

  register(world, hook) {
    const entry = { matcher: '*', hooks: [{ type: 'command', command: hook.command, timeout: hook.seconds * 1000 }] };
    world.write('.gemini/settings.json', JSON.stringify({ ...settings, hooks: { BeforeTool: [entry] } }));
  },

  // What a person would have there before the hook is installed.
  settle(world) {
    world.write('.gemini/settings.json', JSON.stringify(settings, null, 2));
  },

  launch(world, model, { own, native }) {
    if (native)
      world.write('.gemini/settings.json', JSON.stringify({ ...settings, mcpServers: { s: { httpUrl: `${model.url}/mcp/s` } } }));
    return {
      args: ['-m', 'gemini-2.5-flash', '--skip-trust', '-o', 'stream-json', 
        ...(native?.arguments ?? (own ? [] : ['--approval-mode', 'yolo'])), '-p', 'go'],
      env: { GEMINI_CLI_HOME: world.home, GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: model.url, GEMINI_CLI_NO_RELAUNCH: 'true' },
    };
  },
};
