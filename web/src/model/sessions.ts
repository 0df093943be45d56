// The sessions of agents, as a tree, kept current by the socket.
import { computed, signal } from '@preact/signals';
import { get, post, send, type Answered } from './api';
import { onEvent } from './live';
import type { Problem, Session } from './types';

const all = signal<Map<string, Session> | undefined>(undefined);
export const sessionsProblem = signal<Problem | undefined>(undefined);

export interface Branch { session: Session; below: Branch[] }

// Parents first, newest first among siblings; one whose parent is unknown stands at the top.
export const sessionTree = computed<Branch[] | undefined>(() => {
  if (all.value === undefined) return undefined;
  const branches = new Map([...all.value.values()].map((session) => [session.id, { session, below: [] } as Branch]));
  const top: Branch[] = [];
  for (const branch of branches.values()) (branches.get(branch.session.parent ?? '')?.below ?? top).push(branch);
  const newest = (a: Branch, b: Branch): number => (a.session.createdAt < b.session.createdAt ? 1 : -1);
  const isOver = (branch: Branch): number => (branch.session.state === 'ended' ? 1 : 0);
  const sort = (list: Branch[]): void => { list.sort((a, b) => isOver(a) - isOver(b) || newest(a, b)); for (const each of list) sort(each.below); };
  sort(top);
  return top;
});

// What the socket told while a list was on its way: the list may be older.
let told: Session[] = [];
let underWay = 0;

export async function loadSessions(): Promise<void> {
  ++underWay;
  const answered = await get<{ sessions: Session[] }>('/api/sessions?state=all');
  --underWay;
  sessionsProblem.value = answered.ok ? undefined : answered.problem;
  if (answered.ok) all.value = new Map([...answered.value.sessions, ...told].map((session) => [session.id, session]));
  if (underWay === 0) told = [];
}

export function watchSessions(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  onEvent(({ channel, event, data }) => {
    if (channel === 'session' && event === 'changed') put(data as Session);
    // A question that comes or goes changes who waits; what changes many sessions at once is told without them.
    const many = channel === 'session' && event === 'all';
    if ((many || (channel === 'permission' && event !== 'seen')) && all.value !== undefined) { clearTimeout(timer); timer = setTimeout(() => void loadSessions(), 300); }
  });
}
watchSessions();

function put(session: Session): void {
  if (session.id === undefined) return;
  if (underWay > 0) told.push(session);
  if (all.value !== undefined) all.value = new Map(all.value).set(session.id, session);
}

export async function changeSession(id: string, change: Partial<Pick<Session, 'mode' | 'answer' | 'frozen'>>): Promise<Answered<Session>> {
  const answered = await send<Session>('PATCH', `/api/sessions/${id}`, change);
  if (answered.ok) put(answered.value);
  return answered;
}

export async function endSession(id: string): Promise<Answered<Session>> {
  const answered = await send<Session>('DELETE', `/api/sessions/${id}`);
  if (answered.ok) await loadSessions();
  return answered;
}

export async function freezeAll(frozen: boolean, agent?: string): Promise<Answered<unknown>> {
  const answered = await post('/api/freeze', { ...(agent === undefined ? {} : { agent }), frozen });
  await loadSessions();
  return answered;
}
