// The record: every call and act, searched and filtered; any decision explained as it was, and judged again under today's policy.
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { get, query } from '../model/api';
import { go, linkTo, route } from '../model/route';
import type { AuditRow, Json, Problem } from '../model/types';
import { Busy, Empty, ErrorNote, Moment, VerdictTag } from '../parts/basics';
import { Hostile } from '../parts/hostile';
import { Chain } from './chain';
import { RowDetail } from './record';

const filters = ['grep', 'agent', 'tool', 'verdict', 'kind', 'session', 'rule', 'since'] as const;
type Filter = (typeof filters)[number];
const pageSize = 100;
const day = 86_400_000;

export function History(): JSX.Element {
  const wanted = Object.fromEntries(filters.map((name) => [name, route.value.query.get(name) ?? ''])) as Record<Filter, string>;
  const key = JSON.stringify(wanted);
  const { rows, problem, busy, more, older } = useRows(wanted, key);
  const chosen = Number(route.value.argument) || undefined;
  const open = (number: number | undefined): void => go('history', number === undefined ? '' : String(number), wanted);
  return (
    <section class="view history" aria-labelledby="title">
      <header class="view-head"><h1 id="title">History</h1></header>
      <Chain />
      <Filters wanted={wanted} />
      {problem ? <ErrorNote problem={problem} /> : null}
      <div class={`split ${chosen === undefined ? '' : 'has-detail'}`}>
        <div class="list">
          {rows.length === 0 && !busy && !problem ? <Nothing filtered={key !== empty} /> : <Rows rows={rows} chosen={chosen} query={wanted} />}
          {busy ? <Busy what="searching the record" /> : more ? <button type="button" onClick={older}>Older</button> : null}
        </div>
        {chosen === undefined ? null : <RowDetail key={chosen} number={chosen} onClose={() => open(undefined)} />}
      </div>
    </section>
  );
}

const empty = JSON.stringify(Object.fromEntries(filters.map((name) => [name, ''])));

function useRows(wanted: Record<Filter, string>, key: string): { rows: AuditRow[]; problem: Problem | undefined; busy: boolean; more: boolean; older: () => void } {
  const [rows, setRows] = useState<AuditRow[]>([]);
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  const [busy, setBusy] = useState(true);
  const [more, setMore] = useState(false);
  const turn = useRef(0);
  const load = async (before: number | undefined): Promise<void> => {
    const mine = ++turn.current;
    setBusy(true);
    const since = wanted.since === '' ? undefined : Date.now() - Number(wanted.since) * day;
    const answered = await get<{ rows: AuditRow[] }>(`/api/audit${query({ ...wanted, since: since === undefined ? undefined : Math.floor(since), limit: pageSize, before })}`);
    if (mine !== turn.current) return;
    setBusy(false);
    setProblem(answered.ok ? undefined : answered.problem);
    if (!answered.ok) return;
    setRows(before === undefined ? answered.value.rows : [...rows, ...answered.value.rows]);
    setMore(answered.value.rows.length === pageSize);
  };
  useEffect(() => { setRows([]); void load(undefined); }, [key]);
  return { rows, problem, busy, more, older: () => void load(rows.at(-1)?.number) };
}

