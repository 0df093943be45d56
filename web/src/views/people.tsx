// Security keys of whoever is logged in, and the people who answer.
// What weighs most needs a touch once a key is registered; api.ts asks for it when the gate says so.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { post, send } from '../model/api';
import { useLoaded } from '../model/load';
import { me } from '../model/me';
import { keysWork, registerKey } from '../model/touch';
import type { Problem } from '../model/types';
import { Ago, Busy, ErrorNote, Moment, Note } from '../parts/basics';
import { Confirm } from '../parts/confirm';
import { Hostile } from '../parts/hostile';

interface Key { id: string; name: string; person: string; rpId: string; createdAt: string; usedAt: string | null }

export function Keys(): JSX.Element {
  const loaded = useLoaded<{ keys: Key[]; rpId: string | null }>('/api/keys');
  const [name, setName] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  const act = async (what: Promise<{ ok: true } | { ok: false; problem: Problem }>): Promise<void> => {
    setBusy(true);
    const answered = await what;
    setBusy(false);
    setProblem(answered.ok ? undefined : answered.problem);
    if (answered.ok) setName('');
    await loaded.again();
  };
  const value = loaded.value.value;
  return (
    <section class="box" aria-labelledby="keys">
      <h2 id="keys">Security keys</h2>
      <p class="hint">With a key, breakers, rules for an agent or everyone, and changes of who answers need its touch, whoever has your login. Register two: a lost one is removed with the other.</p>
      {loaded.problem.value ? <ErrorNote problem={loaded.problem.value} /> : value === undefined ? <Busy what="fetching the keys" /> : (
        <ul class="devices">{value.keys.map((key) => (
          <li key={key.id}>
            <span class="device-name"><b><Hostile text={key.name} manner="prose" /></b>{key.rpId === value.rpId ? null : <span class="tag">at {key.rpId}</span>}</span>
            <span class="faint"><Hostile text={key.person} manner="prose" />, {key.usedAt ? <>touched <Ago at={key.usedAt} /></> : <>since <Moment at={key.createdAt} /></>}</span>
            <Confirm class="quiet deny small" sure="Remove it?" onSure={() => void act(send('DELETE', `/api/keys/${encodeURIComponent(key.id)}`))}>Remove</Confirm>
          </li>
        ))}</ul>
      )}
      {value?.rpId == null || !keysWork() ? <Note><p>Browsers take no key at this address. Open the page as <code>http://localhost</code> with its port, or over https under a name.</p></Note> : (
        <form class="row" onSubmit={(event) => { event.preventDefault(); void act(registerKey(name.trim())); }}>
          <label class="grow"><span class="voice">Name of the key</span><input placeholder="the blue one" value={name} maxLength={60} onInput={(event) => setName(event.currentTarget.value)} /></label>
          <button type="submit" disabled={busy || name.trim() === ''}>{busy ? 'Touch it now' : 'Register a key'}</button>
        </form>
      )}
      {problem ? <ErrorNote problem={problem} /> : null}
    </section>
  );
}

interface Approver { name: string; person: string; roles: string[]; operator: boolean; device: string; revokedAt: string | null }

// Operators alone change it; the credential of a new one is shown once.
export function Approvers(): JSX.Element | null {
  const loaded = useLoaded<{ approvers: Approver[] }>('/api/approvers');
  const [name, setName] = useState('');
  const [roles, setRoles] = useState('');
  const [made, setMade] = useState<{ name: string; credential: string } | undefined>(undefined);
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  const add = async (): Promise<void> => {
    const answered = await post<{ name: string; credential: string }>('/api/approvers', { name: name.trim(), roles: roles.split(',').map((role) => role.trim()).filter((role) => role !== '') });
    setProblem(answered.ok ? undefined : answered.problem);
    setMade(answered.ok ? answered.value : undefined);
    if (answered.ok) { setName(''); setRoles(''); }
    await loaded.again();
  };
  const revoke = async (who: string): Promise<void> => {
    const answered = await send('DELETE', `/api/approvers/${encodeURIComponent(who)}`);
    setProblem(answered.ok ? undefined : answered.problem);
    await loaded.again();
  };
  if (me.value?.operator !== true) return null;
  const people = loaded.value.value?.approvers.filter((each) => each.device === '' && each.revokedAt === null);
  return (
    <section class="box" aria-labelledby="approvers">
      <h2 id="approvers">Who answers</h2>
      {loaded.problem.value ? <ErrorNote problem={loaded.problem.value} /> : people === undefined ? <Busy what="fetching the people" /> : (
        <ul class="devices">{people.map((each) => (
          <li key={each.name}>
            <span class="device-name"><b><Hostile text={each.name} manner="prose" /></b>{each.operator ? <span class="tag">operator</span> : null}{each.roles.map((role) => <span key={role} class="tag"><Hostile text={role} /></span>)}</span>
            <span class="faint"><Hostile text={each.person} manner="prose" /></span>
            {each.name === me.value?.name ? <span class="tag">you</span> : <Confirm class="quiet deny small" sure="Revoke it?" onSure={() => void revoke(each.name)}>Revoke</Confirm>}
          </li>
        ))}</ul>
      )}
      <form class="row" onSubmit={(event) => { event.preventDefault(); void add(); }}>
        <label class="grow"><span class="voice">Name of the person</span><input placeholder="name" value={name} maxLength={100} onInput={(event) => setName(event.currentTarget.value)} /></label>
        <label class="grow"><span class="voice">Roles, by commas</span><input placeholder="lead, security" value={roles} onInput={(event) => setRoles(event.currentTarget.value)} /></label>
        <button type="submit" disabled={name.trim() === ''}>Add</button>
      </form>
      {made ? <Note><p>The credential of <Hostile text={made.name} manner="prose" />, shown this once: <code class="link"><Hostile text={made.credential} /></code></p></Note> : null}
      {problem ? <ErrorNote problem={problem} /> : null}
    </section>
  );
}
