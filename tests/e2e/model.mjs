// A model that makes its tool calls one after another and keeps what it is told of the results.
// It listens on loopback, on a port that is free, and speaks every API that a client may want.
// A client that asks again is answered the same: what it sends decides, not how often it did.
import http from 'node:http';

import { anthropic } from './apis/anthropic.mjs';
import { gemini } from './apis/gemini.mjs';
import { mcp } from './apis/mcp.mjs';
import { openai } from './apis/openai.mjs';

const apis = [anthropic, openai, gemini, mcp];

export class Model {
  results = [];     // what the client said the tools gave
  answered = 0;     // how many calls it said that of
  requests = [];    // method and path of each request, and what MCP call it is

  // Each call is {tool, input}. Whoever offers no tools is asked for nothing.
  static async start(calls) {
    const model = new Model();
    model.calls = calls;
    model.server = http.createServer((request, response) => {
      model.#serve(request, response).catch((error) => {
        model.requests.push(`failed: ${error.message}`);
        response.writeHead(500).end();
      });
    });
    await new Promise((ready) => model.server.listen(0, '127.0.0.1', ready));
    model.url = `http://127.0.0.1:${model.server.address().port}`;
    return model;
  }

  stop() {
    this.server.closeAllConnections();
    return new Promise((closed) => this.server.close(closed));
  }

  async #serve(request, response) {
    const body = await bodyOf(request);
    const path = request.url.split('?')[0];
    const called = body.method === 'tools/call' ? ` ${body.params.name} ${JSON.stringify(body.params.arguments)}` : '';
    this.requests.push(`${request.method} ${path}${called}`);
    let answer = null;
    for (const api of apis) answer ??= api.answer(path, body, this.calls);
    if (answer === null) return sendJson(response, 404, {});
    this.answered = Math.max(this.answered, answer.results.length);
    for (const result of answer.results) if (!this.results.includes(result)) this.results.push(result);
    return answer.events ? sendEvents(response, answer.events) : sendJson(response, answer.status ?? 200, answer.json);
  }
}

async function bodyOf(request) {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  const text = Buffer.concat(pieces).toString();
  return text === '' ? {} : JSON.parse(text);
}

function sendJson(response, status, value) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

function sendEvents(response, events) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const { name, data } of events)
    response.write(`${name ? `event: ${name}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
  response.end();
}
