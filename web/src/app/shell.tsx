// The frame of the page: the way around, the banner about the connection, the voice for those who listen.
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { said } from '../model/announce';
import { second } from '../model/clock';
import { connection, tryNow } from '../model/live';
import { me } from '../model/me';
import { theme, type Theme } from '../model/preferences';
import { pendingCount } from '../model/questions';
import { policyErrors } from '../model/policyerrors';
import { route, views, type View } from '../model/route';
import { Icon } from '../parts/basics';
import { Hostile } from '../parts/hostile';
import { clockTime, countdown, thousands } from '../text/time';
import { helpOpen, keyList } from './keys';

const names: Record<View, string> = { questions: 'Questions', sessions: 'Sessions', history: 'History', policy: 'Policy', grants: 'Grants', insight: 'Insight', settings: 'Settings' };
const few: View[] = ['questions', 'sessions', 'history', 'policy'];

export function Shell({ children }: { children: ComponentChildren }): JSX.Element {
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => { event.preventDefault(); document.getElementById('main')?.focus(); }}>Skip to the content</a>
      <div class="frame">
        <Nav />
        <div class="content">
          <Banner />
          <PolicyBanner />
          <SelfApproval />
          <main id="main" tabIndex={-1}>{children}</main>
        </div>
      </div>
      <div class="voice" role="status" aria-live="polite" aria-atomic="true">{said.value}</div>
      <Help />
    </>
  );
}

function Nav(): JSX.Element {
  const [more, setMore] = useState(false);
  const here = route.value.view;
  useEffect(() => setMore(false), [here]);
  return (
    <nav class={`nav ${more ? 'more-open' : ''}`} aria-label="views">
      <a class="brand" href="#/questions"><img src="/icon.svg" alt="" width="24" height="24" /><span>Tollgate</span></a>
      <ul>
        {views.map((view) => (
          <li key={view} class={few.includes(view) ? '' : 'later'}>
            <a href={`#/${view}`} aria-current={here === view ? 'page' : undefined}>
              <Icon name={view} /><span>{names[view]}</span>
              {view === 'questions' && pendingCount.value > 0 ? <span class="badge" aria-label={`${pendingCount.value} open`}>{pendingCount.value > 999 ? '999+' : pendingCount.value}</span> : null}
            </a>
          </li>
        ))}
        <li class="more"><button type="button" aria-expanded={more} aria-current={few.includes(here) ? undefined : 'page'} onClick={() => setMore(!more)}><Icon name="more" /><span>{few.includes(here) ? 'More' : names[here]}</span></button></li>
      </ul>
      <div class="foot">
        <ThemeSwitch />
        {me.value === undefined ? null : <p class="who"><Hostile text={me.value.person} manner="prose" />{me.value.operator ? <span class="faint"> operator</span> : null}</p>}
        <button type="button" class="quiet small" onClick={() => { helpOpen.value = true; }}>Keys <kbd>?</kbd></button>
      </div>
    </nav>
  );
}

const nextTheme: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' };
const themeIcon: Record<Theme, string> = { system: 'half', light: 'sun', dark: 'moon' };

export function ThemeSwitch(): JSX.Element {
  return (
    <button type="button" class="quiet small theme" onClick={() => { theme.value = nextTheme[theme.value]; }}>
      <Icon name={themeIcon[theme.value]} /><span><span class="voice">Appearance: </span>{theme.value === 'system' ? 'As the system' : theme.value === 'light' ? 'Light' : 'Dark'}</span>
    </button>
  );
}

// Cut off, the page says so and since when: what it shows may be old, and answers cannot be sent.
function Banner(): JSX.Element | null {
  const { state, since } = connection.value;
  if (state !== 'lost') return null;
  return (
    <div class="banner bad" role="alert">
      <p><b>Not connected</b> since {clockTime(since)} <span class="faint" aria-hidden="true">({countdown(Math.max(0, Date.now() - since + 0 * second.value))})</span>. What stands below is as it was then. The page tries again by itself.</p>
      <button type="button" onClick={tryNow}>Try now</button>
    </div>
  );
}

function PolicyBanner(): JSX.Element | null {
  const errors = policyErrors.value;
  if (errors.length === 0) return null;
  return (
    <div class="banner bad" role="alert">
      <p><b>The policy file has {errors.length === 1 ? 'an error' : `${thousands(errors.length)} errors`}</b>; the last good policy holds. <code><Hostile text={errors[0]!.where ?? ''} /></code> <Hostile text={errors[0]!.message} manner="prose" />. <Hostile text={errors[0]!.hint} manner="prose" /></p>
    </div>
  );
}

function SelfApproval(): JSX.Element | null {
  const note = me.value?.selfApproval;
  const [hidden, setHidden] = useState(false);
  if (note === undefined || note.prevented || hidden) return null;
  return (
    <aside class="banner warn" aria-label="self-approval">
      <details><summary>An agent could answer itself</summary><p>It is not prevented: <Hostile text={note.why} manner="prose" />.</p></details>
      <button type="button" class="quiet small" onClick={() => setHidden(true)}>I know</button>
    </aside>
  );
}

function Help(): JSX.Element {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => { if (helpOpen.value && box.current?.open === false) box.current.showModal(); }, [helpOpen.value]);
  return (
    <dialog ref={box} class="help" aria-labelledby="help-title" onClose={() => { helpOpen.value = false; }} onClick={(event) => { if (event.target === box.current) box.current?.close(); }}>
      <header><h2 id="help-title">Keys</h2><button type="button" class="quiet" aria-label="Close" onClick={() => box.current?.close()}><Icon name="close" /></button></header>
      <dl>{keyList.map(([key, what]) => <div key={key}><dt>{key.split(' ').map((each) => (each === '…' ? ' … ' : <kbd key={each}>{each}</kbd>))}</dt><dd>{what}</dd></div>)}</dl>
      <p class="hint">Single keys can be switched off under Settings.</p>
    </dialog>
  );
}
