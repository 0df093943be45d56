// One row of the record, whole: the call, what was decided and why, in the words of then, and what today's policy says.
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { post } from '../model/api';
import { useLoaded } from '../model/load';
import type { AuditRow, Decision, Effect, Json, Problem } from '../model/types';
import { Busy, ErrorNote, Icon, Moment, VerdictTag } from '../parts/basics';
import { CallView } from '../parts/call';
import { Hostile } from '../parts/hostile';
import { LongText } from '../parts/longtext';
import { Tree } from '../parts/tree';
import { Grounds } from '../parts/why';

interface Call { tool: string; input: { [name: string]: Json }; cwd?: string; stated_reason?: string }

export function RowDetail({ number, onClose }: { number: number; onClose: () => void }): JSX.Element {
  const loaded = useLoaded<AuditRow>(`/api/audit/${number}`);
  const row = loaded.value.value;
  const here = useRef<HTMLElement>(null);
  // On a phone it stands above the list, out of sight of whoever opened a row far below.
  useEffect(() => { const top = here.current?.getBoundingClientRect().top ?? 0; if (top < 0 || top > innerHeight) here.current?.scrollIntoView({ block: 'start' }); }, []);
  return (
    <aside ref={here} class="detail" aria-label={`row ${number}`}>
      <header><h2>Row {number}</h2><span class="spring" /><button type="button" class="quiet" aria-label="Close" onClick={onClose}><Icon name="close" /></button></header>
      {loaded.problem.value ? <ErrorNote problem={loaded.problem.value} /> : row === undefined ? <Busy what="fetching the row" /> : <Whole row={row} />}
    </aside>
  );
}

function Whole({ row }: { row: AuditRow }): JSX.Element {
  const call = row.record['call'] as unknown as Call | undefined;
  const decision = row.record['decision'] as unknown as Decision | undefined;
  return (
    <>
      <dl class="facts">
        <div><dt>When</dt><dd><Moment at={row.at} /></dd></div>
        {row.verdict === '' ? null : <div><dt>Verdict</dt><dd><VerdictTag verdict={row.verdict} /></dd></div>}
        {row.agent === '' ? null : <div><dt>Agent</dt><dd><Hostile text={row.agent} /></dd></div>}
        {row.by === '' ? null : <div><dt>By</dt><dd><Hostile text={row.by} /></dd></div>}
        <div><dt>Came over</dt><dd>{row.origin}</dd></div>
        {call?.cwd ? <div><dt>In</dt><dd><code><Hostile text={call.cwd} /></code></dd></div> : null}
      </dl>
      {decision ? <Grounds grounds={decision.reasons} /> : null}
      {call ? <CallView cwd={call.cwd ?? ''} tool={call.tool} input={call.input} reading={row.reading} effects={row.record['effects'] as unknown as Effect[]} /> : <Tree value={row.record} />}
      {row.explanation ? <details open><summary>Explained as it was</summary><LongText text={row.explanation} manner="prose" label="explanation" class="explanation" /></details> : null}
      {call ? <Replay number={row.number} /> : null}
    </>
  );
}

interface Replayed { then: Decision; now: Decision; changed: boolean; explanation: string }

function Replay({ number }: { number: number }): JSX.Element {
  const [result, setResult] = useState<Replayed | undefined>(undefined);
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  const act = async (): Promise<void> => {
    const answered = await post<Replayed>(`/api/audit/${number}/replay`);
    setProblem(answered.ok ? undefined : answered.problem);
    if (answered.ok) setResult(answered.value);
  };
  return (
    <div class="replay">
      <button type="button" onClick={() => void act()}>Judge it by today's policy</button>
      {problem ? <ErrorNote problem={problem} /> : null}
      {result === undefined ? null : (
        <div role="status">
          <p><VerdictTag verdict={result.then.verdict} /> <span aria-label="then, and now">→</span> <VerdictTag verdict={result.now.verdict} /> {result.changed ? 'The policy of today says something else.' : 'The policy of today says the same.'}</p>
          <Grounds grounds={result.now.reasons} />
          {result.explanation ? <LongText text={result.explanation} manner="prose" label="explanation under today's policy" class="explanation" /> : null}
        </div>
      )}
    </div>
  );
}
