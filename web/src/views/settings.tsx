// This device and the others, notices, how the page behaves, and what the gate says about itself.
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { post, send } from '../model/api';
import { clockOffset } from '../model/clock';
import { isEncrypted, untrusted, whatIsMissing } from '../model/connection';
import { useLoaded } from '../model/load';
import { logOut, me } from '../model/me';
import { pushState, startPush, stopPush, subscribed } from '../model/push';
import { singleKeys, theme, type Theme } from '../model/preferences';
import type { Device, Problem, Settings as SettingsValue } from '../model/types';
import { Ago, Busy, ErrorNote, Moment, Note } from '../parts/basics';
import { Confirm } from '../parts/confirm';
import { Countdown } from '../parts/countdown';
import { Hostile } from '../parts/hostile';
import { QrCode } from '../parts/qrcode';
import { roughly, took } from '../text/time';
import { Approvers, Keys } from './people';
import { Targets } from './targets';

export function Settings(): JSX.Element {
  return (
    <section class="view settings" aria-labelledby="title">
      <header class="view-head"><h1 id="title">Settings</h1></header>
      <div class="columns">
        <ThisDevice /><Connection /><Pair /><Devices /><Keys /><Approvers /><Notices /><Targets /><Page /><Gate />
      </div>
    </section>
  );
}

function ThisDevice(): JSX.Element | null {
  const who = me.value;
  if (who === undefined) return null;
  return (
    <section class="box" aria-labelledby="you">
      <h2 id="you">You</h2>
      <dl class="facts">
        <div><dt>Person</dt><dd><Hostile text={who.person} manner="prose" /></dd></div>
        <div><dt>Credential</dt><dd><Hostile text={who.name} /></dd></div>
        {who.device ? <div><dt>Device</dt><dd><Hostile text={who.device} manner="prose" /></dd></div> : null}
        <div><dt>May</dt><dd>{[who.approver ? 'answer' : '', who.operator ? 'change sessions and policy' : ''].filter((word) => word !== '').join(', ') || 'look'}</dd></div>
        {who.roles.length > 0 ? <div><dt>Roles</dt><dd>{who.roles.join(', ')}</dd></div> : null}
      </dl>
      {who.selfApproval && !who.selfApproval.prevented ? <Note kind="warn"><p><b>Self-approval is not prevented:</b> <Hostile text={who.selfApproval.why} manner="prose" />.</p></Note> : null}
      <button type="button" onClick={() => void logOut()}>Log this device out</button>
    </section>
  );
}

// What a browser needs a trusted certificate for, and whether this device has one.
function Connection(): JSX.Element {
  const missing = whatIsMissing();
  return (
    <section class="box" aria-labelledby="connection">
      <h2 id="connection">This connection</h2>
      <dl class="facts">
        <div><dt>Address</dt><dd><code>{location.origin}</code></dd></div>
        <div><dt>Encrypted</dt><dd>{isEncrypted() ? `yes${untrusted.value ? ', by a certificate that this device does not trust' : ''}` : 'no'}</dd></div>
      </dl>
      {missing === undefined ? <p class="hint">Nothing is missing: notices, opening offline and installing the page are allowed here.</p> : <Note kind="warn"><p>{missing}</p></Note>}
      {isEncrypted() ? <p><a href="#/trust">How a device comes to trust the gate</a></p> : null}
    </section>
  );
}

interface Paired { url: string; qr: string; expiresAt: string; reachable?: boolean }

function Pair(): JSX.Element {
  const [name, setName] = useState('');
  const [paired, setPaired] = useState<Paired | undefined>(undefined);
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  const submit = async (): Promise<void> => {
    const answered = await post<Paired>('/api/pair', { device: name.trim() });
    setProblem(answered.ok ? undefined : answered.problem);
    setPaired(answered.ok ? answered.value : undefined);
  };
  return (
    <section class="box" aria-labelledby="pair">
      <h2 id="pair">Pair a phone</h2>
      <p class="hint">The code works once, for a short time, and for the device you name.</p>
      <form class="row" onSubmit={(event) => { event.preventDefault(); void submit(); }}>
        <label class="grow"><span class="voice">Name of the device</span><input placeholder="Ann's phone" value={name} maxLength={60} onInput={(event) => setName(event.currentTarget.value)} /></label>
        <button type="submit" disabled={name.trim() === ''}>Show a code</button>
      </form>
      {problem ? <ErrorNote problem={problem} /> : null}
      {paired?.reachable === false ? <Note kind="warn"><p>The gate is at an address that only its own machine reaches, so no phone can open this link. <code>tollgate pair</code> says what to write into the settings.</p></Note> : null}
      {paired !== undefined && paired.reachable !== false ? (
        <figure class="paired">
          <QrCode text={paired.qr || paired.url} label={`code that opens ${paired.url.replace(/#.*$/, '…')}`} />
          <figcaption><p>Point the phone's camera at it. It ends in <Countdown until={paired.expiresAt} />.</p><details><summary>Show the link</summary><p><code class="link"><Hostile text={paired.url} /></code></p></details></figcaption>
        </figure>
      ) : null}
    </section>
  );
}

