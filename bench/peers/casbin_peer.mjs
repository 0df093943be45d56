// casbin with one policy line a rule and a matcher of its own: an equal tool, a pattern that fits.
// The patterns are compiled once; the engine itself asks every line.
import {newEnforcer, newModelFromString} from 'casbin';

export const name = 'casbin';

const kModel = `
[request_definition]
r = tool, server, text
[policy_definition]
p = tool, pattern, eft
[policy_effect]
e = some(where (p.eft == allow)) && !some(where (p.eft == deny))
[matchers]
m = (r.tool == p.tool || r.server == p.tool) && fits(r.text, p.pattern)
`;

function expression(pattern) {
  const literal = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${literal.join('.*')}$`, 's');
}

export async function load(rules) {
  const enforcer = await newEnforcer(newModelFromString(kModel));
  const compiled = new Map();
  await enforcer.addFunction('fits', (text, pattern) => {
    let known = compiled.get(pattern);
    if (known === undefined) compiled.set(pattern, known = expression(pattern));
    return known.test(text);
  });
  const lines = new Map();
  for (const rule of rules) {
    const line = [rule.tool, rule.pattern, rule.list === 'allow' ? 'allow' : 'deny'];
    lines.set(line.join('\0'), line);
  }
  await enforcer.addPolicies([...lines.values()]);
  return (call) => (enforcer.enforceSync(call.tool, call.server, call.text) ? 'allow' : 'deny');
}
