// The arguments of a call as a tree: names on the left, values whole on the right.
// LIMIT: a list of thousands shows its first hundred and says how many follow; each can be opened.
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Json } from '../model/types';
import { Hostile } from './hostile';
import { LongText } from './longtext';
import { useScrolls } from './scrolls';
import { thousands } from '../text/time';

const page = 100;

export function Tree({ value }: { value: { [name: string]: Json } }): JSX.Element {
  const entries = Object.entries(value);
  if (entries.length === 0) return <p class="nothing">no arguments</p>;
  return <Members entries={entries} depth={0} />;
}

function Members({ entries, depth }: { entries: [string, Json][]; depth: number }): JSX.Element {
  const [shown, setShown] = useState(page);
  const box = useRef<HTMLUListElement>(null);
  const scrolls = useScrolls(box, '');
  return (
    <ul ref={box} class="tree" {...(scrolls ? { tabIndex: 0 } : {})}>
      {entries.slice(0, shown).map(([name, value], i) => <Member key={i} name={name} value={value} depth={depth} />)}
      {entries.length > shown ? <li><button type="button" class="plain" onClick={() => setShown(shown + 10 * page)}>{thousands(entries.length - shown)} more</button></li> : null}
    </ul>
  );
}

function Member({ name, value, depth }: { name: string; value: Json; depth: number }): JSX.Element {
  const label = <span class="name"><Hostile text={name} /></span>;
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return <li>{label}<code class="scalar">{String(value)}</code></li>;
  if (typeof value === 'string') {
    return value.length < 120 && !value.includes('\n')
      ? <li>{label}<code class="text"><Hostile text={value} /></code></li>
      : <li class="tall">{label}<LongText text={value} label={name} /></li>;
  }
  const entries: [string, Json][] = Array.isArray(value) ? value.map((each, i) => [String(i), each]) : Object.entries(value);
  return <Branch label={label} entries={entries} depth={depth} kind={Array.isArray(value) ? 'list' : 'object'} />;
}

function Branch({ label, entries, depth, kind }: { label: JSX.Element; entries: [string, Json][]; depth: number; kind: string }): JSX.Element {
  const [open, setOpen] = useState(depth < 4 && entries.length <= page);
  return (
    <li class="branch">
      <button type="button" class="plain" aria-expanded={open} onClick={() => setOpen(!open)}>{label}<span class="faint">{kind} of {thousands(entries.length)}</span></button>
      {open ? <Members entries={entries} depth={depth + 1} /> : null}
    </li>
  );
}
