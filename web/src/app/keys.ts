// The keyboard: j k to move, y s a n e g to answer the card that is selected, 1–7 for the views, ? for help.
// Keys never act while something is typed, nor with a modifier, nor when the reader switched them off.
// SAFETY: a yes by key counts only for what was before the eyes: not for a card that has just come there or stands out of sight,
// and not at once where part of the call never was on the screen. The pointer needs no such guard: it points.
import { signal } from '@preact/signals';
import { announce } from '../model/announce';
import { approve } from '../model/answers';
import { singleKeys } from '../model/preferences';
import { isPending, itemOf, selected, type Item } from '../model/questions';
import { go, route, views } from '../model/route';
import { teaches } from '../parts/card';
import { closePanel, openPanel, type PanelName } from '../parts/panels';
import { isUnread } from '../parts/scrolls';
import { feed, select, shownIds } from '../views/questions';

export const helpOpen = signal(false);

export const keyList: [string, string][] = [
  ['j', 'next question'], ['k', 'previous question'], ['y', 'allow once'], ['s', 'allow for this session'], ['a', 'allow always: a rule'],
  ['n', 'deny, with a reason'], ['e', 'edit the input, then allow once'], ['g', 'answer those that are alike together'], ['Esc', 'close a panel'],
  ['Ctrl Enter', 'send what a panel holds'], ['1 … 7', 'Questions, Sessions, History, Policy, Grants, Insight, Settings'], ['?', 'this list'],
];

export function startKeys(): void {
  window.addEventListener('keydown', (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !singleKeys.value || isTyping(event.target)) return;
    if (act(event.key, event.repeat)) event.preventDefault();
  });
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.closest('dialog[open]') !== null);
}

function act(key: string, held: boolean): boolean {
  // SAFETY: while a panel is open, or about to be, what is typed is meant for it; a word must never answer a question.
  if (openPanel.value !== undefined) { if (key === 'Escape') closePanel(); return key === 'Escape' || (key.length === 1 && key !== ' '); }
  if (key === '?') { helpOpen.value = true; return true; }
  if (/^[1-7]$/.test(key)) { go(views[Number(key) - 1]!); return true; }
  if (route.value.view !== 'questions') return false;
  if (key === 'j' || key === 'k') { move(key === 'j' ? 1 : -1); return true; }
  return 'ysaneg'.includes(key) && (held || answer(key));
}

function move(by: 1 | -1): void {
  const ids = shownIds();
  if (ids.length === 0) return;
  const at = selected.value === undefined ? -1 : ids.indexOf(selected.value);
  sure = '';
  const next = at < 0 ? (by === 1 ? firstOpen(ids) : ids.length - 1) : Math.min(ids.length - 1, Math.max(0, at + by));
  select(ids[next]!);
}

const firstOpen = (ids: string[]): number => Math.max(0, ids.findIndex((id) => { const item = itemOf(id); return item !== undefined && isPending(item); }));

const panels: Record<string, PanelName> = { a: 'always', n: 'deny', e: 'edit', g: 'alike' };

// LIMIT: for so long after another card came before the eyes by itself no key answers it, as in `tollgate top`.
const settleMs = 500;
let cameAt = -settleMs;
let sure = '';   // the card and the key for which it was said that part of the call is unread

// Whether a key that answers by itself may do so now; where not, what is in its way is said or brought into sight.
// The keys that open a panel answer nothing and need no such guard: what is typed after them must reach the panel.
function maySettle(item: Item, key: string): boolean {
  if (performance.now() - cameAt < settleMs) { cameAt = performance.now(); announce('Another question has just come. Press again.'); return false; }
  if (!isInSight(item.id)) {
    feed.current?.reveal(item.id);
    cameAt = performance.now();
    announce('The question was out of sight. Read it, then press again.');
    return false;
  }
  const asked = `${item.id} ${key}`;
  if (sure === asked || !hasUnread(item.id)) return true;
  sure = asked;
  item.act.value = { state: 'failed', problem: { code: 'unread', message: 'part of the call was not on the screen', hint: 'scroll through it, or press the same key again' } };
  announce('Part of the call was not on the screen. The same key again allows it.');
  return false;
}

// Half of the card, or as much of it as fills half of the window.
function isInSight(id: string): boolean {
  const place = document.getElementById(`card-${id}`)?.getBoundingClientRect();
  if (place === undefined) return false;
  return Math.min(place.bottom, innerHeight) - Math.max(place.top, 0) >= Math.min(place.height, innerHeight) / 2;
}

// A box of the call that scrolls and was never scrolled to its end. The agent's own words do not count.
const hasUnread = (id: string): boolean =>
  [...document.querySelectorAll<HTMLElement>(`#card-${id} :is(.longtext, .diff, .tree)`)].some((box) => box.closest('.words') === null && isUnread(box));

function answer(key: string): boolean {
  const item = selected.value === undefined ? undefined : itemOf(selected.value);
  if (item === undefined || !shownIds().includes(item.id)) { announce('No question is selected. Press j.'); return true; }
  const whole = item.whole.value;
  if (!isPending(item) || item.brief.value.type === 'escalation') return false;
  if (whole === undefined && key !== 'n') { announce('The whole call is not here yet.'); return true; }
  const opens = panels[key];
  if ((key === 's' || key === 'a') && whole !== undefined && !teaches(whole)) announce('This can be allowed once only.');
  else if (opens === undefined) allow(item, key);
  else if (key !== 'g' || item.brief.value.group !== undefined) openPanel.value = { id: item.id, panel: opens };
  return true;
}

function allow(item: Item, key: string): void {
  if (!maySettle(item, key)) return;
  const done = key === 'y' ? approve(item, { scope: 'once' }, 'allowed once') : approve(item, { scope: 'session' }, 'allowed for this session');
  void done.then((recorded) => { if (recorded) onward(item.id); });
}

// After an answer by key the next open question has the focus; the pointer moves nothing.
function onward(from: string): void {
  if (selected.value !== from) return;
  const ids = shownIds();
  const at = ids.indexOf(from);
  const next = [...ids.slice(at + 1), ...ids.slice(0, at)].find((id) => { const item = itemOf(id); return item !== undefined && isPending(item); });
  if (next === undefined) return;
  cameAt = performance.now();
  select(next);
}
