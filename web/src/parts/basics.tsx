// Small parts that every view uses: notes about errors, empty states, moments, tags, keys, icons.
import type { ComponentChildren, JSX } from 'preact';
import { second } from '../model/clock';
import type { Problem } from '../model/types';
import { ago, briefMoment, wholeTime } from '../text/time';
import { Hostile } from './hostile';

export function ErrorNote({ problem, retry }: { problem: Problem; retry?: () => void }): JSX.Element {
  return (
    <div class="note bad" role="alert">
      <p><Hostile text={problem.message} manner="prose" />{problem.where ? <> <code><Hostile text={problem.where} /></code></> : null}</p>
      {problem.hint === '' ? null : <p class="hint"><Hostile text={problem.hint} manner="prose" /></p>}
      {retry === undefined ? null : <button type="button" onClick={retry}>Try again</button>}
    </div>
  );
}

export const Note = ({ kind = '', children }: { kind?: string; children: ComponentChildren }): JSX.Element => <div class={`note ${kind}`}>{children}</div>;

export function Empty({ title, children }: { title: string; children?: ComponentChildren }): JSX.Element {
  return <div class="empty"><h2>{title}</h2>{children}</div>;
}

export const Moment = ({ at, seconds = true }: { at: string | number | null; seconds?: boolean }): JSX.Element =>
  <time dateTime={at === null ? undefined : new Date(at).toISOString()} title={wholeTime(at)}>{seconds ? briefMoment(at) : briefMoment(at).slice(0, -3)}</time>;

export const Ago = ({ at }: { at: string | number | null }): JSX.Element => <time title={wholeTime(at)}>{at === null ? '' : ago(at, second.value)}</time>;

export const Key = ({ name }: { name: string }): JSX.Element => <kbd aria-hidden="true">{name}</kbd>;

const verdictWords: Record<string, string> = { allow: 'allowed', ask: 'asked', deny: 'denied' };
export const VerdictTag = ({ verdict }: { verdict: string }): JSX.Element => <span class={`tag verdict-${verdict}`}>{verdictWords[verdict] ?? verdict}</span>;

export const Busy = ({ what }: { what: string }): JSX.Element => <p class="busy" role="status">{what}</p>;

// Drawn by hand on a grid of 20; the text beside an icon says what it means.
const paths: Record<string, string> = {
  questions: 'M3 4h14v9H9l-4 4v-4H3z', sessions: 'M4 4h5v4H4zM11 12h5v4h-5zM6.500 8v6H11', history: 'M10 3a7 7 0 1 1-6.300 4M3 3v4h4M10 6.500V10l2.500 2',
  policy: 'M10 3l6 2v5c0 4-3 6-6 7-3-1-6-3-6-7V5zM7.500 10l2 2 3.500-4', grants: 'M7 12a3.500 3.500 0 1 1 2.500-1L16 4.500M13.500 7l2 2M11.700 8.800l1.500 1.500', insight: 'M3 17h14M5 14v-4M9 14V5M13 14V8M16.500 14v-2.500',
  settings: 'M3 6h8M15 6h2M3 14h2M9 14h8M13 4v4M7 12v4', more: 'M4 10h.01M10 10h.01M16 10h.01', sun: 'M10 6.500a3.500 3.500 0 1 1 0 7 3.500 3.500 0 0 1 0-7M10 2v1.500M10 16.500V18M2 10h1.500M16.500 10H18M4.300 4.300l1 1M14.700 14.700l1 1M15.700 4.300l-1 1M5.300 14.700l-1 1',
  moon: 'M16 12.500A7 7 0 1 1 8 3.500a5.500 5.500 0 0 0 8 9z', freeze: 'M10 2.500v15M3.500 6.300l13 7.500M16.500 6.300l-13 7.500', close: 'M5 5l10 10M15 5L5 15', half: 'M10 3a7 7 0 1 0 0 14zM10 3a7 7 0 0 1 0 14',
};
export const Icon = ({ name }: { name: string }): JSX.Element =>
  <svg class="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" focusable="false"><path d={paths[name] ?? ''} /></svg>;
