// The keyboard: j k to move, y s a n e g to answer the card that is selected, 1–7 for the views, ? for help.
// Keys never act while something is typed, nor with a modifier, nor when the reader switched them off.
import { signal } from '@preact/signals';
import { announce } from '../model/announce';
import { approve } from '../model/answers';
import { singleKeys } from '../model/preferences';
import { isPending, itemOf, selected } from '../model/questions';
import { go, route, views } from '../model/route';
import { teaches } from '../parts/card';
import { closePanel, openPanel, type PanelName } from '../parts/panels';
import { select, shownIds } from '../views/questions';

export const helpOpen = signal(false);

export const keyList: [string, string][] = [
  ['j', 'next question'], ['k', 'previous question'], ['y', 'allow once'], ['s', 'allow for this session'], ['a', 'allow always: a rule'],
  ['n', 'deny, with a reason'], ['e', 'edit the input, then allow once'], ['g', 'answer those that are alike together'], ['Esc', 'close a panel'],
  ['Ctrl Enter', 'send what a panel holds'], ['1 … 7', 'Questions, Sessions, History, Policy, Grants, Insight, Settings'], ['?', 'this list'],
];

export function startKeys(): void {
  window.addEventListener('keydown', (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !singleKeys.value || isTyping(event.target)) return;
    if (act(event.key)) event.preventDefault();
  });
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.closest('dialog[open]') !== null);
}

function act(key: string): boolean {
  // SAFETY: while a panel is open, or about to be, what is typed is meant for it; a word must never answer a question.
  if (openPanel.value !== undefined) { if (key === 'Escape') closePanel(); return key === 'Escape' || (key.length === 1 && key !== ' '); }
  if (key === '?') { helpOpen.value = true; return true; }
  if (/^[1-7]$/.test(key)) { go(views[Number(key) - 1]!); return true; }
  if (route.value.view !== 'questions') return false;
  if (key === 'j' || key === 'k') { move(key === 'j' ? 1 : -1); return true; }
  return answer(key);
}

function move(by: 1 | -1): void {
  const ids = shownIds();
  if (ids.length === 0) return;
  const at = selected.value === undefined ? -1 : ids.indexOf(selected.value);
  const next = at < 0 ? (by === 1 ? firstOpen(ids) : ids.length - 1) : Math.min(ids.length - 1, Math.max(0, at + by));
  select(ids[next]!);
}

const firstOpen = (ids: string[]): number => Math.max(0, ids.findIndex((id) => { const item = itemOf(id); return item !== undefined && isPending(item); }));

const panels: Record<string, PanelName> = { a: 'always', n: 'deny', e: 'edit', g: 'alike' };

function answer(key: string): boolean {
  if (!'ysaneg'.includes(key)) return false;
  const item = selected.value === undefined ? undefined : itemOf(selected.value);
  if (item === undefined || !shownIds().includes(item.id)) { announce('No question is selected. Press j.'); return true; }
  const whole = item.whole.value;
  if (!isPending(item) || item.brief.value.type === 'escalation') return false;
  if (whole === undefined && key !== 'n') { announce('The whole call is not here yet.'); return true; }
  if (key === 'y') void approve(item, { scope: 'once' }, 'allowed once').then((done) => { if (done) onward(item.id); });
  else if ((key === 's' || key === 'a') && whole !== undefined && !teaches(whole)) announce('This can be allowed once only.');
  else if (key === 's') void approve(item, { scope: 'session' }, 'allowed for this session').then((done) => { if (done) onward(item.id); });
  else if (key !== 'g' || item.brief.value.group !== undefined) openPanel.value = { id: item.id, panel: panels[key]! };
  return true;
}

// After an answer by key the next open question has the focus; the pointer moves nothing.
function onward(from: string): void {
  if (selected.value !== from) return;
  const ids = shownIds();
  const at = ids.indexOf(from);
  const next = [...ids.slice(at + 1), ...ids.slice(0, at)].find((id) => { const item = itemOf(id); return item !== undefined && isPending(item); });
  if (next !== undefined) select(next);
}
