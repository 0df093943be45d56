// Agents at work, as a tree: who runs, who waits for you, under which mode, and the brakes.
import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { me } from '../model/me';
import { changeSession, endSession, freezeAll, loadSessions, sessionsProblem, sessionTree, type Branch } from '../model/sessions';
import type { Problem } from '../model/types';
import { Ago, Busy, Empty, ErrorNote, Icon } from '../parts/basics';
import { Confirm } from '../parts/confirm';
import { Hostile } from '../parts/hostile';
import { Path } from '../parts/source';
import { linkTo } from '../model/route';
import { answerers, modes } from './words';

const problem = signal<Problem | undefined>(undefined);
const showEnded = signal(false);
const states: Record<string, string> = { running: 'running', waiting: 'waits for you', idle: 'idle', ended: 'ended', frozen: 'frozen' };

async function tell(answer: Promise<{ ok: boolean; problem?: Problem }>): Promise<void> {
  const answered = await answer;
  problem.value = answered.ok ? undefined : answered.problem;
}

export function Sessions(): JSX.Element {
  useEffect(() => { void loadSessions(); }, []);
  const tree = sessionTree.value;
  const ended = tree === undefined ? 0 : countEnded(tree);
  const frozen = tree?.some(({ session }) => session.state === 'frozen') === true;
  return (
    <section class="view sessions" aria-labelledby="title">
      <header class="view-head">
        <h1 id="title">Sessions</h1><span class="spring" />
        {ended > 0 ? <label class="check inline"><input type="checkbox" checked={showEnded.value} onChange={(event) => { showEnded.value = event.currentTarget.checked; }} /><span>{ended} ended</span></label> : null}
        {frozen ? <button type="button" onClick={() => void tell(freezeAll(false))}>Let everything go on</button> : null}
        <Confirm class="deny" sure="Deny everything now?" onSure={() => void tell(freezeAll(true))}><Icon name="freeze" /> Freeze everything</Confirm>
      </header>
      {problem.value ? <ErrorNote problem={problem.value} /> : null}
      {sessionsProblem.value ? <ErrorNote problem={sessionsProblem.value} retry={() => void loadSessions()} /> : null}
      {tree === undefined ? (sessionsProblem.value ? null : <Busy what="fetching the sessions" />) : tree.length === 0 ? <Nothing /> : <Level branches={tree} depth={0} />}
    </section>
  );
}

const countEnded = (branches: Branch[]): number => branches.reduce((n, { session, below }) => n + (session.state === 'ended' ? 1 : 0) + countEnded(below), 0);

const hasLive = (branches: Branch[]): boolean => branches.some(({ session, below }) => session.state !== 'ended' || hasLive(below));

function Level({ branches, depth }: { branches: Branch[]; depth: number }): JSX.Element | null {
  const shown = branches.filter(({ session, below }) => showEnded.value || session.state !== 'ended' || hasLive(below));
  if (shown.length === 0) return depth === 0 ? <p class="nothing">All sessions have ended.</p> : null;
  return <ul class={`sessions-tree depth-${Math.min(depth, 4)}`}>{shown.map((branch) => <li key={branch.session.id}><Row branch={branch} /><Level branches={branch.below} depth={depth + 1} /></li>)}</ul>;
}

function Row({ branch: { session } }: { branch: Branch }): JSX.Element {
  const operator = me.value?.operator === true;
  const over = session.state === 'ended';
  const name = session.agent || 'no name';
  return (
    <div class={`session ${session.state}`}>
      <div class="session-name">
        <span class={`state state-${session.state}`}>{states[session.state] ?? session.state}</span>
        <b><Hostile text={name} /></b>
        {session.childType === '' ? null : <span class="tag"><Hostile text={session.childType} /></span>}
        {session.provider === '' ? null : <span class="faint"><Hostile text={session.provider} /></span>}
        <Path path={session.cwd} />
        <span class="faint">{over ? <>ended <Ago at={session.endedAt} /></> : session.seenAt === null ? 'not heard of yet' : <>last call <Ago at={session.seenAt} /></>}</span>
        <a href={linkTo('history', '', { session: session.handle })}>its calls</a>
      </div>
      {over ? null : (
        <div class="session-acts">
          <label class="inline"><span>Mode</span>
            <select disabled={!operator} value={session.mode ?? ''} onChange={(event) => void tell(changeSession(session.id, { mode: event.currentTarget.value || null }))}>
              <option value="">the agent's own</option>
              {modes.map(([mode, words]) => <option key={mode} value={mode} title={words}>{mode}</option>)}
            </select>
          </label>
          <label class="inline"><span>Answers</span>
            <select disabled={!operator} value={session.answer ?? ''} onChange={(event) => void tell(changeSession(session.id, { answer: event.currentTarget.value || null }))}>
              <option value="">the agent's own</option>
              {answerers.map(([answer, words]) => <option key={answer} value={answer}>{words}</option>)}
            </select>
          </label>
          <button type="button" disabled={!operator} aria-pressed={session.frozen} onClick={() => void tell(changeSession(session.id, { frozen: !session.frozen }))}>{session.frozen ? 'Let go on' : 'Freeze'}</button>
          <Confirm class="quiet deny" disabled={!operator} sure="End it and all below?" onSure={() => void tell(endSession(session.id))}>End</Confirm>
        </div>
      )}
    </div>
  );
}

function Nothing(): JSX.Element {
  return (
    <Empty title="No agent has a session">
      <p>A session is an agent that asks this gate. An operator opens one and gives its address to the agent's client:</p>
      <pre><code>tollgate sessions open --agent NAME --cwd ~/project</code></pre>
      <p>It asks for a credential and prints the addresses for the permission server and the hook. Agents whose hook was installed by <code>tollgate install</code> open theirs by themselves.</p>
    </Empty>
  );
}
