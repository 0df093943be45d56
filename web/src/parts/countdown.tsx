// What is left of a question's time, by the gate's clock.
import type { JSX } from 'preact';
import { now, second } from '../model/clock';
import { countdown, millis, wholeTime } from '../text/time';

export function Countdown({ until }: { until: string | null }): JSX.Element {
  if (until === null) return <span class="countdown faint" title="it waits until somebody answers">no limit</span>;
  void second.value;   // redraws this alone, each second
  const left = millis(until) - now();
  const urgency = left <= 0 ? 'over' : left < 30_000 ? 'urgent' : left < 120_000 ? 'soon' : '';
  return <time class={`countdown ${urgency}`} dateTime={until} title={`denied at ${wholeTime(until)}`}>{left <= 0 ? 'time is up' : countdown(left)}</time>;
}
