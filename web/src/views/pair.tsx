// What a code opens on a phone: the digest to compare, then one tap that logs the device in. Nothing is sent before the tap.
// SAFETY: the code and the digest stand behind the # of the address, which browsers send to nobody; once used they are taken out of it.
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { askCertificate, isEncrypted, whatIsMissing } from '../model/connection';
import { logIn } from '../model/me';
import { leaveDoor, type Door } from '../model/route';
import type { Problem } from '../model/types';
import { ErrorNote, Note } from '../parts/basics';
import { Digest } from '../parts/digest';

export function Pair({ door }: { door: Door }): JSX.Element {
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  const [busy, setBusy] = useState(false);
  const [shown, setShown] = useState<string | undefined>(undefined);   // the digest that the gate says it has, '' for none
  const wanted = door.query.get('sha256') ?? '';
  useEffect(() => { void askCertificate().then((answered) => { if (answered.ok) setShown(answered.value.certificate?.sha256 ?? ''); }); }, []);
  const differs = wanted !== '' && shown !== undefined && shown !== wanted;
  const enter = async (): Promise<void> => {
    setBusy(true);
    const answered = await logIn(`/login/${door.argument}`);
    setBusy(false);
    setProblem(answered.ok ? undefined : answered.problem);
    if (answered.ok) leaveDoor();
  };
  const missing = whatIsMissing();
  return (
    <main class="login" id="main">
      <img src="/icon.svg" alt="" width="56" height="56" />
      <h1>Pair this device</h1>
      <p>It will answer agents as the person who made the code, until it is revoked.</p>
      {wanted === '' ? null : <Compare wanted={wanted} />}
      {differs ? <Note kind="bad"><p><b>Do not go on.</b> The gate that answers has another certificate than the code says{shown === '' ? ', or none' : ''}. Make a new code; if this stays, somebody is between you and the gate.</p></Note> : null}
      {missing === undefined ? null : <Note kind="warn"><p>{missing}</p></Note>}
      <button type="button" class="allow" disabled={busy || differs || door.argument === ''} onClick={() => void enter()}>{busy ? 'One moment' : 'Log in on this device'}</button>
      {problem === undefined ? null : <><ErrorNote problem={problem} /><p class="faint">A code works once and for five minutes: <code>tollgate pair</code> makes another.</p></>}
      {isEncrypted() ? <p><a href="#/trust">How this device comes to trust the gate</a></p> : null}
    </main>
  );
}

// A page cannot see the certificate of its own connection; the browser and the terminal can.
function Compare({ wanted }: { wanted: string }): JSX.Element {
  return (
    <section class="digest" aria-labelledby="digest">
      <h2 id="digest">Compare first</h2>
      <p>The terminal shows this SHA-256 of the gate’s certificate. If the browser warned you, its view of the certificate must show the same; this page cannot look for itself.</p>
      <p><Digest sha256={wanted} /></p>
    </section>
  );
}
