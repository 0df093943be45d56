// The Gemini API: one tool call after another, then the end.

export const gemini = {
  // Null: the path is not of this API.
  answer(path, request, calls) {
    if (path.endsWith(':countTokens')) return { results: [], json: { totalTokens: 1 } };
    const stream = path.endsWith(':streamGenerateContent');
    if (!stream && !path.endsWith(':generateContent')) return null;
    const parts = (request.contents ?? []).flatMap((c) => c.parts ?? []);
    const results = parts.filter((p) => p.functionResponse).map((p) => JSON.stringify(p.functionResponse.response));
    const part = partOf(request, calls, results);
    const json = {
      candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
      modelVersion: 'mock', responseId: 'mock',
    };
    return stream ? { results, events: [{ data: json }] } : { results, json };
  },
};

function partOf(request, calls, results) {
  // Questions on the side, such as which model to take, want JSON.
  if (request.generationConfig?.responseMimeType === 'application/json')
    return { text: JSON.stringify({ reasoning: '', next_speaker: 'user', model_choice: 'flash' }) };
  const offers = (request.tools ?? []).some((t) => t.functionDeclarations?.length > 0);
  const call = offers ? calls[results.length] : undefined;
  return call
    ? { functionCall: { id: `call_${results.length + 1}`, name: call.tool, args: call.input } }
    : { text: 'done' };
}