function Filters({ wanted }: { wanted: Record<Filter, string> }): JSX.Element {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const set = (name: Filter, value: string, soon = false): void => {
    clearTimeout(timer.current);
    // A row that was opened while the search was being typed stays open.
    const act = (): void => go('history', route.value.argument, { ...Object.fromEntries(route.value.query), [name]: value });
    if (soon) timer.current = setTimeout(act, 300);
    else act();
  };
  const select = (name: Filter, words: string, options: [string, string][]): JSX.Element => (
    <label class="inline"><span>{words}</span>
      <select value={wanted[name]} onChange={(event) => set(name, event.currentTarget.value)}>{options.map(([value, text]) => <option key={value} value={value}>{text}</option>)}</select>
    </label>
  );
  return (
    <form class="filters" role="search" aria-label="filter the record" onSubmit={(event) => event.preventDefault()}>
      <label class="grow"><span class="voice">Search</span><input type="search" placeholder="Search calls, paths, reasons" value={wanted.grep} onInput={(event) => set('grep', event.currentTarget.value, true)} /></label>
      {select('verdict', 'Verdict', [['', 'any'], ['allow', 'allowed'], ['ask', 'asked'], ['deny', 'denied']])}
      {select('kind', 'Kind', [['', 'any'], ['call', 'calls'], ['question', 'questions'], ['grant', 'grants'], ['session', 'sessions'], ['policy', 'policy'], ['credential', 'credentials']])}
      {select('since', 'Since', [['', 'ever'], ['1', 'a day'], ['7', '7 days'], ['30', '30 days']])}
      <label class="inline"><span>Agent</span><input size={10} value={wanted.agent} onInput={(event) => set('agent', event.currentTarget.value, true)} /></label>
      <label class="inline"><span>Tool</span><input size={8} value={wanted.tool} onInput={(event) => set('tool', event.currentTarget.value, true)} /></label>
      {wanted.session === '' ? null : <span class="tag">one session <button type="button" class="plain" aria-label="all sessions" onClick={() => set('session', '')}>×</button></span>}
      {wanted.rule === '' ? null : <span class="tag"><Hostile text={wanted.rule} /> <button type="button" class="plain" aria-label="all rules" onClick={() => set('rule', '')}>×</button></span>}
    </form>
  );
}

function Rows({ rows, chosen, query: wanted }: { rows: AuditRow[]; chosen: number | undefined; query: Record<Filter, string> }): JSX.Element {
  return (
    <table class="rows">
      <thead><tr><th scope="col">When</th><th scope="col">What</th><th scope="col">Agent</th><th scope="col" class="wide">Call</th><th scope="col" class="wide-only">Rule or person</th></tr></thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.number} class={row.number === chosen ? 'chosen' : ''} onClick={() => go('history', String(row.number), wanted)}>
            <td><Moment at={row.at} /></td>
            <td>{row.verdict === '' ? <span class="tag">{row.kind}</span> : <VerdictTag verdict={row.verdict} />}</td>
            <td><Hostile text={row.agent} /></td>
            <td class="wide"><a href={linkTo('history', String(row.number), wanted)} onClick={(event) => event.stopPropagation()}><code><Hostile text={lineOf(row)} /></code></a></td>
            <td class="wide-only faint">{row.by === '' ? <code><Hostile text={row.rule} /></code> : <Hostile text={row.by} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

// A row in one line; the detail has it whole.
function lineOf(row: AuditRow): string {
  const call = row.record['call'] as { input?: { [name: string]: Json } } | undefined;
  const input = call?.input;
  const main = input === undefined ? undefined : ['command', 'file_path', 'path', 'url', 'question', 'pattern'].map((name) => input[name]).find((value) => typeof value === 'string') as string | undefined;
  const text = main ?? (input === undefined ? actIn(row) : JSON.stringify(input));
  const line = `${row.tool === '' || row.tool === 'Bash' ? '' : `${row.tool} `}${text}`.replace(/\n/g, ' ⏎ ');
  return line.length > 160 ? `${line.slice(0, 159)}…` : line || row.kind;
}

// What is no call: the acts of people and of the gate, without the numbers that say nothing to a reader.
function actIn(row: AuditRow): string {
  const silent = ['digest', 'callId', 'session', 'parent', 'grant', 'from'];
  const words = Object.entries(row.record).filter(([name, value]) => typeof value === 'string' && value !== '' && !silent.includes(name));
  if (words.length === 0) return row.kind === 'question' ? 'put to people' : row.kind;
  return words.map(([name, value]) => (name === 'act' ? String(value) : `${name} ${String(value)}`)).join(', ');
}

function Nothing({ filtered }: { filtered: boolean }): JSX.Element {
  return filtered
    ? <Empty title="Nothing fits"><p>No row of the record fits these filters.</p><p><a href="#/history">Show everything</a></p></Empty>
    : <Empty title="Nothing has been recorded yet"><p>Every call that an agent makes and everything that people do here is written down, before it counts.</p></Empty>;
}
