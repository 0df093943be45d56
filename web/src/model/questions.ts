// All questions that the page knows, each a cell of its own, so that one that changes redraws one card.
// INVARIANT: a question that has ended stays ended and stays on the page until the reader puts it away.
import { computed, signal, type Signal } from '@preact/signals';
import { get, type Answered } from './api';
import { announce } from './announce';
import { onEvent } from './live';
import { me } from './me';
import { millis } from '../text/time';
import type { Permission, Problem } from './types';

// What this page has done about a question. The gate's own word is in the permission.
export type Act = { state: 'sending'; verb: string } | { state: 'failed'; problem: Problem } | { state: 'recorded'; verb: string };

export interface Item {
  id: string;
  at: number;                            // when it was asked, for the order
  brief: Signal<Permission>;
  whole: Signal<Permission | undefined>; // with its input, once it was in view
  failure: Signal<Problem | undefined>;  // why the whole could not be had
  act: Signal<Act | undefined>;
  missed: Signal<boolean>;               // it ended while the page was cut off
}

const items = new Map<string, Item>();
export const order = signal<string[]>([]);   // oldest first
export const pendingCount = signal(0);
export const ready = signal(false);          // false until the gate has told what is open
export const selected = signal<string | undefined>(undefined);
export const itemOf = (id: string): Item | undefined => items.get(id);
export const isPending = (item: Item): boolean => item.brief.value.state === 'pending';
export const settledCount = computed(() => order.value.length - pendingCount.value);

// Members of each group, for those that may be answered together.
export const groups = signal<Map<string, string[]>>(new Map());

export function startQuestions(): void {
  onEvent(({ channel, event, data }) => {
    if (channel !== 'permission') return;
    if (event === 'all') takeAll((data as { permissions: Permission[] }).permissions);
    else take(data as Permission, event);
  });
}

function takeAll(all: Permission[]): void {
  const open = new Set(all.map((each) => each.permissionId));
  for (const each of all) put(each);
  for (const item of items.values()) if (isPending(item) && !open.has(item.id)) void lookUp(item);
  ready.value = true;
  settle();
}

function take(permission: Permission, event: string): void {
  const known = items.has(permission.permissionId);
  put(permission);
  settle();
  if (event === 'created' && !known) tellNew(permission);
}

function tellNew(permission: Permission): void {
  const what = permission.type === 'escalation' ? 'asks you something' : `asks to use ${permission.toolName}`;
  announce(`New question: ${permission.agent || 'an agent'} ${what}. ${pendingCount.value} open.`);
}

// Ended while we were not told: how is asked one by one, and shown.
async function lookUp(item: Item): Promise<void> {
  item.missed.value = true;
  const answered = await get<Permission>(`/api/permissions/${item.id}`);
  if (answered.ok) apply(answered.value);
  else item.failure.value = answered.problem;
}

// Takes what the gate says about a question, whichever way it came.
export function apply(permission: Permission): void {
  put(permission);
  settle();
}

function put(permission: Permission): void {
  const id = permission.permissionId;
  const item = items.get(id);
  if (item === undefined) {
    items.set(id, {
      id, at: millis(permission.createdAt), brief: signal(permission), whole: signal(isWhole(permission) ? permission : undefined),
      failure: signal(undefined), act: signal(undefined), missed: signal(false),
    });
    return;
  }
  const before = item.brief.value;
  if (before.state !== 'pending' && permission.state === 'pending') return;
  const merged = { ...before, ...permission, deliveredAt: permission.deliveredAt ?? before.deliveredAt, seenAt: permission.seenAt ?? before.seenAt };
  item.brief.value = merged;
  if (isWhole(permission)) item.whole.value = permission;
  else if (item.whole.value !== undefined) item.whole.value = { ...item.whole.value, ...endOf(merged) };
}

const isWhole = (permission: Permission): boolean => permission.toolInput !== undefined && permission.summary === undefined;

const endOf = ({ state, answer, votes, quorum, seenAt, goneAt, deliveredAt, expiresAt }: Permission): Partial<Permission> =>
  ({ state, answer, votes, ...(quorum === undefined ? {} : { quorum }), seenAt, goneAt, deliveredAt, expiresAt });

// What follows from all of them: order, counts and groups. Only changed when they differ, so that lists do not redraw for nothing.
let queued = false;
function settle(): void {
  if (queued) return;
  queued = true;
  queueMicrotask(() => {
    queued = false;
    const sorted = [...items.values()].sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
    const ids = sorted.map((item) => item.id);
    if (ids.length !== order.value.length || ids.some((id, i) => id !== order.value[i])) order.value = ids;
    pendingCount.value = sorted.reduce((n, item) => n + (isPending(item) ? 1 : 0), 0);
    groups.value = groupsOf(sorted);
  });
}

function groupsOf(sorted: Item[]): Map<string, string[]> {
  const all = new Map<string, string[]>();
  for (const item of sorted) {
    const { group, breaker } = item.brief.value;
    if (group === undefined || group === '' || breaker === true || !isPending(item)) continue;
    const members = all.get(group);
    if (members === undefined) all.set(group, [item.id]);
    else members.push(item.id);
  }
  return all;
}

// LIMIT: whole calls can be a megabyte each; those not looked at for longest are let go and fetched again when needed.
const mostWhole = 80;
const used: string[] = [];
const underWay = new Set<string>();

export async function fetchWhole(item: Item): Promise<void> {
  if (item.whole.value !== undefined || underWay.has(item.id)) return;
  underWay.add(item.id);
  const answered: Answered<Permission> = await get(`/api/permissions/${item.id}`);
  underWay.delete(item.id);
  if (!answered.ok) { item.failure.value = answered.problem; return; }
  item.failure.value = undefined;
  used.push(item.id);
  while (used.length > mostWhole) {
    const old = items.get(used.shift()!);
    if (old !== undefined && old.id !== selected.value && isPending(old)) old.whole.value = undefined;
  }
  apply(answered.value);
}

export function clearSettled(): void {
  for (const item of [...items.values()]) if (!isPending(item)) items.delete(item.id);
  settle();
}

export function forgetAll(): void {
  items.clear();
  ready.value = false;
  settle();
}

// Whether this person settled it, by this page or another one of theirs.
export const byMe = (permission: Permission): boolean => permission.answer !== null && permission.answer.by === me.value?.person;
