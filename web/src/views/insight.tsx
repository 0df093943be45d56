// How much is asked, how it is answered, and what could be a rule: so that questions stay few and are read.
import { signal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useLoaded } from '../model/load';
import { linkTo } from '../model/route';
import type { Insight as Figures } from '../model/types';
import { Busy, Empty, ErrorNote } from '../parts/basics';
import { Hostile } from '../parts/hostile';
import { Bars, Share } from '../parts/plots';
import { Source } from '../parts/source';
import { kinds } from '../parts/why';
import { roughly, thousands, took } from '../text/time';

const days = signal(30);

export function Insight(): JSX.Element {
  const loaded = useLoaded<Figures>(`/api/insight?days=${days.value}`);
  const figures = loaded.value.value;
  return (
    <section class="view insight" aria-labelledby="title">
      <header class="view-head">
        <h1 id="title">Insight</h1><span class="spring" />
        <label class="inline"><span>Of the last</span><select value={String(days.value)} onChange={(event) => { days.value = Number(event.currentTarget.value); }}>{[7, 30, 90].map((n) => <option key={n} value={String(n)}>{n} days</option>)}</select></label>
      </header>
      {loaded.problem.value ? <ErrorNote problem={loaded.problem.value} retry={() => void loaded.again()} /> : figures === undefined ? <Busy what="counting" /> : figures.days.every((day) => day.calls === 0) ? (
        <Empty title="Nothing to count yet"><p>Once agents have asked for a while, this page shows how often they do, how it was answered and how fast, and which questions a rule could answer.</p></Empty>
      ) : <All figures={figures} />}
    </section>
  );
}

function All({ figures }: { figures: Figures }): JSX.Element {
  const sum = (pick: (day: Figures['days'][number]) => number): number => figures.days.reduce((all, day) => all + pick(day), 0);
  const calls = sum((day) => day.calls), asked = sum((day) => day.asked), approved = sum((day) => day.approved), denied = sum((day) => day.denied);
  const { answer } = figures;
  const fast = answer.underSecond ?? 0;
  return (
    <>
      <dl class="tiles">
        <Tile name="asked a person" value={thousands(asked)} note={`of ${thousands(calls)} calls, ${calls === 0 ? 0 : (100 * asked / calls).toFixed(1)} %`} />
        <Tile name="approved" value={approved + denied === 0 ? '–' : `${Math.round(100 * approved / (approved + denied))} %`} note="of what was answered" />
        <Tile name="time to answer" value={answer.p50Ms === null ? '–' : took(answer.p50Ms)} note={answer.p90Ms === null ? 'nobody has answered yet' : `one in ten took longer than ${took(answer.p90Ms)}`} />
        <Tile name="approved in under a second" value={answer.underSecond === null ? '–' : `${Math.round(100 * fast)} %`} note={fast > 0.2 ? 'nobody reads a call in a second: a rule would serve better' : 'few are waved through unread'} warn={fast > 0.2} />
      </dl>
      <div class="plots">
        <Bars title="Questions a day" labels={figures.days.map((day) => `${Number(day.day.slice(8))}.${Number(day.day.slice(5, 7))}.`)}
          series={[{ name: 'approved', class: 'bar-allow', values: figures.days.map((day) => day.approved) }, { name: 'denied', class: 'bar-deny', values: figures.days.map((day) => day.denied) }, { name: 'expired', class: 'bar-none', values: figures.days.map((day) => day.expired) }]} />
        <Bars title="Time to answer" labels={answer.histogram.map((bin, i) => (bin.upToMs === null ? `> ${roughly(answer.histogram[i - 1]?.upToMs ?? 0)}` : `≤ ${roughly(bin.upToMs)}`))}
          series={[{ name: 'answers', class: 'bar-plain', values: answer.histogram.map((bin) => bin.count) }]} />
      </div>
      <section class="table" aria-labelledby="candidates">
        <h2 id="candidates">Could be a rule</h2>
        <p class="hint">Always approved, of low risk, and tried against the calls they come from.</p>
        {figures.candidates.length === 0 ? <p class="nothing">Nothing that was always approved and is harmless.</p> : (
          <ul class="candidates">{figures.candidates.map((each, i) => (
            <li key={i}><code class="rule"><Hostile text={each.rule} /></code><span>{thousands(each.calls)} calls</span><span class="faint"><Hostile text={Array.isArray(each.agents) ? each.agents.join(', ') : `${each.agents} agents`} /></span><span class="faint"><Hostile text={each.note} manner="prose" /></span><a href="#/policy">to Policy</a></li>
          ))}</ul>
        )}
      </section>
      <section class="table" aria-labelledby="by-rule">
        <h2 id="by-rule">What asks</h2>
        <div class="scroller" role="region" aria-labelledby="by-rule" tabIndex={0}>
          <table class="rows">
            <thead><tr><th scope="col" class="wide">Rule</th><th scope="col">Asked</th><th scope="col">Approved</th><th scope="col">Median</th><th scope="col" class="wide-only">Place</th></tr></thead>
            <tbody>{figures.rules.map((rule, i) => (
              <tr key={i}><td class="wide"><a href={linkTo('history', '', isGround(rule.rule) ? { verdict: 'ask' } : { rule: rule.rule })}>{isGround(rule.rule) ? groundWords(rule.rule) : <code><Hostile text={rule.rule} /></code>}</a></td><td class="figure">{thousands(rule.asked)}</td>
                <td><Share part={rule.approved + rule.denied === 0 ? 0 : rule.approved / (rule.approved + rule.denied)} label={`${rule.approved} approved, ${rule.denied} denied`} /></td><td class="figure">{rule.medianMs === null ? '–' : took(rule.medianMs)}</td><td class="wide-only"><Source source={rule.source} /></td></tr>
            ))}</tbody>
          </table>
        </div>
      </section>
    </>
  );
}

// What asked without a rule is named by its ground; the record has no rule to look for then.
const isGround = (rule: string): boolean => Object.hasOwn(kinds, rule);
const groundWords = (ground: string): string => (ground === 'default' ? 'no rule covers it' : kinds[ground] ?? ground);

function Tile({ name, value, note, warn = false }: { name: string; value: ComponentChildren; note: string; warn?: boolean }): JSX.Element {
  return <div class={`tile ${warn ? 'warn' : ''}`}><dt>{name}</dt><dd><b>{value}</b><small>{note}</small></dd></div>;
}
