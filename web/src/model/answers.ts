// Answering: one question or several of a group. Nothing is shown as done before the gate has said so.
import { announce } from './announce';
import { post, type Answered } from './api';
import { apply, itemOf, type Act, type Item } from './questions';
import type { Json, Permission, Preview, Problem } from './types';

export interface Approval {
  scope?: 'once' | 'session' | 'agent' | 'everyone';
  rule?: string; reason?: string; expires?: number; persist?: boolean;
  updatedInput?: Json; option?: string; text?: string; answers?: Record<string, string>;
}

export const approve = (item: Item, approval: Approval, verb: string): Promise<boolean> => act(item, 'approve', approval, verb);
export const deny = (item: Item, reason: string): Promise<boolean> => act(item, 'deny', reason === '' ? {} : { reason }, 'denied');

async function act(item: Item, word: string, body: object, verb: string): Promise<boolean> {
  if (item.act.value?.state === 'sending' || item.brief.value.state !== 'pending') return false;
  item.act.value = { state: 'sending', verb };
  const answered = await post<Permission>(`/api/permissions/${item.id}/${word}`, body);
  if (answered.ok) {
    item.act.value = { state: 'recorded', verb };
    apply(answered.value);
    announce(`Recorded: ${verb}.`);
    return true;
  }
  refused(item, answered);
  return false;
}

// Somebody else was faster: their answer stands and is shown.
function refused(item: Item, answered: Extract<Answered<Permission>, { ok: false }>): void {
  const ended = (answered.body as { permission?: Permission } | undefined)?.permission;
  if (answered.status === 409 && ended !== undefined) {
    item.act.value = undefined;
    apply(ended);
    announce(`Answered elsewhere: ${ended.state}${ended.answer ? ` by ${ended.answer.by}` : ''}.`);
    return;
  }
  item.act.value = { state: 'failed', problem: answered.problem };
  announce(`Not recorded: ${answered.problem.message}`);
}

export interface Together { answered: string[]; refused: { id: string; code: string; message: string }[] }

export async function answerTogether(ids: string[], decision: 'allow' | 'deny', scope: 'once' | 'session', reason: string): Promise<Answered<Together>> {
  const verb = decision === 'deny' ? 'denied' : scope === 'session' ? 'allowed for this session' : 'allowed once';
  const mark = (some: string[], act: Act | undefined): void => { for (const id of some) { const item = itemOf(id); if (item) item.act.value = act; } };
  mark(ids, { state: 'sending', verb });
  const answered = await post<Together>('/api/permissions/answer', { ids, decision, ...(decision === 'allow' ? { scope } : {}), ...(reason === '' ? {} : { reason }) });
  if (!answered.ok) { mark(ids, { state: 'failed', problem: answered.problem }); return answered; }
  mark(answered.value.answered, { state: 'recorded', verb });
  for (const { id, code, message } of answered.value.refused) mark([id], { state: 'failed', problem: { code, message, hint: 'answer it by itself' } satisfies Problem });
  announce(`Recorded: ${answered.value.answered.length} ${verb}.`);
  return answered;
}

export const previewRule = (id: string, rule: string): Promise<Answered<Preview>> => post(`/api/permissions/${id}/preview`, { rule });
export const markSeen = (id: string): Promise<Answered<unknown>> => post(`/api/permissions/${id}/seen`);
