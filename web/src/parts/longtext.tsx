// A text of any length in a box that scrolls: never cut, always wrapped, so that nothing hides beyond the edge.
// It stands there in blocks; only what is near the eye is laid out, and marks are drawn when a block comes near.
// SAFETY: a block that has odd characters stays unseen until its marks are drawn.
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { oddIn, type Manner, type Odd } from '../text/hidden';
import { blocksOf, piecesOf, type Mark } from '../text/pieces';
import { Chip } from './hostile';
import { useScrolls } from './scrolls';

interface Props { text: string; manner?: Manner; marks?: Mark[]; label: string; class?: string; onCommand?: (index: number | undefined) => void; lit?: number | undefined }

export function LongText({ text, manner = 'code', marks = [], label, class: name = '', onCommand, lit }: Props): JSX.Element {
  const odds = useMemo(() => oddIn(text, manner), [text, manner]);
  const blocks = useMemo(() => blocksOf(text), [text]);
  const box = useRef<HTMLDivElement>(null);
  const scrolls = useScrolls(box, text);
  return (
    // A box that scrolls can be reached by the keyboard; one that does not is no stop on the way.
    <div ref={box} class={`longtext ${name} ${manner}`} dir="ltr" role="region" aria-label={label} {...(scrolls ? { tabIndex: 0 } : {})}>
      {text === '' ? <span class="nothing">empty</span> : null}
      {blocks.map(([begin, end], i) => (
        <Block key={i} text={text} begin={begin} end={end} marks={marks} odds={odds} first={i === 0} {...(onCommand ? { onCommand } : {})} lit={lit} />
      ))}
    </div>
  );
}

interface BlockProps { text: string; begin: number; end: number; marks: Mark[]; odds: Odd[]; first: boolean; onCommand?: (index: number | undefined) => void; lit: number | undefined }

function Block({ text, begin, end, marks, odds, first, onCommand, lit }: BlockProps): JSX.Element {
  const here = useRef<HTMLDivElement>(null);
  const own = useMemo(() => odds.filter((odd) => odd.begin < end && odd.end > begin), [odds, begin, end]);
  const marked = useMemo(() => marks.some((mark) => mark.begin < end && mark.end > begin), [marks, begin, end]);
  const plain = own.length === 0 && !marked;
  const [near, setNear] = useState(first || plain);
  useEffect(() => {
    if (near || here.current === null) return undefined;
    const watcher = new IntersectionObserver((seen) => { if (seen.some((each) => each.isIntersecting)) { setNear(true); watcher.disconnect(); } }, { rootMargin: '1200px' });
    watcher.observe(here.current);
    return () => watcher.disconnect();
  }, [near]);
  const words = text.slice(begin, end);
  if (plain) return <div ref={here} class="block">{words}</div>;
  if (!near) return <div ref={here} class="block veiled">{words}</div>;
  return (
    <div ref={here} class="block">
      {piecesOf(text, begin, end, marks, own).map((piece, i) => {
        const inner = piece.odd === undefined ? piece.text : <Chip key={i} text={piece.text} odd={piece.odd} />;
        if (piece.command === undefined && !piece.deciding) return inner;
        const classes = [piece.command === undefined ? 'between' : 'command', piece.deciding ? 'deciding' : '', piece.command !== undefined && piece.command === lit ? 'lit' : ''].join(' ');
        const over = onCommand === undefined || piece.command === undefined ? {} : { onMouseEnter: () => onCommand(piece.command), onMouseLeave: () => onCommand(undefined) };
        return <span key={i} class={classes} {...over}>{inner}</span>;
      })}
    </div>
  );
}
