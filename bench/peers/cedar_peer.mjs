// Cedar with one policy a rule: permit or forbid an action on a text that is `like` a pattern.
// The policies are parsed once and kept inside the engine, the fastest way its package offers.
import {preparsePolicySet, statefulIsAuthorized} from '@cedar-policy/cedar-wasm/nodejs';

export const name = 'Cedar (wasm)';

const quoted = (text) => JSON.stringify(text);

function policy(rule) {
  const effect = rule.list === 'allow' ? 'permit' : 'forbid';
  const action = /^mcp__[^_]+(_\d+)?$/.test(rule.tool)
    ? `action in Action::${quoted(rule.tool)}` : `action == Action::${quoted(rule.tool)}`;
  const when = rule.pattern === '*' ? '' : ` when { context.text like ${quoted(rule.pattern)} }`;
  return `${effect}(principal, ${action}, resource)${when};`;
}

let sets = 0;

export async function load(rules) {
  const id = `set${++sets}`;
  const answer = preparsePolicySet(id, {staticPolicies: rules.map(policy).join('\n')});
  if (answer.type !== 'success') throw new Error(JSON.stringify(answer.errors.slice(0, 2)));
  const whole = (type, name_) => ({type, id: name_});
  return (call) => {
    const entities = call.server === '' ? [] :
      [{uid: whole('Action', call.tool), attrs: {}, parents: [whole('Action', call.server)]}];
    const result = statefulIsAuthorized({
      principal: whole('Agent', 'default'),
      action: whole('Action', call.tool),
      resource: whole('Workspace', 'shop'),
      context: {text: call.text},
      preparsedPolicySetId: id,
      entities,
    });
    if (result.type !== 'success') throw new Error(JSON.stringify(result.errors.slice(0, 2)));
    return result.response.decision;
  };
}
