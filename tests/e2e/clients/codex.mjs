// Codex: a PreToolUse hook in config.toml. Codex skips, without a word, a hook whose hash it does
// not find there; the hash is asked of its app server.

const mock = (model) => ['-c', 'model_provider="mock"', '-c', 'model="gpt-5.5-codex"', '-c', 'model_providers.mock.name="mock"',
  '-c', `model_providers.mock.base_url="${model.url}/v1"`, '-c', 'model_providers.mock.wire_api="responses"',
  '-c', 'model_providers.mock.env_key="MOCK_KEY"', '-c', 'analytics.enabled=false'];

const environment = (world) => ({ CODEX_HOME: `${world.home}/.codex`, MOCK_KEY: 'none' });

const patch = (text) => ({ tool: 'apply_patch', input: { command: text }, text });

// A hook that calls the daemon's permission tool.
const tool = ['type = "mcp_tool"', 'server = "gate"', 'tool = "approve"', 'input = { hook_event_name = "${hook_event_name}", ' +
  'tool_name = "${tool_name}", input = "${tool_input}", tool_use_id = "${tool_use_id}", session_id = "${session_id}", cwd = "${cwd}" }'];

export const codex = {
  name: 'codex',
  package: '@openai/codex',
  tools: {
    shell: (command) => ({ tool: 'exec_command', input: { cmd: command } }),
    write: (path, content) => patch(`*** Begin Patch\n*** Add File: ${path}\n+${content}\n*** End Patch\n`),
    mcp: (server, tool, input) => ({ tool, namespace: `mcp__${server}`, input }),
  },
  files: '.codex',   // where what is compiled belongs
  own: '`-s read-only`',

  async register(world, hook, { program }) {
    const config = [
      ...(hook.url ? ['[mcp_servers.gate]', `url = ${JSON.stringify(hook.url)}`] : []),
      '[[hooks.PreToolUse]]', 'matcher = ".*"', '[[hooks.PreToolUse.hooks]]', ...(hook.url ? tool : ['type = "command"',
        `command = ${JSON.stringify(hook.command)}`]), `timeout = ${hook.seconds}`, ''].join('\n');
    world.write('.codex/config.toml', config);
    const { key, currentHash } = await listedHook(world, program);
    world.write('.codex/config.toml',
      `${config}[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = ${JSON.stringify(currentHash)}\n`);
  },

  launch(world, model, { own, native }) {
    return {
      args: ['exec', '--json', '--skip-git-repo-check',
        ...(native ? [...native.arguments, '-c', `mcp_servers.s.url="${model.url}/mcp/s"`]
          : ['-s', own ? 'read-only' : 'danger-full-access']), ...mock(model), 'go'],
      env: environment(world),
    };
  },
};

async function listedHook(world, program) {
  const requests = [
    { id: 1, method: 'initialize', params: { clientInfo: { name: 'test', title: 'test', version: '0' } } },
    { method: 'initialized' },
    { id: 2, method: 'hooks/list', params: { cwds: [world.work] } },
  ];
  const answer = (out) => out.split('\n').slice(0, -1).map((line) => JSON.parse(line)).find((m) => m.id === 2);
  const { out, err } = await world.run(program, ['app-server'], {
    env: world.environment(environment(world)),
    input: requests.map((request) => JSON.stringify(request) + '\n').join(''),
    until: answer,
  });
  const hook = answer(out)?.result?.data?.[0]?.hooks?.[0];
  if (!hook) throw new Error(`codex lists no hook: ${out} ${err}`);
  return hook;
}
