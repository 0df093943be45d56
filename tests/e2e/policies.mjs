// Random policies, and random calls that fit them: mostly harmless ones whose effect can be seen.
// Both come from a seed alone, so that a number brings a case back.
import { execFileSync } from 'node:child_process';

export const callsEach = 10;

// Mulberry32.
export class Random {
  constructor(seed) { this.state = seed >>> 0; }
  below(limit) {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % limit;
  }
  pick(list) { return list[this.below(list.length)]; }
  oneIn(n) { return this.below(n) === 0; }
}

// What is shown by a file that is there afterwards; N is the number of the call.
const makers = ['touch fN', 'touch fN && echo y', 'touch src/gN && touch fN', 'make fN', 'make fN', 'npm run sN', 'npm run sN',
  'make x && touch fN', 'echo x > fN', 'make x > fN', 'mkdir fN', 'cp notes/nN.txt fN', 'env touch fN', 'sh -c "touch fN"',
  'touch $(echo fN)', 'npm run x && touch fN'];
// … or by the text of a file, which the model is told.
const viewers = ['cat notes/nN.txt', 'cat secrets/nN.txt', 'head -n 1 notes/nN.txt', 'cat notes/*N.txt'];
const places = ['notes', 'secrets', 'src', '.hidden'];
const marker = (number) => `marker-${(number + 7) * 7919}`;

const shellRules = ['touch *', 'make *', 'make *', 'npm run *', 'npm run *', 'cat *', 'mkdir *', 'cp *', 'env *', 'sh *', 'touch f1', 'make x'];
const pathRules = ['notes/**', 'src/**', 'secrets/**', '**/n3.txt', '*.txt', 'SECRETS/**', './f2'];
const otherRules = ['mcp__s__get', 'mcp__s__get', 'mcp__s__get', 'mcp__s__del', 'mcp__s', 'mcp__s__get(n=*)', 'WebFetch', 'WebFetch(domain:127.0.0.1)', 'Read',
  'Edit', 'Bash'];

// The files that calls are about.
export function fillWorkspace(world, random) {
  const write = (name, text) => world.write(`${world.work}/${name}`, text);
  for (let n = 0; n < callsEach; ++n)
    for (const place of places) write(`${place}/n${n}.txt`, `${marker(n)}\n`);
  const scripts = Object.fromEntries(Array.from({ length: callsEach }, (_, n) => [`s${n}`, `touch f${n}`]));
  scripts.x = 'true';
  write('package.json', JSON.stringify({ name: 'work', version: '0.0.0', scripts }));
  write('Makefile', 'f%:\n\t@touch $@\nx:\n\t@true\n');
  if (random.oneIn(2)) execFileSync('git', ['init', '-q', world.work], { env: world.environment({}) });
}

// Each call as the client's model makes it and as the gate is asked, and how it is seen to have run.
export function randomCalls(random, client, world, model) {
  return Array.from({ length: callsEach }, (_, n) => {
    const kind = random.pick(['make', 'make', 'make', 'view', 'read', 'write', 'mcp', 'mcp', 'fetch']);
    return client.tools[kinds[kind].tool] ? { kind, ...kinds[kind].call({ random, client, world, model, n }) }
      : { kind: 'make', ...kinds.make.call({ random, client, world, model, n }) };
  });
}

const told = (n) => (_, model) => model.results.some((text) => text.includes(marker(n)));
const made = (name) => (world) => world.has(name);

const kinds = {
  make: { tool: 'shell', call: ({ random, client, n }) => shell(client, random.pick(makers), n, made(`f${n}`)) },
  view: { tool: 'shell', call: ({ random, client, n }) => shell(client, random.pick(viewers), n, told(n)) },
  read: { tool: 'read', call: ({ random, client, world, n }) =>
    judged(client, client.tools.read(`${world.work}/${random.pick(places)}/n${n}.txt`), told(n)) },
  write: { tool: 'write', call: ({ random, client, world, n }) => {
    const name = `${random.pick(places)}/w${n}.txt`;
    return judged(client, client.tools.write(`${world.work}/${name}`, 'x'), made(name));
  } },
  mcp: { tool: 'mcp', call: ({ random, client, n }) => {
    const tool = random.pick(['get', 'get', 'del']);
    return { native: client.tools.mcp('s', tool, { n }), judged: { tool: `mcp__s__${tool}`, input: { n } },
      ran: (_, model) => model.requests.includes(`POST /mcp/s ${tool} {"n":${n}}`) };
  } },
  fetch: { tool: 'fetch', call: ({ client, model, n }) =>
    judged(client, client.tools.fetch(`${model.url}/page/${n}`), () => model.requests.includes(`GET /page/${n}`)) },
};

function shell(client, pattern, n, ran) {
  const command = pattern.replaceAll('N', n);
  return { ...judged(client, client.tools.shell(command), ran), command };
}

function judged(client, native, ran) {
  return { native, judged: { tool: native.tool, input: native.input, provider: client.name }, ran };
}

// A policy as people write it. Rules with a whole command are about commands that will be run.
export function randomPolicy(random, calls, world, model) {
  const plain = calls.filter((call) => /^[a-z0-9 ./]+$/.test(call.command ?? '-')).map((call) => call.command);
  const rule = () => {
    switch (random.below(6)) {
      case 0: case 1: return `Bash(${random.pick(shellRules)})`;
      case 2: return `Bash(${random.pick(plain.length > 0 ? plain : shellRules)})`;
      case 3: return `${random.pick(['Read', 'Edit'])}(${random.pick(pathRules)})`;
      default: return random.pick(otherRules);
    }
  };
  const rules = (most) => Array.from({ length: random.below(most + 1) }, rule);
  const agent = {
    path: world.work, role: random.pick(['developer', 'developer', 'developer', 'developer', 'reviewer']),
    mcpServers: { s: { type: 'http', url: `${model.url}/mcp/s` } },
    rules: { allow: [...rules(4), rule(), rule(), random.oneIn(2) ? 'mcp__s__get' : rule()], ask: rules(1), deny: rules(2) },
  };
  if (random.oneIn(4)) agent.mode = random.pick(['plan', 'dontAsk', 'acceptEdits', 'autonomous']);
  if (random.oneIn(4)) agent.allowedTools = ['execute_bash', 'fs_read', '@s', ...(random.oneIn(2) ? ['fs_*', 'web_fetch'] : [])];
  if (agent.allowedTools) delete agent.role;
  return { version: 1, settings: { httpPort: Number(new URL(model.url).port) }, agents: { tested: agent } };
}
