// Claude Code: a PreToolUse hook in the user's settings.

export const claude = {
  name: 'claude',
  package: '@anthropic-ai/claude-code',
  tools: {
    shell: (command) => ({ tool: 'Bash', input: { command, description: 'x' } }),
    read: (path) => ({ tool: 'Read', input: { file_path: path } }),
    write: (path, content) => ({ tool: 'Write', input: { file_path: path, content } }),
    fetch: (url) => ({ tool: 'WebFetch', input: { url, prompt: 'x' } }),
    mcp: (server, tool, input) => ({ tool: `mcp__${server}__${tool}`, input }),
  },
  own: '`--permission-mode default`, nobody to ask',

  register(world, hook) {
    const entry = { matcher: '*', hooks: [{ type: 'command', command: hook.command, timeout: hook.seconds }] };
    world.write('.claude/settings.json', JSON.stringify({ hooks: { PreToolUse: [entry] } }));
  },

  launch(world, model, { own, native }) {
    return {
      args: ['-p', 'go', '--output-format', 'stream-json', '--verbose', ...(native?.arguments ??
        ['--setting-sources', 'user', '--permission-mode', 'default', ...(own ? [] : ['--allowedTools', 'Bash'])])],
      env: {
        ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'none', DISABLE_TELEMETRY: '1', DISABLE_AUTOUPDATER: '1',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', CLAUDE_CODE_TMPDIR: `${world.dir}/tmp`, TOLLGATE_SESSION: 'gate',
      },
    };
  },
};
