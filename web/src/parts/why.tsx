// Why the gate asks: the ground that decides first, with its rule and place, then what else spoke.
import type { JSX } from 'preact';
import type { Ground, Permission } from '../model/types';
import { Hostile } from './hostile';
import { Source } from './source';

export const kinds: Record<string, string> = {
  rule: 'rule', grant: 'grant', ceiling: 'ceiling', breaker: 'breaker', guarded: 'guarded', sensitive: 'sensitive', mode: 'mode',
  'read-only': 'read only', answerer: 'answer', default: 'no rule', malformed: 'malformed', limit: 'limit',
};

export function Grounds({ grounds }: { grounds: Ground[] }): JSX.Element {
  const few = grounds.slice(0, 1), rest = grounds.slice(1);
  return (
    <div class="grounds" aria-label="why">
      <ul>{few.map((ground, i) => <Line key={i} ground={ground} first={i === 0} />)}</ul>
      {rest.length === 0 ? null : (
        <details>
          <summary>{rest.length} more {rest.length === 1 ? 'ground' : 'grounds'}</summary>
          <ul>{rest.map((ground, i) => <Line key={i} ground={ground} first={false} />)}</ul>
        </details>
      )}
    </div>
  );
}

function Line({ ground, first }: { ground: Ground; first: boolean }): JSX.Element {
  return (
    <li class={first ? 'first' : ''}>
      <span class={`tag ground-${ground.kind}`}>{kinds[ground.kind] ?? ground.kind}</span>
      <span class="ground-text"><Hostile text={ground.text} /></span>
      {ground.rule !== '' && ground.kind !== 'default' ? <code class="rule"><Hostile text={ground.rule} /></code> : null}
      <Source source={ground.source} />
    </li>
  );
}

export const groundsOf = (permission: Permission): Ground[] => permission.why ?? permission.decision?.reasons ?? [];
