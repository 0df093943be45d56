// What holds for an agent: its mode, the three lists with the place of each rule, roles and presets, and a box to try a call.
// Nothing is written before its difference was shown.
import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { post, query } from '../model/api';
import { useLoaded } from '../model/load';
import { me } from '../model/me';
import { policyChanges } from '../model/policyerrors';
import type { Agent, List, Policy as PolicyValue, Problem, RoleOrPreset, Rule } from '../model/types';
import { Busy, ErrorNote, Note } from '../parts/basics';
import { Unified } from '../parts/diff';
import { Hostile } from '../parts/hostile';
import { Source } from '../parts/source';
import { TryBox } from './trybox';
import { answerers, modes } from './words';

const agent = signal('');
const cwd = signal('');

export interface Change { agent?: string; mode?: string; add?: { list: List; rule: string; reason?: string }; remove?: { list: List; rule: string; source: string } }
interface Edited { diff: string; file: string; applied: boolean; version?: string }
const proposed = signal<{ change: Change; edited: Edited } | undefined>(undefined);
const problem = signal<Problem | undefined>(undefined);

async function propose(change: Change): Promise<boolean> {
  const answered = await post<Edited>('/api/policy/edit', { ...change, dryRun: true });
  problem.value = answered.ok ? undefined : answered.problem;
  if (answered.ok) proposed.value = { change, edited: answered.value };
  return answered.ok;
}

export function Policy(): JSX.Element {
  const agents = useLoaded<{ agents: Agent[] }>('/api/agents');
  const policy = useLoaded<PolicyValue>(`/api/policy${query({ agent: agent.value, cwd: cwd.value })}`);
  useEffect(() => { if (policyChanges.value > 0) void policy.again(); }, [policyChanges.value]);
  const value = policy.value.value;
  return (
    <section class="view policy" aria-labelledby="title">
      <header class="view-head">
        <h1 id="title">Policy</h1><span class="spring" />
        <label class="inline"><span>For</span>
          <select value={agent.value} onChange={(event) => { agent.value = event.currentTarget.value; }}>
            {(agents.value.value?.agents ?? []).map(({ name }) => <option key={name} value={name}>{name === '' ? 'agents without a name' : name}</option>)}
          </select>
        </label>
        <label class="inline"><span>in</span><input class="code" placeholder="/" value={cwd.value} onChange={(event) => { cwd.value = event.currentTarget.value.trim(); }} /></label>
      </header>
      {me.value?.operator === true ? null : <Note><p>You can look and try. Changing the policy is for operators.</p></Note>}
      {policy.problem.value ? <ErrorNote problem={policy.problem.value} retry={() => void policy.again()} /> : null}
      {problem.value ? <ErrorNote problem={problem.value} /> : null}
      <Proposal onDone={() => void policy.again()} />
      {value === undefined ? (policy.problem.value ? null : <Busy what="fetching the policy" />) : (
        <>
          <ModePicker policy={value} />
          <div class="lists">{(['deny', 'ask', 'allow'] as const).map((list) => <RuleList key={list} list={list} rules={value.rules[list]} />)}</div>
        </>
      )}
      <TryBox agent={agent.value} cwd={cwd.value} />
      <Roles />
    </section>
  );
}

// The change as the file will have it, before it is written.
function Proposal({ onDone }: { onDone: () => void }): JSX.Element | null {
  const now = proposed.value;
  if (now === undefined) return null;
  const apply = async (): Promise<void> => {
    const answered = await post<Edited>('/api/policy/edit', { ...now.change, ...(now.edited.version === undefined ? {} : { version: now.edited.version }), dryRun: false });
    problem.value = answered.ok ? undefined : answered.problem;
    proposed.value = undefined;
    onDone();
  };
  return (
    <div class="proposal" role="region" aria-label="the change, before it is written">
      <h2>This is what changes in <code><Hostile text={now.edited.file} /></code></h2>
      <Unified text={now.edited.diff === '' ? 'nothing' : now.edited.diff} label="difference" />
      <div class="row"><button type="button" class="allow" onClick={() => void apply()}>Write it</button><button type="button" onClick={() => { proposed.value = undefined; }}>Leave it as it is</button></div>
    </div>
  );
}

function ModePicker({ policy }: { policy: PolicyValue }): JSX.Element {
  const now = policy.agent.mode;
  const operator = me.value?.operator === true;
  return (
    <fieldset class="modes">
      <legend>Mode {policy.agent.modeFrom === '' ? <span class="faint">built in</span> : <Source source={policy.agent.modeFrom} />}</legend>
      <div>{modes.map(([mode, words]) => (
        <label key={mode} class={mode === now ? 'chosen' : ''}>
          <input type="radio" name="mode" checked={mode === now} disabled={!operator} onClick={(event) => { if (mode !== now) { event.preventDefault(); void propose({ agent: agent.value, mode }); } }} />
          <span><b>{mode}</b><small>{words}</small></span>
        </label>
      ))}</div>
      <p class="faint">Asks are settled by: {answerers.find(([name]) => name === policy.agent.answer)?.[1] ?? policy.agent.answer}{policy.agent.tools === '' ? null : <>. Tools: <Hostile text={policy.agent.tools} manner="prose" /></>}</p>
    </fieldset>
  );
}

const titles: Record<List, string> = { deny: 'Denied', ask: 'Asked about', allow: 'Allowed' };
const meanings: Record<List, string> = { deny: 'Whatever else says otherwise.', ask: 'A person answers, in every mode.', allow: 'Unless a rule on the left says otherwise.' };

