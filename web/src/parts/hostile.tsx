// Text that an agent wrote, made harmless and whole: text nodes only, isolated from the direction of the page around it,
// with hidden and imitating characters shown as labelled marks.
// INVARIANT: the text content of what is drawn is the text, to the last character.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { oddIn, type Manner, type Odd } from '../text/hidden';
import { piecesOf } from '../text/pieces';

export function Chip({ text, odd }: { text: string; odd: Odd }): JSX.Element {
  return <span class={`chip chip-${odd.sort}`} role="img" aria-label={odd.name} title={odd.name} data-label={odd.label}><span>{text}</span></span>;
}

// A short text within a line: an agent's name, a path, a rule, a reason.
export function Hostile({ text, manner = 'code', class: name = '' }: { text: string; manner?: Manner; class?: string }): JSX.Element {
  const pieces = useMemo(() => {
    const odds = oddIn(text, manner);
    return odds.length === 0 ? undefined : piecesOf(text, 0, text.length, [], odds);
  }, [text, manner]);
  return (
    <bdi class={`hostile ${name}`}>
      {pieces === undefined ? text : pieces.map((piece, i) => (piece.odd === undefined ? piece.text : <Chip key={i} text={piece.text} odd={piece.odd} />))}
    </bdi>
  );
}
