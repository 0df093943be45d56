// Allow always: the rule, the suggestions, what it would have covered, for whom and how long.
// The gate tries the rule on its own call before it takes it; what it refuses is said here with its hint.
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { approve, previewRule } from '../model/answers';
import { me } from '../model/me';
import type { Item } from '../model/questions';
import type { Permission, Preview, Problem } from '../model/types';
import { thousands } from '../text/time';
import { ErrorNote, Moment, Note, VerdictTag } from './basics';
import { Hostile } from './hostile';
import { Cancel, Panel, closePanel, summaryOf } from './panels';

const hour = 3_600_000;
const lifetimes: [string, number][] = [['until revoked', 0], ['1 hour', hour], ['8 hours', 8 * hour], ['1 day', 24 * hour], ['7 days', 168 * hour], ['30 days', 720 * hour]];

export const suggestionsOf = (permission: Permission): string[] => permission.teachable ?? permission.decision.suggestions ?? [];

export function AlwaysPanel({ item, permission }: { item: Item; permission: Permission }): JSX.Element {
  const suggestions = suggestionsOf(permission);
  const [rule, setRule] = useState(suggestions[0] ?? '');
  const [scope, setScope] = useState<'session' | 'agent' | 'everyone'>('agent');
  const [expires, setExpires] = useState(0);
  const [persist, setPersist] = useState(false);
  const { preview, problem, busy } = usePreview(item.id, rule);
  const mayPersist = me.value?.operator === true && scope !== 'session';
  const submit = (): void => {
    if (problem !== undefined) return;
    const verb = scope === 'session' ? 'allowed for this session' : scope === 'agent' ? 'always allowed for this agent' : 'always allowed for everyone';
    void approve(item, { scope, ...(rule.trim() === '' ? {} : { rule: rule.trim() }), ...(expires > 0 ? { expires } : {}), ...(persist && mayPersist ? { persist } : {}) }, verb)
      .then((done) => { if (done) closePanel(); });
  };
  if (suggestions.length === 0) return <Panel title="Allow always" onSubmit={() => {}}><Note kind="warn"><p>The gate offers no rule for this call: a rule that covers it would cover too much, or what asks cannot be settled by one. Allow it once, or write a rule on the Policy page.</p></Note><div class="row"><Cancel /></div></Panel>;
  return (
    <Panel title="Allow always" onSubmit={submit}>
      <label>
        <span>Rule</span>
        <input data-first class="code" value={rule} spellcheck={false} autocomplete="off" aria-invalid={problem !== undefined} aria-describedby={`preview-${item.id}`} onInput={(event) => setRule(event.currentTarget.value)} />
      </label>
      {suggestions.length < 2 ? null : (
        <ul class="suggestions" aria-label="suggested rules, narrowest first">
          {suggestions.map((each) => <li key={each}><button type="button" class="pick" aria-pressed={each === rule} onClick={() => setRule(each)}><code><Hostile text={each} /></code></button></li>)}
        </ul>
      )}
      <div id={`preview-${item.id}`} class="preview" aria-live="polite">
        {problem !== undefined ? <ErrorNote problem={problem} /> : preview === undefined ? <p class="faint">{busy ? 'looking through past calls …' : ''}</p> : <PreviewView preview={preview} />}
      </div>
      <div class="row fields">
        <label><span>For</span>
          <select value={scope} onChange={(event) => setScope(event.currentTarget.value as typeof scope)}>
            <option value="session">this session</option>
            <option value="agent">the agent {permission.agent || 'without a name'}</option>
            <option value="everyone">everyone</option>
          </select>
        </label>
        <label><span>Expires</span>
          <select value={String(expires)} onChange={(event) => setExpires(Number(event.currentTarget.value))}>
            {lifetimes.map(([words, ms]) => <option key={words} value={String(ms)}>{ms === 0 ? words : `after ${words}`}</option>)}
          </select>
        </label>
        {mayPersist ? <label class="check"><input type="checkbox" checked={persist} onChange={(event) => setPersist(event.currentTarget.checked)} /><span>Write it into the policy file as well</span></label> : null}
      </div>
      <div class="row"><button type="submit" class="allow" disabled={problem !== undefined || rule.trim() === ''}>Allow and remember</button><Cancel /></div>
    </Panel>
  );
}

function PreviewView({ preview }: { preview: Preview }): JSX.Element {
  return (
    <>
      <p>It would have covered <b>{thousands(preview.covers)}</b> of the last {thousands(preview.of)} calls{preview.root === '' ? '' : <> below <code><Hostile text={preview.root} /></code></>}.</p>
      {preview.examples.length === 0 ? null : (
        <ul class="examples">
          {preview.examples.map((example) => (
            <li key={example.number}><Moment at={example.at} /><VerdictTag verdict={example.verdict} /><code><Hostile text={summaryOf({ toolInput: example.input } as unknown as Permission)} /></code></li>
          ))}
        </ul>
      )}
    </>
  );
}

// Asks when the rule has stood for a moment; only the last question counts.
function usePreview(id: string, rule: string): { preview: Preview | undefined; problem: Problem | undefined; busy: boolean } {
  const [state, set] = useState<{ preview: Preview | undefined; problem: Problem | undefined; busy: boolean }>({ preview: undefined, problem: undefined, busy: true });
  const turn = useRef(0);
  useEffect(() => {
    const mine = ++turn.current;
    if (rule.trim() === '') { set({ preview: undefined, problem: undefined, busy: false }); return undefined; }
    const timer = setTimeout(() => {
      void previewRule(id, rule.trim()).then((answered) => {
        if (mine !== turn.current) return;
        set(answered.ok ? { preview: answered.value, problem: undefined, busy: false } : { preview: undefined, problem: answered.problem, busy: false });
      });
    }, 200);
    return () => clearTimeout(timer);
  }, [id, rule]);
  return state;
}