function RuleList({ list, rules }: { list: List; rules: Rule[] }): JSX.Element {
  const operator = me.value?.operator === true;
  const [built, setBuilt] = useState(false);
  const own = rules.filter((rule) => rule.source !== 'built-in');
  const shown = built ? rules : own;
  return (
    <section class={`rule-list list-${list}`} aria-labelledby={`list-${list}`}>
      <h2 id={`list-${list}`}>{titles[list]} <span class="faint">{own.length}</span></h2>
      <p class="hint">{meanings[list]}</p>
      <ul>
        {shown.map((rule, i) => (
          <li key={i}>
            <code class="rule"><Hostile text={rule.rule} /></code>
            {rule.reason ? <span class="reason"><Hostile text={rule.reason} manner="prose" /></span> : null}
            <span class="meta"><Source source={rule.source} />{rule.source === 'built-in' ? null : <span class="faint">{rule.from}</span>}
              {operator && rule.editable !== false && rule.source !== 'built-in' ? <button type="button" class="quiet small" aria-label={`Remove ${rule.rule}`} onClick={() => void propose({ agent: agent.value, remove: { list, rule: rule.rule, source: rule.source } })}>Remove</button> : null}
            </span>
          </li>
        ))}
        {own.length === 0 && !built ? <li class="nothing">no rule of yours</li> : null}
      </ul>
      {rules.length > own.length ? <button type="button" class="plain" aria-expanded={built} onClick={() => setBuilt(!built)}>{built ? 'Without' : 'With'} {rules.length - own.length} built in</button> : null}
      {operator ? <AddRule list={list} /> : null}
    </section>
  );
}

interface Checked { ok: boolean; errors: { message: string; hint: string; column?: number }[]; warnings: (string | { message: string; hint?: string })[] }

function AddRule({ list }: { list: List }): JSX.Element {
  const [rule, setRule] = useState('');
  const [reason, setReason] = useState('');
  const [checked, setChecked] = useState<Checked | undefined>(undefined);
  useEffect(() => {
    if (rule.trim() === '') { setChecked(undefined); return undefined; }
    let mine = true;
    const timer = setTimeout(() => void post<Checked>('/api/policy/check', { list, rule: rule.trim(), ...(agent.value === '' ? {} : { agent: agent.value }), ...(cwd.value === '' ? {} : { cwd: cwd.value }) }).then((answered) => {
      if (mine) setChecked(answered.ok ? answered.value : { ok: false, errors: [answered.problem], warnings: [] });
    }), 200);
    return () => { mine = false; clearTimeout(timer); };
  }, [rule]);
  const submit = async (): Promise<void> => {
    if (await propose({ agent: agent.value, add: { list, rule: rule.trim(), ...(reason.trim() === '' ? {} : { reason: reason.trim() }) } })) { setRule(''); setReason(''); scrollTo(0, 0); }
  };
  return (
    <form class="add-rule" onSubmit={(event) => { event.preventDefault(); void submit(); }}>
      <label><span class="voice">New rule to {list}</span><input class="code" value={rule} placeholder={placeholders[list]} spellcheck={false} autocomplete="off" aria-invalid={checked?.ok === false} aria-describedby={`check-${list}`} onInput={(event) => setRule(event.currentTarget.value)} /></label>
      <div id={`check-${list}`} aria-live="polite">
        {checked?.errors.map((error, i) => <p key={i} class="wrong"><Hostile text={error.message} manner="prose" />{error.hint ? <span class="hint"> <Hostile text={error.hint} manner="prose" /></span> : null}</p>)}
        {checked?.warnings.map((warning, i) => <p key={i} class="warned"><Hostile text={typeof warning === 'string' ? warning : `${warning.message}${warning.hint ? `: ${warning.hint}` : ''}`} manner="prose" /></p>)}
      </div>
      {rule.trim() === '' ? null : (
        <div class="row">
          <input aria-label="reason" placeholder="Reason, shown to people and agents" value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
          <button type="submit" disabled={checked?.ok !== true}>Show the change</button>
        </div>
      )}
    </form>
  );
}
const placeholders: Record<List, string> = { deny: 'Bash(git push --force *)', ask: 'Bash(npm publish *)', allow: 'Bash(npm run *)' };

function Roles(): JSX.Element | null {
  const roles = useLoaded<{ roles: RoleOrPreset[]; presets: RoleOrPreset[] }>('/api/roles');
  const value = roles.value.value;
  if (value === undefined || value.roles.length + value.presets.length === 0) return null;
  return (
    <section class="roles" aria-labelledby="roles">
      <h2 id="roles">Roles and presets</h2>
      <div class="cards">{[...value.roles.map((each) => ['role', each] as const), ...value.presets.map((each) => ['preset', each] as const)].map(([kind, each]) => (
        <details key={kind + each.name}>
          <summary><b><Hostile text={each.name} /></b> <span class="tag">{kind}</span>{each.builtIn === true ? <span class="faint"> built in</span> : null}{each.extends ? <span class="faint"> extends <Hostile text={[each.extends].flat().join(', ')} /></span> : null}{each.mode ? <span class="faint"> mode {each.mode}</span> : null}</summary>
          <Words name="tools" words={each.allowedTools} /><Words name="without" words={each.disallowedTools} /><Words name="blocked" words={each.blockedCommands} />
          {(['deny', 'ask', 'allow'] as const).map((list) => <Words key={list} name={list} words={each.rules?.filter((rule) => rule.list === list).map(({ rule }) => rule)} />)}
          {each.network === false ? <p>no network</p> : null}
        </details>
      ))}</div>
    </section>
  );
}

const Words = ({ name, words }: { name: string; words: string[] | null | undefined }): JSX.Element | null =>
  (words == null || words.length === 0 ? null : <p><span class={`tag verdict-${name}`}>{name}</span>{words.map((word, i) => <code key={i}><Hostile text={word} /></code>)}</p>);
