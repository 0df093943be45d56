// One question: who asks, what, why, the agent's words, and the answers. Ended, it says how and whether the agent got it.
// SAFETY: nothing can be answered before the whole call is on the screen; what is shown is what is approved.
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { approve, markSeen } from '../model/answers';
import { connection } from '../model/live';
import { byMe, fetchWhole, groups, itemOf, selected, type Item } from '../model/questions';
import type { Permission } from '../model/types';
import { thousands } from '../text/time';
import { AlwaysPanel, suggestionsOf } from './always';
import { Ago, ErrorNote, Key, Moment } from './basics';
import { CallView } from './call';
import { Countdown } from './countdown';
import { EscalationBody, PlanText, planTool, QuestionText } from './escalation';
import { Hostile } from './hostile';
import { AlikePanel, DenyPanel, EditPanel, openPanel, summaryOf, type PanelName } from './panels';
import { Path } from './source';
import { Grounds, groundsOf } from './why';
import { AgentWords } from './words';

export function Card({ id, position, total, compact }: { id: string; position: number; total: number; compact: boolean }): JSX.Element | null {
  const item = itemOf(id);
  const here = useRef<HTMLElement>(null);
  // What failed while the gate was away is asked for again once it is back.
  const open = connection.value.state === 'open';
  useEffect(() => { if (item !== undefined && !compact && open) void fetchWhole(item); }, [item, item?.whole.value === undefined, compact, open]);
  useSeen(here, item);
  if (item === undefined) return null;
  const brief = item.brief.value, whole = item.whole.value;
  const pending = brief.state === 'pending';
  const kind = brief.type === 'escalation' ? 'escalation' : brief.breaker === true ? 'permission breaker' : 'permission';
  const label = `${brief.type === 'escalation' ? 'Question' : brief.toolName} of ${brief.agent || 'an agent without a name'}${pending ? '' : `, ${brief.state}`}`;
  return (
    <article ref={here} id={`card-${id}`} class={`card ${kind} ${pending ? 'open' : `settled ${brief.state}`} ${selected.value === id ? 'selected' : ''}`}
      tabIndex={-1} aria-label={label} aria-posinset={position} aria-setsize={total} onFocusCapture={() => { selected.value = id; }}>
      {!pending && compact ? <Settled permission={brief} item={item} /> : (
        <>
          <Head permission={brief} />
          {brief.type === 'permission' ? <Grounds grounds={groundsOf(whole ?? brief)} /> : null}
          <Body item={item} brief={brief} whole={whole} />
          {pending ? <Actions item={item} brief={brief} whole={whole} /> : <Settled permission={brief} item={item} />}
        </>
      )}
    </article>
  );
}

function Head({ permission }: { permission: Permission }): JSX.Element {
  return (
    <header class="card-head">
      <h2>
        <span class="agent"><Hostile text={permission.agent || 'no name'} /></span>
        {permission.chain.slice(1).map((above, i) => <span key={i} class="above"><span aria-label="under">‹</span> <Hostile text={above || 'no name'} /></span>)}
      </h2>
      <span class="tool">{permission.type === 'escalation' ? 'asks you' : <Hostile text={permission.toolName} />}</span>
      {permission.provider === '' ? null : <span class="faint provider"><Hostile text={permission.provider} /></span>}
      <Path path={permission.cwd} />
      {permission.breaker === true ? <span class="tag breaker">breaker</span> : null}
      <span class="spring" />
      {permission.state === 'pending' && permission.goneAt !== null ? <span class="tag warn" title="The call hung up. The question is kept for a while: a retry joins it.">agent gone</span> : null}
      {permission.state === 'pending' && permission.seenAt === null ? <span class="tag unseen">nobody has seen this yet</span> : null}
      <span class="asked faint">asked <Ago at={permission.createdAt} /></span>
      {permission.state === 'pending' ? <Countdown until={permission.expiresAt} /> : null}
    </header>
  );
}

