// Try a call: what the gate would say, and why, without anything happening.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { post } from '../model/api';
import type { Decision, Ground, Json, Problem, Reading } from '../model/types';
import { ErrorNote, VerdictTag } from '../parts/basics';
import { CallView } from '../parts/call';
import { LongText } from '../parts/longtext';
import { Grounds } from '../parts/why';

interface Tried { decision: Decision; reading?: Reading; explanation: string; why?: Ground[] }
const tools = ['Bash', 'Read', 'Edit', 'Write', 'WebFetch', 'other, as JSON'];

export function TryBox({ agent, cwd }: { agent: string; cwd: string }): JSX.Element {
  const [tool, setTool] = useState('Bash');
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const [tried, setTried] = useState<Tried | undefined>(undefined);
  const [asked, setAsked] = useState('');
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  const other = !['Bash', 'Read', 'Edit', 'Write', 'WebFetch'].includes(tool);
  const submit = async (): Promise<void> => {
    const about = { ...(agent === '' ? {} : { agent }), ...(cwd === '' ? {} : { cwd }) };
    let body: object = { ...about, tool, text };
    if (other) {
      try {
        body = { ...about, tool: name.trim(), input: JSON.parse(text === '' ? '{}' : text) as Json };
      } catch {
        setProblem({ code: 'no-json', message: 'the input is not JSON', hint: 'write an object, such as {"owner": "me"}' });
        return;
      }
    }
    const answered = await post<Tried>('/api/try', body);
    setProblem(answered.ok ? undefined : answered.problem);
    setTried(answered.ok ? answered.value : undefined);
    setAsked(text);
  };
  return (
    <section class="try" aria-labelledby="try">
      <h2 id="try">Try a call</h2>
      <form onSubmit={(event) => { event.preventDefault(); void submit(); }}>
        <label><span class="voice">Tool</span><select value={tool} onChange={(event) => setTool(event.currentTarget.value)}>{tools.map((each) => <option key={each} value={each}>{each}</option>)}</select></label>
        {other ? <label><span class="voice">Name of the tool</span><input class="code" placeholder="mcp__github__create_issue" value={name} onInput={(event) => setName(event.currentTarget.value)} /></label> : null}
        <label class="grow"><span class="voice">Call</span><textarea class="code" rows={1} spellcheck={false} placeholder={tool === 'Bash' ? 'git push --force origin main' : other ? '{}' : tool === 'WebFetch' ? 'https://example.org/' : 'src/main.ts'} value={text} onInput={(event) => setText(event.currentTarget.value)} onKeyDown={(event) => { if (event.key === 'Enter' && !event.shiftKey) { event.preventDefault(); void submit(); } }} /></label>
        <button type="submit">Judge</button>
      </form>
      {problem ? <ErrorNote problem={problem} /> : null}
      {tried === undefined ? null : (
        <div class="tried" role="status">
          <p class="verdict"><VerdictTag verdict={tried.decision.verdict} /></p>
          <Grounds grounds={tried.why ?? tried.decision.reasons} />
          {tried.reading?.text !== undefined ? <CallView tool="Bash" input={{ command: asked }} reading={tried.reading} /> : null}
          {tried.explanation ? <details><summary>The whole explanation</summary><LongText text={tried.explanation} manner="prose" label="explanation" class="explanation" /></details> : null}
        </div>
      )}
    </section>
  );
}
