// The web socket: what goes on, as it happens, and exactly once.
// Every event has a number of its daemon run. After a cut the page asks for what came since; where the gate no longer
// knows it, it sends all that is open and the page starts from that.
// INVARIANT: an event is applied once, and a gap is never passed over.
import { signal } from '@preact/signals';
import { get } from './api';
import { learn } from './clock';
import { keyNow } from './key';

export interface Event { channel: string; event: string; data: unknown; seq?: number; run?: string }
type Listener = (event: Event) => void;

export interface Connection { state: 'connecting' | 'open' | 'lost'; since: number; tries: number }
export const connection = signal<Connection>({ state: 'connecting', since: Date.now(), tries: 0 });

const listeners = new Set<Listener>();
export function onEvent(listener: Listener): void { listeners.add(listener); }

let socket: WebSocket | undefined;
let wanted = false;
let run = '';
let seq = -1;
let retry: ReturnType<typeof setTimeout> | undefined;
let silence: ReturnType<typeof setInterval> | undefined;
let heard = 0;

const pulse = 15_000;   // how long it may be silent before we ask whether anybody is there

export function watch(): void {
  wanted = true;
  open();
  addEventListener('online', () => { if (wanted && connection.value.state !== 'open') again(0); });
  document.addEventListener('visibilitychange', () => { if (!document.hidden && wanted && connection.value.state === 'lost') again(0); });
}

export function unwatch(): void {
  wanted = false;
  run = '';
  seq = -1;
  clearTimeout(retry);
  clearInterval(silence);
  socket?.close();
  socket = undefined;
}

function open(): void {
  clearTimeout(retry);
  const since = run !== '' && seq >= 0 ? `&since=${seq}&run=${encodeURIComponent(run)}` : '';
  const mine = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws?view=brief${since}`, ['tollgate', keyNow()].filter((name) => name !== ''));   // the key goes as a protocol's name: a socket has no headers
  socket = mine;
  mine.onopen = () => {
    heard = Date.now();
    beat(mine);
    // What was missed follows at once, if anything was; the first time the gate begins with all that is open.
    if (mine === socket && since !== '') connection.value = { state: 'open', since: Date.now(), tries: 0 };
  };
  mine.onmessage = (message) => { if (mine === socket) hear(String(message.data)); };
  mine.onclose = () => { if (mine === socket) lost(); };
  mine.onerror = () => {};
}

// A line that looks open and is dead says nothing: we ask, and let it go when nobody answers.
function beat(mine: WebSocket): void {
  clearInterval(silence);
  silence = setInterval(() => {
    if (mine !== socket) return;
    if (Date.now() - heard > 2 * pulse) { mine.close(); lost(); }
    else if (Date.now() - heard > pulse && mine.readyState === WebSocket.OPEN) mine.send('{"channel":"gate","event":"ping","data":{}}');
  }, pulse / 3);
}

function lost(): void {
  socket = undefined;
  clearInterval(silence);
  const before = connection.value;
  const tries = before.state === 'lost' ? before.tries + 1 : 0;
  connection.value = { state: 'lost', since: before.state === 'lost' ? before.since : Date.now(), tries };
  void get('/api/me');   // a login that has ended is noticed by this
  if (wanted) again(Math.min(15_000, 400 * 2 ** Math.min(tries, 6)) * (0.7 + 0.6 * Math.random()));
}

function again(ms: number): void {
  clearTimeout(retry);
  retry = setTimeout(() => { if (wanted && socket === undefined) open(); }, ms);
}

export const tryNow = (): void => again(0);

function hear(text: string): void {
  heard = Date.now();
  let event: Event;
  try {
    event = JSON.parse(text) as Event;
  } catch {
    return;
  }
  if (event.channel === 'gate') { learn((event.data as { now?: string } | undefined)?.now); return; }
  if (event.channel === 'permission' && event.event === 'all') startFrom(event);
  else if (!isNext(event)) return;
  if (connection.value.state !== 'open') connection.value = { state: 'open', since: Date.now(), tries: 0 };
  for (const listener of listeners) listener(event);
}

function startFrom(event: Event): void {
  const data = event.data as { now?: string; seq?: number; run?: string };
  run = data.run ?? event.run ?? '';
  seq = data.seq ?? event.seq ?? -1;
  learn(data.now);
}

// False for what was heard before. A gap means that something is missing: then we start anew.
function isNext(event: Event): boolean {
  if (event.seq === undefined) return true;
  if (event.run !== undefined && event.run !== run) { startAnew(); return false; }
  if (event.seq <= seq) return false;
  if (seq >= 0 && event.seq !== seq + 1) { startAnew(); return false; }
  seq = event.seq;
  return true;
}

function startAnew(): void {
  run = '';
  seq = -1;
  socket?.close();
}
