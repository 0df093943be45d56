// The beginning: who is here, then the page or the login. Title and icon carry the number of open questions.
import { effect, signal } from '@preact/signals';
import { render, type JSX } from 'preact';
import { loggedOut } from '../model/api';
import { startClock } from '../model/clock';
import { unwatch, watch } from '../model/live';
import { onKey } from '../model/key';
import { logIn, me, whoAmI } from '../model/me';
import { lookAtPolicy, startPolicyErrors } from '../model/policyerrors';
import { startPreferences } from '../model/preferences';
import { forgetAll, pendingCount, startQuestions } from '../model/questions';
import { door, leaveDoor, route } from '../model/route';
import type { Problem } from '../model/types';
import { ErrorNote } from '../parts/basics';
import { Grants } from '../views/grants';
import { History } from '../views/history';
import { Insight } from '../views/insight';
import { Login } from '../views/login';
import { Pair } from '../views/pair';
import { Policy } from '../views/policy';
import { Questions } from '../views/questions';
import { Sessions } from '../views/sessions';
import { Settings } from '../views/settings';
import { Trust } from '../views/trust';
import { startKeys } from './keys';
import { Shell } from './shell';
import { startWorker } from './worker';
import '../style/base.css';
import '../style/frame.css';
import '../style/card.css';
import '../style/views.css';

const viewOf = { questions: Questions, sessions: Sessions, history: History, policy: Policy, grants: Grants, insight: Insight, settings: Settings };

const away = signal<Problem | undefined>(undefined);   // why the gate does not answer at the start
const refused = signal<Problem | undefined>(undefined);   // why a link did not log in

function Page(): JSX.Element | null {
  if (door.value?.kind === 'pair') return <Pair door={door.value} />;
  if (door.value?.kind === 'trust') return <Trust />;
  if (door.value?.kind === 'login') return <p class="busy first" role="status">one moment</p>;
  if (loggedOut.value) return <Login before={refused.value} />;
  if (me.value === undefined) return away.value === undefined ? <p class="busy first" role="status">one moment</p> : <main class="login" id="main"><h1>Tollgate</h1><ErrorNote problem={away.value} /></main>;
  const View = viewOf[route.value.view];
  return <Shell><View /></Shell>;
}

effect(() => {
  const open = pendingCount.value;
  const names: Record<string, string> = { questions: 'Questions', sessions: 'Sessions', history: 'History', policy: 'Policy', grants: 'Grants', insight: 'Insight', settings: 'Settings' };
  document.title = `${open > 0 ? `(${open}) ` : ''}${names[route.value.view]} · Tollgate`;
  const icon = document.getElementById('icon');
  icon?.setAttribute('href', open === 0 ? '/icon.svg' : open > 9 ? '/icon-more.svg' : `/icon-${open}.svg`);
  const badge = navigator as { setAppBadge?: (n: number) => Promise<void>; clearAppBadge?: () => Promise<void> };
  void (open > 0 ? badge.setAppBadge?.(open) : badge.clearAppBadge?.())?.catch(() => {});
});

// Another view begins at its top.
let last = route.value.view;
effect(() => { if (route.value.view !== last) { last = route.value.view; scrollTo(0, 0); } });

// Logged in, the page watches; logged out, it forgets what it saw.
effect(() => {
  if (me.value !== undefined && !loggedOut.value) return;
  unwatch();
  forgetAll();
});
let watching = '';
effect(() => {
  const name = loggedOut.value ? '' : me.value?.name ?? '';
  if (name === watching) return;
  watching = name;
  if (name === '') return;
  watch();
  void lookAtPolicy();
});

// What a printed link leads to: its secret logs in here, so that this page and no other gets the key. A link that was used before
// does not throw out whoever is logged in.
async function enterByLink(secret: string): Promise<void> {
  leaveDoor();
  const answered = await logIn(`/login/${secret}`);
  refused.value = answered.ok ? undefined : answered.problem;
  if (!answered.ok) await begin();
}

async function begin(): Promise<void> {
  const answered = await whoAmI();
  away.value = answered.ok ? undefined : answered.problem;
  if (!answered.ok && answered.status !== 401) setTimeout(() => void begin(), 2_000);
}

startPreferences();
startClock();
startQuestions();
startPolicyErrors();
startKeys();
render(<Page />, document.getElementById('page')!);
if (door.value?.kind !== 'login') void begin();
effect(() => { if (door.value?.kind === 'login') void enterByLink(door.value.argument); });
onKey(() => void begin());
startWorker();
