// MCP over HTTP: a server `s` whose tools do nothing but be called, and a gate that refuses whatever
// Claude Code asks about. The tools call themselves reading, which nobody may trust. What was called stands in the model's list of requests.

const tool = (name) => ({ name, description: name, inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } });
const refusal = JSON.stringify({ behavior: 'deny', message: 'nobody is there to allow it' });

export const mcp = {
  // Null: the path is not of this API.
  answer(path, request) {
    if (!path.startsWith('/mcp/')) return null;
    if (request.method === undefined) return { results: [], status: 405, json: {} };      // no stream
    if (request.id === undefined) return { results: [], status: 202, json: {} };          // a notice
    const result = resultOf(request, path === '/mcp/s');
    return { results: [], json: { jsonrpc: '2.0', id: request.id, result } };
  },
};

function resultOf({ method, params }, isServer) {
  if (method === 'initialize')
    return { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'mock', version: '0' } };
  if (method === 'tools/list') return { tools: (isServer ? ['get', 'del'] : ['approve']).map(tool) };
  if (method === 'tools/call') return { content: [{ type: 'text', text: isServer ? 'done' : refusal }] };
  return {};
}
