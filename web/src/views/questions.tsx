// Everything that waits for a person, oldest first. What has ended stays in its place until it is put away.
import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { connection } from '../model/live';
import { clearSettled, isPending, itemOf, order, pendingCount, ready, selected, settledCount } from '../model/questions';
import { route } from '../model/route';
import { Busy, Empty, Key } from '../parts/basics';
import { Card } from '../parts/card';
import { Feed, type FeedHandle } from '../parts/feed';
import { thousands } from '../text/time';

const agent = signal('');
const compacted = signal<ReadonlySet<string>>(new Set());
export const feed: { current: FeedHandle | null } = { current: null };
const newBelow = signal(0);

export function shownIds(): string[] {
  return agent.value === '' ? order.value : order.value.filter((id) => itemOf(id)?.brief.value.agent === agent.value);
}

export function Questions(): JSX.Element {
  const ids = shownIds();
  const wanted = route.value.argument;
  useEffect(() => { if (wanted !== '' && ready.value) select(wanted); }, [wanted, ready.value]);
  useNewBelow(ids);
  const away = (id: string): void => {
    const item = itemOf(id);
    if (item !== undefined && !isPending(item) && !compacted.value.has(id)) compacted.value = new Set([...compacted.value, id]);
  };
  return (
    <section class="view questions" aria-labelledby="title">
      <header class="view-head">
        <h1 id="title">Questions</h1>
        <p class="faint count">{ready.value ? `${thousands(pendingCount.value)} open` : ''}</p>
        <span class="spring" />
        <AgentFilter />
        {settledCount.value > 0 ? <button type="button" class="quiet" onClick={clearSettled}>Put away {thousands(settledCount.value)} settled</button> : null}
      </header>
      {!ready.value ? (connection.value.state === 'lost' ? null : <Busy what="asking the gate what is open" />) : ids.length === 0 ? <Nothing /> : (
        <Feed ids={ids} label="open questions" keep={selected.value} handle={feed} onAway={away}
          estimate={(id) => (compacted.value.has(id) ? 46 : 260)}
          draw={(id, i) => <Card id={id} position={i + 1} total={ids.length} compact={compacted.value.has(id)} />} />
      )}
      {newBelow.value > 0 ? <button type="button" class="pill" onClick={() => { scrollTo(0, document.body.scrollHeight); newBelow.value = 0; }}>{newBelow.value} new below</button> : null}
    </section>
  );
}

// Moves the eye and the focus to a card.
export function select(id: string): void {
  if (itemOf(id) === undefined) return;
  selected.value = id;
  feed.current?.reveal(id);
  requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById(`card-${id}`)?.focus({ preventScroll: true })));
}

function AgentFilter(): JSX.Element | null {
  const names = [...new Set(order.value.map((id) => itemOf(id)?.brief.value.agent ?? ''))].sort();
  if (names.length < 2 && agent.value === '') return null;
  return (
    <label class="inline"><span>Agent</span>
      <select value={agent.value} onChange={(event) => { agent.value = event.currentTarget.value; }}>
        <option value="">all</option>
        {names.filter((name) => name !== '').map((name) => <option key={name} value={name}>{name}</option>)}
      </select>
    </label>
  );
}

// New ones go below; a pill says so when they are out of sight.
function useNewBelow(ids: string[]): void {
  const before = useRef(ids);
  useEffect(() => {
    const known = new Set(before.current);
    const fresh = before.current.length === 0 ? 0 : ids.filter((id) => !known.has(id)).length;
    before.current = ids;
    if (fresh > 0 && document.documentElement.scrollHeight > scrollY + innerHeight + 120) newBelow.value += fresh;
  }, [ids]);
  useEffect(() => {
    const look = (): void => { if (scrollY + innerHeight > document.documentElement.scrollHeight - 160) newBelow.value = 0; };
    addEventListener('scroll', look, { passive: true });
    return () => removeEventListener('scroll', look);
  }, []);
}

function Nothing(): JSX.Element {
  return (
    <Empty title="Nothing waits for you">
      <p>When an agent wants to do something that your policy asks about, its call stops and stands here until somebody answers. It goes on by itself after that.</p>
      <ul>
        <li>To let an agent ask here, open a session: <code>tollgate sessions</code> and the page <a href="#/sessions">Sessions</a> show how.</li>
        <li>To see what would ask, try a call on the page <a href="#/policy">Policy</a>.</li>
        <li class="keys">Press <Key name="?" /> for the keys.</li>
      </ul>
    </Empty>
  );
}
