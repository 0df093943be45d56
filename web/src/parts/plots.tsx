// Plots drawn by hand: bars with a scale that people can read, and the same figures as a table for those who listen.
import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { thousands } from '../text/time';

export interface Series { name: string; class: string; values: number[] }
interface BarsProps { title: string; labels: string[]; series: Series[]; note?: string; format?: (n: number) => string }

const height = 200, left = 40, bottom = 24, top = 14;

// A plot is drawn about as wide as it is shown, so that its letters have the size of the others.
const phone = matchMedia('(max-width: 560px)');
const narrow = signal(phone.matches);
phone.addEventListener('change', () => { narrow.value = phone.matches; });

// Which labels stand below the bars: as many as there is room for, evenly.
const letter = 6.5, between = 10;
const everyOf = (labels: string[], slot: number): number => Math.max(1, Math.ceil((Math.max(...labels.map((label) => label.length)) * letter + between) / slot));

// A round number at or above the highest bar, and the steps up to it.
function scaleOf(most: number): number[] {
  if (most <= 0) return [0, 1];
  const power = 10 ** Math.floor(Math.log10(most));
  const step = [0.25, 0.5, 1, 2, 2.5, 5].map((n) => n * power).find((n) => most / n <= 4 && (n >= 1 || most < 1)) ?? power;
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, i) => i * step);
}

// Bars on top of each other, a group for each label.
export function Bars({ title, labels, series, note, format = thousands }: BarsProps): JSX.Element {
  const sums = labels.map((_, i) => series.reduce((sum, each) => sum + (each.values[i] ?? 0), 0));
  const steps = scaleOf(Math.max(0, ...sums));
  const most = steps.at(-1)!;
  const width = narrow.value ? 340 : 500;
  const slot = (width - left) / Math.max(1, labels.length), every = everyOf(labels, slot), bar = Math.max(2, Math.min(36, slot * 0.72));
  const y = (n: number): number => top + (height - top - bottom) * (1 - n / most);
  return (
    <figure class="plot">
      <figcaption><h2>{title}</h2>{series.length > 1 ? <ul class="legend" aria-hidden="true">{series.map((each) => <li key={each.name} class={each.class}>{each.name}</li>)}</ul> : null}</figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`${title}. The table below has the figures.`} preserveAspectRatio="xMidYMid meet">
        {steps.map((n) => <g key={n} class="grid"><line x1={left} x2={width} y1={y(n)} y2={y(n)} /><text x={left - 6} y={y(n) + 3.5} text-anchor="end">{format(n)}</text></g>)}
        {labels.map((label, i) => {
          let below = 0;
          const x = left + i * slot + (slot - bar) / 2;
          return (
            <g key={label}>
              <title>{`${label}: ${series.map((each) => `${each.name} ${format(each.values[i] ?? 0)}`).join(', ')}`}</title>
              {series.map((each) => {
                const value = each.values[i] ?? 0, from = y(below), to = y(below + value);
                below += value;
                return value === 0 ? null : <rect key={each.name} class={each.class} x={x} width={bar} y={to} height={Math.max(0.75, from - to)} />;
              })}
              {i % every === 0 ? <text class="label" x={x + bar / 2} y={height - 6} text-anchor="middle">{label}</text> : null}
            </g>
          );
        })}
      </svg>
      {note === undefined ? null : <p class="hint">{note}</p>}
      <details class="figures"><summary>Figures</summary>
        <table><thead><tr><th scope="col"><span class="voice">of</span></th>{series.map((each) => <th key={each.name} scope="col">{each.name}</th>)}</tr></thead>
          <tbody>{labels.map((label, i) => <tr key={label}><th scope="row">{label}</th>{series.map((each) => <td key={each.name}>{format(each.values[i] ?? 0)}</td>)}</tr>)}</tbody></table>
      </details>
    </figure>
  );
}

// A share as a thin bar beside its figure.
export function Share({ part, label }: { part: number; label: string }): JSX.Element {
  const percent = Math.round(part * 100);
  return <span class="share" title={label}><svg viewBox="0 0 100 6" width="72" height="6" preserveAspectRatio="none" aria-hidden="true"><rect class="ground" width="100" height="6" /><rect class="part" width={percent} height="6" /></svg><span>{percent} %</span></span>;
}