function Body({ item, brief, whole }: { item: Item; brief: Permission; whole: Permission | undefined }): JSX.Element {
  if (whole === undefined) {
    return (
      <div class="loading">
        <p class="code"><Hostile text={brief.summary ?? ''} />{brief.summaryMore ? <span class="faint"> … {thousands(brief.summaryMore)} bytes more</span> : null}</p>
        {item.failure.value === undefined ? <p class="busy">fetching the whole call</p> : <ErrorNote problem={item.failure.value} retry={() => { item.failure.value = undefined; void fetchWhole(item); }} />}
      </div>
    );
  }
  if (brief.type === 'escalation') {
    return (
      <>
        <p class="label">{whole.toolName === planTool ? 'The agent wants to begin with this plan' : 'The agent asks'}</p>
        {brief.state === 'pending' ? <EscalationBody item={item} permission={whole} busy={item.act.value?.state === 'sending'} />
          : whole.toolName === planTool ? <PlanText input={whole.toolInput ?? {}} /> : <QuestionText text={summaryOf(whole)} />}
        <AgentWords permission={whole} />
      </>
    );
  }
  return (
    <>
      <CallView cwd={whole.cwd} tool={whole.toolName} input={whole.toolInput ?? {}} reading={whole.reading} effects={whole.effects} />
      <AgentWords permission={whole} />
    </>
  );
}

// Whether a rule may be taught here at all.
export const teaches = (permission: Permission): boolean => permission.breaker !== true && suggestionsOf(permission).length > 0;
const wantsSeveral = (permission: Permission): boolean => { const all = permission.decision.quorums ?? []; return all.length > 1 || (all[0]?.any ?? 1) > 1; };

function Actions({ item, brief, whole }: { item: Item; brief: Permission; whole: Permission | undefined }): JSX.Element {
  const act = item.act.value;
  const panel = openPanel.value?.id === item.id ? openPanel.value.panel : undefined;
  const busy = act?.state === 'sending';
  const shown = whole !== undefined;
  const alike = brief.group === undefined ? 0 : groups.value.get(brief.group)?.length ?? 0;
  const open = (name: PanelName): void => { openPanel.value = panel === name ? undefined : { id: item.id, panel: name }; };
  if (brief.type === 'escalation') return <>{act?.state === 'failed' ? <ErrorNote problem={act.problem} /> : null}{busy ? <p class="busy" role="status">recording …</p> : null}</>;
  return (
    <footer class="actions">
      {brief.quorum === undefined ? null : <Votes permission={brief} />}
      <div class="row">
        <button type="button" class="allow" disabled={!shown || busy} aria-keyshortcuts="y" onClick={() => void approve(item, { scope: 'once' }, 'allowed once')}>Allow once <Key name="y" /></button>
        {shown && teaches(whole) && !wantsSeveral(brief) ? <button type="button" disabled={busy} aria-keyshortcuts="s" onClick={() => void approve(item, { scope: 'session' }, 'allowed for this session')}>This session <Key name="s" /></button> : null}
        {shown && teaches(whole) && !wantsSeveral(brief) ? <button type="button" disabled={busy} aria-keyshortcuts="a" aria-expanded={panel === 'always'} onClick={() => open('always')}>Always … <Key name="a" /></button> : null}
        <button type="button" class="deny" disabled={busy} aria-keyshortcuts="n" aria-expanded={panel === 'deny'} onClick={() => open('deny')}>Deny … <Key name="n" /></button>
        {wantsSeveral(brief) ? null : <button type="button" class="quiet" disabled={!shown || busy} aria-keyshortcuts="e" aria-expanded={panel === 'edit'} onClick={() => open('edit')}>Edit … <Key name="e" /></button>}
        {alike > 1 ? <button type="button" class="quiet together" disabled={busy} aria-keyshortcuts="g" aria-expanded={panel === 'alike'} onClick={() => open('alike')}>{thousands(alike)} alike … <Key name="g" /></button> : null}
        {busy ? <span class="busy" role="status">recording …</span> : null}
        {shown && !teaches(whole) && !busy ? <span class="hint once">once only: no rule can settle what asks here</span> : null}
      </div>
      {act?.state === 'failed' ? <ErrorNote problem={act.problem} /> : null}
      {panel === 'deny' ? <DenyPanel item={item} /> : null}
      {panel === 'always' && whole ? <AlwaysPanel item={item} permission={whole} /> : null}
      {panel === 'edit' && whole ? <EditPanel item={item} permission={whole} /> : null}
      {panel === 'alike' ? <AlikePanel permission={brief} /> : null}
    </footer>
  );
}

