// The door: a printed link or a credential. Nothing of the gate is shown before.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { logIn } from '../model/me';
import type { Problem } from '../model/types';
import { ErrorNote } from '../parts/basics';

export function Login({ before }: { before?: Problem | undefined }): JSX.Element {
  const [words, setWords] = useState('');
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  const [busy, setBusy] = useState(false);
  const submit = async (): Promise<void> => {
    setBusy(true);
    const answered = await logIn(words);
    setBusy(false);
    setProblem(answered.ok ? undefined : answered.problem);
    if (!answered.ok) setWords('');
  };
  const shown = problem ?? before;
  return (
    <main class="login" id="main">
      <img src="/icon.svg" alt="" width="56" height="56" />
      <h1>Tollgate</h1>
      <p>This device is not logged in.</p>
      <form onSubmit={(event) => { event.preventDefault(); void submit(); }}>
        <label><span>Link or credential</span>
          <input type="password" autocomplete="current-password" autofocus value={words} onInput={(event) => setWords(event.currentTarget.value)} aria-describedby="login-help" />
        </label>
        <button type="submit" class="allow" disabled={busy || words.trim() === ''}>{busy ? 'One moment' : 'Log in'}</button>
      </form>
      {shown === undefined ? null : <ErrorNote problem={shown} />}
      <div id="login-help" class="faint">
        <p><code>tollgate serve</code> prints a link when it starts; it works once and for a minute. <code>tollgate pair</code> shows one for a phone, as a code for its camera.</p>
        <p><a href="#/trust">How this device comes to trust the gate’s certificate</a>.</p>
        <p>A credential is what <code>tollgate approver add NAME</code> printed.</p>
      </div>
    </main>
  );
}
