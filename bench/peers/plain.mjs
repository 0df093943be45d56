// Rules and calls brought down to what the peers can say: a tool, and one text against one pattern.
// `*` in a pattern is any run of characters; nothing else in it is special.

const kHome = '/home/me';
const kBase = '/home/me/shop';

export const read_rule = {list: 'allow', tool: 'Read', pattern: `${kBase}/*`};

function path_pattern(text) {
  const place = text.startsWith('//') ? text.slice(1)
    : text.startsWith('~/') ? kHome + text.slice(1)
    : text.startsWith('**/') ? '*/' + text.slice(3)
    : text.startsWith('/') ? kBase + text
    : `${kBase}/${text}`;
  return place.replaceAll('**', '*');
}

function pattern_of(rule) {
  switch (rule.kind) {
    case 'shell': return rule.specifier.replace(/ \*$/, '*').replaceAll('\\', '');
    case 'path': return path_pattern(rule.specifier);
    case 'host': return `https://${rule.specifier.slice('domain:'.length)}/*`;
    case 'url': return rule.specifier;
    case 'arguments':
      return '*' + Object.entries(rule.arguments).map(([name, value]) => `;${name}=${value};`).join('*') + '*';
    default: return '*';
  }
}

export function plain_rule(rule) {
  const tool = rule.whole_server ? `mcp__${rule.tool}` : rule.tool;
  return {list: rule.list, tool, pattern: pattern_of(rule)};
}

export function plain_call(call) {
  const {command, file_path, url} = call.input;
  const text = command ?? file_path ?? url ??
    Object.entries(call.input).map(([name, value]) => `;${name}=${value};`).join('');
  const server = call.tool.startsWith('mcp__') ? call.tool.split('__').slice(0, 2).join('__') : '';
  return {name: call.name, want: call.want, tool: call.tool, server, text};
}
