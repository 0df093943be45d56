// The Responses API and Chat Completions: one tool call after another, then the end.

export const openai = {
  // Null: the path is not of this API.
  answer(path, request, calls) {
    if (path.endsWith('/models'))
      return { results: [], json: { object: 'list', data: [{ id: 'mock', object: 'model' }], models: [] } };
    if (path.endsWith('/responses')) return responses(request, calls);
    if (path.endsWith('/chat/completions')) return chat(request, calls);
    return null;
  },
};

function responses(request, calls) {
  const items = Array.isArray(request.input) ? request.input : [];
  const results = items.filter((i) => /^(function|custom_tool)_call_output$/.test(i.type)).map((i) => textOf(i.output));
  const call = request.tools?.length > 0 ? calls[results.length] : undefined;
  const item = call
    ? callItem(call, results.length + 1)
    : { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed',
        content: [{ type: 'output_text', text: 'done', annotations: [] }] };
  const response = {
    id: `resp_${results.length + 1}`, object: 'response', created_at: 0, status: 'completed', model: request.model, output: [item],
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

// A tool that takes a text as it stands has one of another type.
function callItem({ tool, input, text, namespace }, number) {
  const named = { id: `fc_${number}`, call_id: `call_${number}`, name: tool, status: 'completed' };
  return text === undefined
    ? { ...named, type: 'function_call', ...(namespace ? { namespace } : {}), arguments: JSON.stringify(input) }
    : { ...named, type: 'custom_tool_call', input: text };
}

function chat(request, calls) {
  const results = request.messages.filter((m) => m.role === 'tool').map((m) => textOf(m.content));
  const call = request.tools?.length > 0 ? calls[results.length] : undefined;
  const message = call
    ? { role: 'assistant', content: null, tool_calls: [{ index: 0, id: `call_${results.length + 1}`, type: 'function',
        function: { name: call.tool, arguments: JSON.stringify(call.input) } }] }
    : { role: 'assistant', content: 'done' };
  const head = { id: `chatcmpl_${results.length + 1}`, created: 0, model: request.model };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const finish_reason = call ? 'tool_calls' : 'stop';
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
