// The Responses API and Chat Completions: one tool call, then the end.

export const openai = {
  // Null: the path is not of this API.
  answer(path, request, call) {
    if (path.endsWith('/models'))
      return { results: [], json: { object: 'list', data: [{ id: 'mock', object: 'model' }], models: [] } };
    if (path.endsWith('/responses')) return responses(request, call);
    if (path.endsWith('/chat/completions')) return chat(request, call);
    return null;
  },
};

function responses(request, call) {
  const items = Array.isArray(request.input) ? request.input : [];
  const results = items.filter((i) => i.type === 'function_call_output').map((i) => textOf(i.output));
  const offered = (request.tools ?? []).some((tool) => tool.name === call.tool);
  const item = offered && results.length === 0
    ? { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: call.tool,
        arguments: JSON.stringify(call.input), status: 'completed' }
    : { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed',
        content: [{ type: 'output_text', text: 'done', annotations: [] }] };
  const response = {
    id: 'resp_1', object: 'response', created_at: 0, status: 'completed', model: request.model, output: [item],
    usage: { input_tokens: 1, input_tokens_details: { cached_tokens: 0 }, output_tokens: 1,
             output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 2 },
  };
  if (!request.stream) return { results, json: response };
  const events = [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [], usage: null } },
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response },
  ];
  return { results, events: events.map((data) => ({ name: data.type, data })) };
}

function chat(request, call) {
  const results = request.messages.filter((m) => m.role === 'tool').map((m) => textOf(m.content));
  const offered = (request.tools ?? []).some((tool) => tool.function?.name === call.tool);
  const calls = offered && results.length === 0;
  const message = calls
    ? { role: 'assistant', content: null, tool_calls: [{ index: 0, id: 'call_1', type: 'function',
        function: { name: call.tool, arguments: JSON.stringify(call.input) } }] }
    : { role: 'assistant', content: 'done' };
  const head = { id: 'chatcmpl_1', created: 0, model: request.model };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const finish_reason = calls ? 'tool_calls' : 'stop';
  if (!request.stream)
    return { results, json: { ...head, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], usage } };
  const chunk = { ...head, object: 'chat.completion.chunk' };
  return { results, events: [
    { data: { ...chunk, choices: [{ index: 0, delta: message, finish_reason: null }] } },
    { data: { ...chunk, choices: [{ index: 0, delta: {}, finish_reason }], usage } },
    { data: '[DONE]' },
  ] };
}

function textOf(output) {
  return typeof output === 'string' ? output : (output ?? []).map((part) => part.text ?? '').join('\n');
}
