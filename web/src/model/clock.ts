// The gate's clock: countdowns follow it, whatever the time on this device is.
// One timer moves all of them; it rests while nobody looks at the page.
import { signal } from '@preact/signals';

let offset = 0;
let best = Infinity;
export const second = signal(Date.now());   // the gate's time in ms, moved on each second

// `sent` is the gate's own time; the shortest way it took is the truest.
export function learn(sent: string | number | undefined, askedAt?: number): void {
  const at = typeof sent === 'string' ? Date.parse(sent) : sent;
  if (at === undefined || Number.isNaN(at)) return;
  const took = askedAt === undefined ? 1_000 : Date.now() - askedAt;
  if (took > best && best < 1_000) return;
  best = took;
  offset = at - Date.now();
  second.value = now();
}

export const now = (): number => Date.now() + offset;
export const clockOffset = (): number => offset;

export function startClock(): void {
  const move = (): void => { if (!document.hidden) second.value = now(); };
  setInterval(move, 1_000);
  document.addEventListener('visibilitychange', move);
}
