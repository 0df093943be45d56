// The Messages API: one tool call after another, then the end. A sub-agent has calls of its own.

export const anthropic = {
  // Null: the path is not of this API.
  answer(path, request, calls) {
    if (path.endsWith('/count_tokens')) return { results: [], json: { input_tokens: 1 } };
    if (!path.endsWith('/v1/messages')) return null;
    const blocks = request.messages.flatMap((m) => (Array.isArray(m.content) ? m.content : []));
    const results = blocks.filter((b) => b.type === 'tool_result').map((b) => textOf(b.content));
    const above = calls.findIndex(({ prompt }) => prompt !== undefined && textOf(request.messages[0].content).includes(prompt));
    const own = above < 0 ? calls : calls[above].calls;
    const call = request.tools?.length > 0 ? own[results.length] : undefined;
    const content = call
      ? { type: 'tool_use', id: `toolu_${above < 0 ? '' : `${above + 1}_`}${results.length + 1}`, name: call.tool, input: call.input }
      : { type: 'text', text: 'done' };
    const message = {
      id: `msg_${results.length + 1}`, type: 'message', role: 'assistant', model: request.model, content: [content],
      stop_reason: content.type === 'tool_use' ? 'tool_use' : 'end_turn', stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    };
    return request.stream ? { results, events: events(message) } : { results, json: message };
  },
};

function textOf(content) {
  return typeof content === 'string' ? content : (content ?? []).map((b) => b.text ?? '').join('\n');
}

function events(message) {
  const [block] = message.content;
  const use = block.type === 'tool_use';
  const start = use ? { ...block, input: {} } : { type: 'text', text: '' };
  const delta = use
    ? { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
    : { type: 'text_delta', text: block.text };
  return [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    { type: 'content_block_start', index: 0, content_block: start },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: message.stop_reason, stop_sequence: null },
      usage: { output_tokens: 1 } },
    { type: 'message_stop' },
  ].map((data) => ({ name: data.type, data }));
}
