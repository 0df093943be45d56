// How far the record is attested: which heads of its chain lie where agents cannot change them.
// INVARIANT: a head that agents could rewrite attests nothing and is never counted.
import type { JSX } from 'preact';
import { useLoaded } from '../model/load';
import { ErrorNote, Moment } from '../parts/basics';
import { Hostile } from '../parts/hostile';
import { thousands } from '../text/time';

interface Place { to: string; number: number; at: string; why?: string; weak?: string }
interface Chained { first: number; last: number; anchored: Place[] }

export function Chain(): JSX.Element | null {
  const loaded = useLoaded<Chained>('/api/record');
  const chain = loaded.value.value;
  if (loaded.problem.value) return <ErrorNote problem={loaded.problem.value} />;
  if (chain === undefined || chain.last === 0) return null;
  const upTo = Math.max(0, ...chain.anchored.filter((place) => !place.weak).map(({ number }) => number));
  return (
    <details class="chain">
      <summary>{upTo === 0 ? 'Chained; no row is attested' : <>Chained; attested up to row {thousands(upTo)}</>}{chain.last > upTo && upTo > 0 ? <span class="faint">, {thousands(chain.last - upTo)} since then</span> : null}</summary>
      <p>Each of the rows {thousands(chain.first)} to {thousands(chain.last)} carries the digest of the one before. Who can write the file can write another chain that fits; rows are attested where a head of it lies out of reach.</p>
      {chain.anchored.length === 0 ? <p>No head has gone anywhere: <code>settings.anchor</code> names a place.</p> : (
        <ul>{chain.anchored.map((place) => (
          <li key={place.to}>
            <b><Hostile text={place.to} manner="prose" /></b>: {place.number === 0 ? 'no head yet' : <>row {thousands(place.number)}, <Moment at={place.at} /></>}
            {place.why ? <span class="wrong">. The next did not arrive: <Hostile text={place.why} manner="prose" /></span> : place.weak ? <span class="warned">. <Hostile text={place.weak} manner="prose" /></span> : null}
          </li>
        ))}</ul>
      )}
      <p class="faint"><code>tollgate log verify</code> checks the whole chain, and the heads that it finds.</p>
    </details>
  );
}
