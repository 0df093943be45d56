// An edit as people read it: what goes, what comes, and the lines around.
import type { JSX } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { countsOf, differenceOf, type Line } from '../text/diff';
import type { Edit } from '../model/types';
import { Hostile } from './hostile';
import { LongText } from './longtext';
import { useScrolls } from './scrolls';

// LIMIT: beyond this a table of lines is too heavy; both texts are shown whole instead.
const mostLines = 4_000;

export function EditView({ edit, cwd }: { edit: Edit; cwd: string }): JSX.Element {
  const tooLong = edit.after.length + (edit.before?.length ?? 0) > 400_000;
  const lines = useMemo(() => (tooLong ? [] : differenceOf(edit.before ?? '', edit.after)), [edit, tooLong]);
  const counts = countsOf(lines);
  return (
    <figure class="edit">
      <figcaption>
        <span class="path" title={edit.path}><Hostile text={cwd !== '' && edit.path.startsWith(`${cwd}/`) ? edit.path.slice(cwd.length + 1) : edit.path} /></span>
        {edit.before === null ? <span class="tag">no present text to compare with</span> : edit.whole === true ? <span class="tag">the whole file</span> : null}
        {tooLong ? null : <span class="counts"><span class="fresh">+{counts.fresh}</span> <span class="gone">−{counts.gone}</span></span>}
      </figcaption>
      {tooLong || lines.length > mostLines
        ? <><LongText text={edit.before ?? ''} label="before" class="before" /><LongText text={edit.after} label="after" class="after" /></>
        : <DiffTable lines={lines} label={`changes to ${edit.path}`} />}
    </figure>
  );
}

export function DiffTable({ lines, label }: { lines: Line[]; label: string }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const scrolls = useScrolls(box, lines);
  return (
    <div ref={box} class="diff" role="region" aria-label={label} {...(scrolls ? { tabIndex: 0 } : {})}>
      <table>
        <tbody>{lines.map((line, i) => <Row key={i} line={line} />)}</tbody>
      </table>
    </div>
  );
}

function Row({ line }: { line: Line }): JSX.Element {
  const [open, setOpen] = useState(false);
  if (line.sort === 'gap') {
    if (open) return <>{line.skipped!.map((each, i) => <Row key={i} line={each} />)}</>;
    return <tr class="gap"><td colSpan={3}><button type="button" class="plain" onClick={() => setOpen(true)}>⋯ {line.text}</button></td></tr>;
  }
  const sign = line.sort === 'gone' ? '−' : line.sort === 'new' ? '+' : ' ';
  return (
    <tr class={line.sort}>
      <td class="number">{line.old ?? ''}</td>
      <td class="number">{line.now ?? ''}</td>
      <td class="line"><span class="sign" aria-label={line.sort === 'gone' ? 'removed' : line.sort === 'new' ? 'added' : undefined}>{sign}</span><Hostile text={line.text} /></td>
    </tr>
  );
}

// A unified difference that the gate made, coloured line by line.
export function Unified({ text, label }: { text: string; label: string }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const scrolls = useScrolls(box, text);
  const lines = text.replace(/\n$/, '').split('\n');
  const sort = (line: string): string =>
    /^(\+\+\+|---)/.test(line) ? 'file' : line.startsWith('@@') ? 'place' : line.startsWith('+') ? 'new' : line.startsWith('-') ? 'gone' : 'same';
  return (
    <div ref={box} class="diff" role="region" aria-label={label} {...(scrolls ? { tabIndex: 0 } : {})}>
      <table><tbody>{lines.map((line, i) => <tr key={i} class={sort(line)}><td class="line"><Hostile text={line === '' ? ' ' : line} manner="prose" /></td></tr>)}</tbody></table>
    </div>
  );
}