// How far each threshold is: of those of one rule, the first that is met settles it.
function Votes({ permission }: { permission: Permission }): JSX.Element | null {
  const quorum = permission.quorum;
  if (quorum === undefined) return null;
  return (
    <div class="votes">
      {quorum.rules.map((rule, i) => rule.thresholds.map((each, k) => (
        <p key={`${i} ${k}`} class="threshold">
          {k > 0 ? <span class="faint">or </span> : null}{each.name === '' ? null : <><Hostile text={each.name} manner="prose" />: </>}
          <b>{each.agreed.length} of {each.any}</b> {each.missing === 0 ? 'agreed' : 'have agreed'}{each.of.length > 0 ? <> (of: <Hostile text={each.of.join(', ')} />)</> : null}
          {each.opensAt === null ? null : <span class="faint"> asked from <Moment at={each.opensAt} /></span>}
          {each.until === null ? null : <span class="faint"> until <Moment at={each.until} /></span>}
        </p>
      )))}
      {permission.votes.map((vote, i) => <span key={i} class={`tag ${vote.allow ? 'verdict-allow' : 'verdict-deny'}`}><Hostile text={vote.person} />{vote.allow ? ' agrees' : ' refuses'}{vote.key ? <>, touched <Hostile text={vote.key} /></> : null}</span>)}
      {quorum.against.length > 0 ? <span class="faint">{quorum.denials} refusals end it</span> : null}
    </div>
  );
}

const ends: Record<string, string> = { approved: 'Allowed', denied: 'Denied', expired: 'Expired: nobody answered in time, so it was denied', cancelled: 'Cancelled' };
const scopes: Record<string, string> = { once: 'once', session: 'for this session', agent: 'always, for this agent', everyone: 'always, for everyone' };

// How it ended, and whether the agent's call has got it: recorded is not delivered.
function Settled({ permission, item }: { permission: Permission; item: Item }): JSX.Element {
  const answer = permission.answer;
  const mine = byMe(permission) && item.act.value?.state === 'recorded';
  const word = permission.type === 'escalation' && permission.state === 'approved' ? 'Answered' : ends[permission.state] ?? permission.state;
  return (
    <div class={`end ${permission.state}`} role="status">
      <span class="what">
        <b>{word}</b>{permission.type === 'permission' && permission.state === 'approved' && answer ? ` ${scopes[answer.scope] ?? answer.scope}` : ''}
        {answer && permission.state !== 'expired' && answer.by !== '' ? <> by {mine ? 'you' : <Hostile text={answer.by} />}</> : null}
        {!mine && (permission.state === 'approved' || permission.state === 'denied') ? <span class="tag">{item.missed.value ? 'while this page was cut off' : 'elsewhere'}</span> : null}
        {answer?.reason && permission.state !== 'expired' ? <q><Hostile text={answer.reason} manner="prose" /></q> : null}
        {answer?.rule ? <code class="rule"><Hostile text={answer.rule} /></code> : null}
      </span>
      <span class="compact-call"><Hostile text={permission.agent} /> <code><Hostile text={(permission.summary ?? summaryOf(permission)).slice(0, 120)} /></code></span>
      <span class="path-of-answer">
        {answer ? <span class="step done">recorded <Moment at={answer.at} /></span> : null}
        {permission.deliveredAt !== null ? <span class="step done">delivered <Moment at={permission.deliveredAt} /></span>
          : permission.goneAt !== null ? <span class="step gone">agent gone: its call no longer waits</span>
            : answer ? <span class="step">not yet delivered</span> : null}
      </span>
      {permission.policy?.error ? <ErrorNote problem={permission.policy.error} /> : null}
    </div>
  );
}

// Tells the gate that a person has had it before their eyes for a second.
function useSeen(here: { current: HTMLElement | null }, item: Item | undefined): void {
  const open = item !== undefined && item.brief.value.state === 'pending' && item.brief.value.seenAt === null;
  useEffect(() => {
    if (!open || here.current === null) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const watcher = new IntersectionObserver(([entry]) => {
      clearTimeout(timer);
      if (entry?.isIntersecting) timer = setTimeout(() => { if (!document.hidden) void markSeen(item.id); }, 1_000);
    }, { threshold: 0.3 });
    watcher.observe(here.current);
    return () => { clearTimeout(timer); watcher.disconnect(); };
  }, [open, item]);
}
