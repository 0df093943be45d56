// A question that is no permission: the agent wants to know something. Options, forms of several questions, free text, or a plan.
// SAFETY: words never approve a plan. What is typed beside one sends it back.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { approve, deny } from '../model/answers';
import type { Item } from '../model/questions';
import type { Json, Permission } from '../model/types';
import { Hostile } from './hostile';
import { LongText } from './longtext';
import { Tree } from './tree';

interface Choice { label: string; description: string }
interface Asked { question: string; header: string; choices: Choice[]; several: boolean }

// What leaves plan mode, under every client's name for it.
export const planTool = 'ExitPlanMode';

export function EscalationBody({ item, permission, busy }: { item: Item; permission: Permission; busy: boolean }): JSX.Element {
  if (permission.toolName === planTool) return <Plan item={item} input={permission.toolInput ?? {}} busy={busy} />;
  const asked = askedIn(permission.toolInput ?? {});
  if (asked.length === 1 && !asked[0]!.several) return <Single item={item} asked={asked[0]!} busy={busy} />;
  return <Form item={item} asked={asked} busy={busy} />;
}

export function QuestionText({ text }: { text: string }): JSX.Element {
  return text.length > 1_200 ? <LongText text={text} manner="prose" label="the question" /> : <p class="asked-text"><Hostile text={text} manner="prose" /></p>;
}

function Single({ item, asked, busy }: { item: Item; asked: Asked; busy: boolean }): JSX.Element {
  const [text, setText] = useState('');
  const send = (option: string, words: string): void => void approve(item, option === '' ? { text: words } : { option }, 'answered');
  return (
    <form class="escalation" onSubmit={(event) => { event.preventDefault(); if (text.trim() !== '') send('', text.trim()); }}>
      <QuestionText text={asked.question} />
      {asked.choices.length === 0 ? null : (
        <div class="choices" role="group" aria-label="options">
          {asked.choices.map((choice, i) => (
            <button key={i} type="button" disabled={busy} onClick={() => send(choice.label, '')} data-option={i + 1}>
              <Hostile text={choice.label} manner="prose" />
              {choice.description === '' ? null : <small><Hostile text={choice.description} manner="prose" /></small>}
            </button>
          ))}
        </div>
      )}
      <label class="free"><span>{asked.choices.length === 0 ? 'Your answer' : 'Or in your own words'}</span>
        <textarea rows={2} value={text} onInput={(event) => setText(event.currentTarget.value)} onKeyDown={(event) => { if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit(); }} />
      </label>
      <div class="row">
        <button type="submit" class="allow" disabled={busy || text.trim() === ''}>Send the answer</button>
        <button type="button" disabled={busy} onClick={() => void deny(item, text.trim())}>Decline</button>
      </div>
    </form>
  );
}

function Plan({ item, input, busy }: { item: Item; input: { [name: string]: Json }; busy: boolean }): JSX.Element {
  const [reason, setReason] = useState('');
  const typed = reason.trim() !== '';
  const sendBack = (): void => void deny(item, reason.trim());
  return (
    <form class="escalation" onSubmit={(event) => { event.preventDefault(); if (typed) sendBack(); }}>
      <PlanText input={input} />
      <label class="free"><span>What is wrong with it, which the agent is told</span>
        <textarea rows={2} value={reason} onInput={(event) => setReason(event.currentTarget.value)} onKeyDown={(event) => { if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit(); }} />
      </label>
      <div class="row">
        <button type="button" class="allow" disabled={busy || typed} onClick={() => void approve(item, {}, 'the plan is approved')}>Approve plan</button>
        <button type="button" class="deny" disabled={busy} onClick={sendBack}>Send it back</button>
        {typed ? <span class="hint">To approve it, take the words out: an approval has none.</span> : null}
      </div>
    </form>
  );
}

// The plan as it would be read, and whatever the call has beside it.
export function PlanText({ input }: { input: { [name: string]: Json } }): JSX.Element {
  const { plan, ...rest } = input;
  const isText = typeof plan === 'string';
  const beside = isText ? rest : input;
  return (
    <>
      {isText ? <LongText text={plan} manner="prose" label="the plan" class="plan" /> : <p class="nothing">The call has no plan in it.</p>}
      {Object.keys(beside).length === 0 ? null : <Tree value={beside} />}
    </>
  );
}

function Form({ item, asked, busy }: { item: Item; asked: Asked[]; busy: boolean }): JSX.Element {
  const [answers, setAnswers] = useState<Record<string, string[]>>({});
  const pick = (question: string, label: string, several: boolean): void => {
    const before = answers[question] ?? [];
    const next = !several ? [label] : before.includes(label) ? before.filter((each) => each !== label) : [...before, label];
    setAnswers({ ...answers, [question]: next });
  };
  const complete = asked.every((each) => (answers[each.question] ?? []).some((label) => label !== ''));
  const send = (): void => { if (complete) void approve(item, { answers: Object.fromEntries(asked.map((each) => [each.question, answers[each.question]!.join(', ')])) }, 'answered'); };
  return (
    <form class="escalation" onSubmit={(event) => { event.preventDefault(); send(); }}>
      {asked.map((each, at) => (
        <fieldset key={at}>
          <legend>{each.header === '' ? null : <span class="tag"><Hostile text={each.header} manner="prose" /></span>} <Hostile text={each.question} manner="prose" /></legend>
          {each.choices.map((choice, i) => (
            <label key={i} class="check">
              <input type={each.several ? 'checkbox' : 'radio'} name={`${item.id}-${at}`} checked={(answers[each.question] ?? []).includes(choice.label)} onChange={() => pick(each.question, choice.label, each.several)} />
              <span><Hostile text={choice.label} manner="prose" />{choice.description === '' ? null : <small><Hostile text={choice.description} manner="prose" /></small>}</span>
            </label>
          ))}
          {each.choices.length > 0 ? null : <input aria-label="your answer" onInput={(event) => setAnswers({ ...answers, [each.question]: [event.currentTarget.value] })} />}
        </fieldset>
      ))}
      <div class="row">
        <button type="submit" class="allow" disabled={busy || !complete}>Send the answers</button>
        <button type="button" disabled={busy} onClick={() => void deny(item, '')}>Decline</button>
      </div>
    </form>
  );
}

const words = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

function choicesIn(value: Json | undefined): Choice[] {
  if (!Array.isArray(value)) return [];
  return value.map((each) => (typeof each === 'object' && each !== null && !Array.isArray(each)
    ? { label: words(each['label']), description: words(each['description']) } : { label: String(each), description: '' }));
}

// Beside the plan two shapes are known: one question with options, and a form of several. Anything else is shown as one text.
function askedIn(input: { [name: string]: Json }): Asked[] {
  if (Array.isArray(input['questions'])) {
    const all = input['questions'].flatMap((each) => (typeof each === 'object' && each !== null && !Array.isArray(each)
      ? [{ question: words(each['question']), header: words(each['header']), choices: choicesIn(each['options']), several: each['multiSelect'] === true }] : []));
    if (all.length > 0) return all;
  }
  return [{ question: words(input['question']) || JSON.stringify(input), header: '', choices: choicesIn(input['options']), several: false }];
}
