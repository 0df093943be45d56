// Claude Code: a PreToolUse hook in the user's settings, or a permission-prompt tool of the daemon.

export const claude = {
  name: 'claude',
  package: '@anthropic-ai/claude-code',
  tools: {
    shell: (command) => ({ tool: 'Bash', input: { command, description: 'x' } }),
    read: (path) => ({ tool: 'Read', input: { file_path: path } }),
    write: (path, content) => ({ tool: 'Write', input: { file_path: path, content } }),
    fetch: (url) => ({ tool: 'WebFetch', input: { url, prompt: 'x' } }),
    mcp: (server, tool, input) => ({ tool: `mcp__${server}__${tool}`, input }),
    // `calls` are made by the sub-agent, which is known by what it is told.
    agent: (prompt, calls) => ({ tool: 'Task', input: { description: 'x', prompt, subagent_type: 'general-purpose' }, prompt, calls }),
    form: (questions) => ({ tool: 'AskUserQuestion', input: { questions } }),
    plan: (plan) => ({ tool: 'ExitPlanMode', input: { plan } }),
  },
  own: '`--permission-mode default`, nobody to ask',

  register(world, hook) {
    const entry = { matcher: '*', hooks: [{ type: 'command', command: hook.command, timeout: hook.seconds }] };
    world.write('.claude/settings.json', JSON.stringify({ hooks: { PreToolUse: [entry] } }));
  },

  // The arguments that start it with the plugin in a directory.
  plugin: (directory) => ['--plugin-dir', directory],

  // As docs/daemon.md says it: the id of the session is in a variable and in no argument.
  asking({ server, settings, mode = 'default' }) {
    return ['--setting-sources', '', '--permission-mode', mode, ...(settings ? ['--settings', settings] : []), '--strict-mcp-config',
      '--mcp-config', JSON.stringify({ mcpServers: { gate: server } }), '--permission-prompt-tool', 'mcp__gate__approve'];
  },

  launch(world, model, { own, native, asking }) {
    return {
      args: ['-p', 'go', '--output-format', 'stream-json', '--verbose', ...(native?.arguments ?? asking ??
        ['--setting-sources', 'user', '--permission-mode', 'default', ...(own ? [] : ['--allowedTools', 'Bash'])])],
      env: {
        ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'none', DISABLE_TELEMETRY: '1', DISABLE_AUTOUPDATER: '1',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', CLAUDE_CODE_TMPDIR: `${world.dir}/tmp`, TOLLGATE_SESSION: 'gate',
      },
    };
  },
};
