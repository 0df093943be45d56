// What people have allowed beyond one call: who, for whom, until when. Each can be taken back.
import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { send } from '../model/api';
import { useLoaded } from '../model/load';
import { linkTo } from '../model/route';
import type { Grant, Problem } from '../model/types';
import { Ago, Busy, Empty, ErrorNote, Moment } from '../parts/basics';
import { Confirm } from '../parts/confirm';
import { Countdown } from '../parts/countdown';
import { Hostile } from '../parts/hostile';

const all = signal(false);
const whom = (grant: Grant): string => (grant.scope === 'everyone' ? 'everyone' : grant.scope === 'session' ? 'one session' : grant.agent || 'no name');

export function Grants(): JSX.Element {
  const loaded = useLoaded<{ grants: Grant[] }>(`/api/grants${all.value ? '?state=all' : ''}`);
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  const grants = loaded.value.value?.grants;
  const revoke = async (id: string): Promise<void> => {
    const answered = await send('DELETE', `/api/grants/${id}`);
    setProblem(answered.ok ? undefined : answered.problem);
    await loaded.again();
  };
  return (
    <section class="view grants" aria-labelledby="title">
      <header class="view-head">
        <h1 id="title">Grants</h1><span class="spring" />
        <label class="check inline"><input type="checkbox" checked={all.value} onChange={(event) => { all.value = event.currentTarget.checked; }} /><span>also those that ended</span></label>
      </header>
      {problem ? <ErrorNote problem={problem} /> : null}
      {loaded.problem.value ? <ErrorNote problem={loaded.problem.value} retry={() => void loaded.again()} /> : null}
      {grants === undefined ? (loaded.problem.value ? null : <Busy what="fetching the grants" />) : grants.length === 0 ? (
        <Empty title="No grant is in force">
          <p>A grant is what you make with <b>This session</b> or <b>Always</b>: a rule that settles questions of the same kind. It never outweighs a deny or ask rule, a breaker or a guarded path.</p>
        </Empty>
      ) : (
        <div class="scroller" role="region" aria-label="grants" tabIndex={0}>
          <table class="rows">
            <thead><tr><th scope="col" class="wide">Rule</th><th scope="col">For</th><th scope="col" class="wide-only">Below</th><th scope="col">By</th><th scope="col" class="wide-only">Since</th><th scope="col">Ends</th><th scope="col"><span class="voice">Acts</span></th></tr></thead>
            <tbody>{grants.map((grant) => (
              <tr key={grant.id} class={grant.state}>
                <td class="wide"><code><Hostile text={grant.rule} /></code></td>
                <td><Hostile text={whom(grant)} /></td>
                <td class="wide-only faint"><Hostile text={grant.root} /></td>
                <td><Hostile text={grant.author} /></td>
                <td class="wide-only">{grant.question === '' ? <Ago at={grant.createdAt} /> : <a href={linkTo('history', '', { rule: grant.rule })}><Ago at={grant.createdAt} /></a>}</td>
                <td>{grant.state === 'active' ? (grant.expiresAt === null ? <span class="faint">{grant.scope === 'session' ? 'with the session' : 'when revoked'}</span> : <Countdown until={grant.expiresAt} />) : grant.state === 'revoked' ? <>revoked <Moment at={grant.revokedAt} /> by <Hostile text={grant.revokedBy} /></> : <>expired <Moment at={grant.expiresAt} /></>}</td>
                <td>{grant.state === 'active' ? <Confirm class="quiet deny small" sure="Revoke it?" onSure={() => void revoke(grant.id)}>Revoke</Confirm> : null}</td>
              </tr>
            ))}</tbody>
          </table>
        </div>
      )}
    </section>
  );
}
