// Where the gate sends notices besides this device: each target, what became of its notices, and a button to try it.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { post } from '../model/api';
import { useLoaded } from '../model/load';
import type { NoticeTarget } from '../model/types';
import { Ago, Busy, ErrorNote } from '../parts/basics';
import { Hostile } from '../parts/hostile';
import { took } from '../text/time';

export function Targets(): JSX.Element {
  const loaded = useLoaded<{ targets: NoticeTarget[] }>('/api/notices');
  const targets = loaded.value.value?.targets;
  return (
    <section class="box" aria-labelledby="targets">
      <h2 id="targets">Other notices</h2>
      {loaded.problem.value ? <ErrorNote problem={loaded.problem.value} /> : targets === undefined ? <Busy what="fetching the targets" /> : targets.length === 0 ? <p class="nothing">None. <code>notify</code> in your policy file has desktop, push, ntfy, Slack and webhooks.</p> : (
        <ul class="devices">{targets.map((target) => <Target key={target.name} target={target} again={loaded.again} />)}</ul>
      )}
    </section>
  );
}

function Target({ target, again }: { target: NoticeTarget; again: () => Promise<void> }): JSX.Element {
  const [tried, setTried] = useState('');
  const attempt = async (): Promise<void> => {
    setTried('sending');
    const answered = await post<{ state: string; why: string }>(`/api/notices/${encodeURIComponent(target.name)}/try`);
    setTried(answered.ok ? `${answered.value.state}${answered.value.why === '' ? '' : `: ${answered.value.why}`}` : answered.problem.message);
    await again();
  };
  return (
    <li>
      <span class="device-name"><b><Hostile text={target.name} /></b><span class="tag">{target.type}</span>{target.state === 'unusable' ? <span class="tag warn">unusable</span> : null}{target.answers ? <span class="tag warn">may answer</span> : null}</span>
      <span class="faint">{target.afterMs > 0 ? <>when unseen for {took(target.afterMs)}; </> : null}{target.delivered} delivered, {target.failed} failed{target.lastAt ? <>, last <Ago at={target.lastAt} /></> : null}{target.why ? <>: <Hostile text={target.why} manner="prose" /></> : null}{tried === '' ? null : <> <b role="status"><Hostile text={tried} manner="prose" /></b></>}</span>
      <button type="button" class="quiet small" disabled={tried === 'sending'} onClick={() => void attempt()}>Try it<span class="voice"> with {target.name}</span></button>
    </li>
  );
}
