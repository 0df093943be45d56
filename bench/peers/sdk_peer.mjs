// The official TypeScript SDK as a permission server that allows everything: stateless, a server and a
// transport for each request, as its own examples have it. Prints its address.
import http from 'node:http';

import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

function makeServer() {
  const server = new McpServer({ name: 'peer', version: '1.0.0' });
  server.registerTool('approve', { inputSchema: { tool_name: z.string(), input: z.any(), tool_use_id: z.string().optional() } },
    ({ input }) => ({ content: [{ type: 'text', text: JSON.stringify({ behavior: 'allow', updatedInput: input }) }] }));
  return server;
}

const listener = http.createServer(async (request, response) => {
  let body = '';
  for await (const piece of request) body += piece;
  const server = makeServer();
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: true });
  response.on('close', () => { transport.close(); server.close(); });
  await server.connect(transport);
  await transport.handleRequest(request, response, JSON.parse(body));
});
listener.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${listener.address().port}/mcp`));