function Devices(): JSX.Element {
  const loaded = useLoaded<{ devices: Device[] }>('/api/devices');
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  const revoke = async (name: string): Promise<void> => {
    const answered = await send('DELETE', `/api/devices/${encodeURIComponent(name)}`);
    setProblem(answered.ok ? undefined : answered.problem);
    await loaded.again();
  };
  const devices = loaded.value.value?.devices;
  return (
    <section class="box" aria-labelledby="devices">
      <h2 id="devices">Paired devices</h2>
      {problem ? <ErrorNote problem={problem} /> : null}
      {loaded.problem.value ? <ErrorNote problem={loaded.problem.value} /> : devices === undefined ? <Busy what="fetching the devices" /> : devices.length === 0 ? <p class="nothing">None. A phone that you pair stands here and can be revoked.</p> : (
        <ul class="devices">{devices.map((device) => (
          <li key={device.name} class={device.revokedAt ? 'revoked' : ''}>
            <span class="device-name"><b><Hostile text={device.device || device.name} manner="prose" /></b>{device.current === true ? <span class="tag">this one</span> : null}{device.operator === true ? <span class="tag">operator</span> : null}{device.push === true ? <span class="tag">notices</span> : null}</span>
            <span class="faint"><Hostile text={device.person} manner="prose" />, {device.lastSeenAt ? <>seen <Ago at={device.lastSeenAt} /></> : <>since <Moment at={device.createdAt} /></>}{device.expiresAt ? <>, until <Moment at={device.expiresAt} /></> : null}</span>
            {!device.revokedAt ? <Confirm class="quiet deny small" sure="Revoke it?" onSure={() => void revoke(device.name)}>Revoke</Confirm> : <span class="tag">revoked</span>}
          </li>
        ))}</ul>
      )}
    </section>
  );
}

function Notices(): JSX.Element {
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  useEffect(() => { void pushState(); }, []);
  const toggle = async (): Promise<void> => setProblem(await (subscribed.value === true ? stopPush() : startPush()));
  const state = subscribed.value;
  return (
    <section class="box" aria-labelledby="notices">
      <h2 id="notices">Notices on this device</h2>
      {typeof state === 'string' ? <Note><p>{state}</p></Note> : (
        <><p class="hint">A notice comes even when the page is closed. It opens the card; answering is done there.</p>
          <button type="button" aria-pressed={state} onClick={() => void toggle()}>{state ? 'Switch notices off' : 'Switch notices on'}</button></>
      )}
      {problem ? <ErrorNote problem={problem} /> : null}
    </section>
  );
}

function Page(): JSX.Element {
  return (
    <section class="box" aria-labelledby="look">
      <h2 id="look">This page</h2>
      <fieldset class="radios"><legend>Appearance</legend>{(['system', 'light', 'dark'] as Theme[]).map((each) => (
        <label key={each} class="check"><input type="radio" name="theme" checked={theme.value === each} onChange={() => { theme.value = each; }} /><span>{each === 'system' ? 'as the system' : each}</span></label>
      ))}</fieldset>
      <label class="check"><input type="checkbox" checked={singleKeys.value} onChange={(event) => { singleKeys.value = event.currentTarget.checked; }} /><span>Single keys answer questions (j k y s a n e g)</span></label>
    </section>
  );
}

function Gate(): JSX.Element {
  const loaded = useLoaded<SettingsValue>('/api/settings');
  const value = loaded.value.value;
  const offset = clockOffset();
  return (
    <section class="box" aria-labelledby="gate">
      <h2 id="gate">The gate</h2>
      {loaded.problem.value ? <ErrorNote problem={loaded.problem.value} /> : value === undefined ? <Busy what="asking" /> : (
        <dl class="facts">
          <div><dt>Listens at</dt><dd><code>{value.listen}</code></dd></div>
          {value.publicUrl === '' ? null : <div><dt>Known as</dt><dd><code><Hostile text={value.publicUrl} /></code></dd></div>}
          <div><dt>Questions wait</dt><dd>{value.permissionTimeoutMs === 0 ? 'until answered' : took(value.permissionTimeoutMs)}</dd></div>
          <div><dt>Record kept for</dt><dd>{roughly(value.retentionMs)}</dd></div>
          <div><dt>Its clock</dt><dd>{Math.abs(offset) < 2_000 ? 'as this device’s' : `${took(Math.abs(offset))} ${offset > 0 ? 'ahead of' : 'behind'} this device’s`}</dd></div>
        </dl>
      )}
    </section>
  );
}
