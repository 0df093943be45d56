// What opens below a card's buttons: a rule for always, a reason for no, another input, the alike.
// Focus goes into the panel when it opens and back to the card when it closes; Escape closes.
import { signal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { approve, answerTogether, deny } from '../model/answers';
import { groups, itemOf, type Item } from '../model/questions';
import type { Json, Permission } from '../model/types';
import { thousands } from '../text/time';
import { Hostile } from './hostile';
import { Note } from './basics';

export type PanelName = 'always' | 'deny' | 'edit' | 'alike';
// Which card has which panel open. One at a time: two half-made answers are a mistake waiting.
export const openPanel = signal<{ id: string; panel: PanelName } | undefined>(undefined);

export function closePanel(): void {
  const open = openPanel.value;
  openPanel.value = undefined;
  if (open !== undefined) document.getElementById(`card-${open.id}`)?.focus({ preventScroll: true });
}

export function Panel({ title, children, onSubmit }: { title: string; children: ComponentChildren; onSubmit: () => void }): JSX.Element {
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => { form.current?.querySelector<HTMLElement>('[data-first], textarea, input, button')?.focus({ preventScroll: true }); form.current?.scrollIntoView({ block: 'nearest' }); }, []);
  const keys = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') { event.preventDefault(); event.stopPropagation(); closePanel(); }
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) { event.preventDefault(); onSubmit(); }
  };
  return (
    <form ref={form} class="panel" aria-label={title} onKeyDown={keys} onSubmit={(event) => { event.preventDefault(); onSubmit(); }}>
      <h3>{title}</h3>
      {children}
    </form>
  );
}

export const Cancel = (): JSX.Element => <button type="button" onClick={closePanel}>Cancel</button>;

export function DenyPanel({ item }: { item: Item }): JSX.Element {
  const [reason, setReason] = useState('');
  const submit = (): void => { void deny(item, reason.trim()).then((done) => { if (done) closePanel(); }); };
  return (
    <Panel title="Deny" onSubmit={submit}>
      <label>
        <span>Reason, which the agent is told</span>
        <textarea data-first rows={2} value={reason} onInput={(event) => setReason(event.currentTarget.value)} placeholder="Optional. Say what to do instead." />
      </label>
      <div class="row">
        <button type="submit" class="deny">Deny</button>
        <Cancel />
      </div>
    </Panel>
  );
}

// Each member of the input has a field of its own; texts are edited as they are, everything else as JSON.
export function EditPanel({ item, permission }: { item: Item; permission: Permission }): JSX.Element {
  const input = permission.toolInput ?? {};
  const [fields, setFields] = useState<[string, string, boolean][]>(() =>
    Object.entries(input).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value, undefined, 2), typeof value === 'string']));
  const [wrong, setWrong] = useState('');
  const change = (at: number, text: string): void => setFields(fields.map((field, i) => (i === at ? [field[0], text, field[2]] : field)));
  const submit = (): void => {
    const made: Record<string, Json> = {};
    for (const [name, text, plain] of fields) {
      try {
        made[name] = plain ? text : JSON.parse(text) as Json;
      } catch {
        setWrong(`\`${name}\` is not JSON`);
        return;
      }
    }
    setWrong('');
    void approve(item, { scope: 'once', updatedInput: made }, 'allowed once, with another input').then((done) => { if (done) closePanel(); });
  };
  return (
    <Panel title="Edit the input, then allow once" onSubmit={submit}>
      <p class="hint">The gate judges the new input before it lets it through. What is denied stays denied.</p>
      {fields.map(([name, text], i) => (
        <label key={name}>
          <span><Hostile text={name} /></span>
          <textarea {...(i === 0 ? { 'data-first': true } : {})} class="code" rows={Math.min(14, Math.max(1, text.split('\n').length + (text.length > 90 ? 1 : 0)))} value={text} spellcheck={false} onInput={(event) => change(i, event.currentTarget.value)} />
        </label>
      ))}
      {wrong === '' ? null : <Note kind="bad"><p role="alert">{wrong}</p></Note>}
      <div class="row"><button type="submit" class="allow">Allow once with this input</button><Cancel /></div>
    </Panel>
  );
}

// LIMIT: the gate takes a hundred at a time.
const mostTogether = 100;

export function AlikePanel({ permission }: { permission: Permission }): JSX.Element {
  const members = (groups.value.get(permission.group ?? '') ?? []).slice(0, mostTogether);
  const all = groups.value.get(permission.group ?? '')?.length ?? 0;
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [reason, setReason] = useState('');
  const chosen = members.filter((id) => !left.has(id));
  const toggle = (id: string): void => { const next = new Set(left); if (!next.delete(id)) next.add(id); setLeft(next); };
  const answer = (decision: 'allow' | 'deny', scope: 'once' | 'session'): void => {
    if (chosen.length > 0) void answerTogether(chosen, decision, scope, decision === 'deny' ? reason.trim() : '').then((done) => { if (done.ok) closePanel(); });
  };
  return (
    <Panel title={`${thousands(all)} alike`} onSubmit={() => {}}>
      <p class="hint">They ask for the same reason. Look through them; take out what you want to answer by itself.</p>
      <ul class="alike">
        {members.map((id) => {
          const member = itemOf(id)?.brief.value;
          if (member === undefined) return null;
          return (
            <li key={id}>
              <label>
                <input type="checkbox" checked={!left.has(id)} onChange={() => toggle(id)} />
                <span class="agent"><Hostile text={member.agent || 'no name'} /></span>
                <code><Hostile text={member.summary ?? summaryOf(member)} />{member.summaryMore ? <span class="faint"> and {thousands(member.summaryMore)} bytes more</span> : null}</code>
              </label>
            </li>
          );
        })}
      </ul>
      {all > members.length ? <p class="hint">The first {mostTogether}; the others after them.</p> : null}
      <label><span>Reason for a denial</span><input value={reason} onInput={(event) => setReason(event.currentTarget.value)} /></label>
      <div class="row">
        <button type="button" class="allow" disabled={chosen.length === 0} onClick={() => answer('allow', 'once')}>Allow {chosen.length} once</button>
        <button type="button" disabled={chosen.length === 0} onClick={() => answer('allow', 'session')}>For their sessions</button>
        <button type="button" class="deny" disabled={chosen.length === 0} onClick={() => answer('deny', 'once')}>Deny {chosen.length}</button>
        <Cancel />
      </div>
    </Panel>
  );
}

// The main argument of a call in one text, as the brief list has it.
export function summaryOf(permission: Permission): string {
  const input = permission.toolInput ?? {};
  for (const name of ['command', 'question', 'file_path', 'path', 'url', 'pattern', 'query', 'prompt', 'plan']) if (typeof input[name] === 'string') return input[name];
  return permission.summary ?? JSON.stringify(input);
}
