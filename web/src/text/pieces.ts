// A text cut where its marks begin and end: simple commands, the deciding part, odd characters.
// The pieces joined are the text again, to the last character.
import type { Odd } from './hidden';
import type { Span } from '../model/types';

export interface Mark { begin: number; end: number; kind: 'command' | 'deciding'; index: number }
export interface Piece { text: string; command?: number; deciding: boolean; odd?: Odd }

export const marksOf = (commands: Span[], deciding: Span[]): Mark[] => [
  ...commands.map(([begin, end], index): Mark => ({ begin, end, kind: 'command', index })),
  ...deciding.map(([begin, end], index): Mark => ({ begin, end, kind: 'deciding', index })),
];

export function piecesOf(text: string, begin: number, end: number, marks: Mark[], odds: Odd[]): Piece[] {
  const cuts = new Set([begin, end]);
  const within = (n: number): boolean => n > begin && n < end;
  const here = marks.filter((mark) => mark.begin < end && mark.end > begin);
  const odd = odds.filter((each) => each.begin < end && each.end > begin);
  for (const each of [...here, ...odd]) {
    if (within(each.begin)) cuts.add(each.begin);
    if (within(each.end)) cuts.add(each.end);
  }
  const at = [...cuts].sort((a, b) => a - b);
  const pieces: Piece[] = [];
  let next = 0;
  for (let i = 0; i + 1 < at.length; ++i) {
    const from = at[i]!, to = at[i + 1]!;
    while (next < odd.length && odd[next]!.end <= from) ++next;
    const command = here.filter((mark) => mark.kind === 'command' && mark.begin <= from && mark.end >= to).at(-1);   // the innermost stands last
    pieces.push({
      text: text.slice(from, to),
      deciding: here.some((mark) => mark.kind === 'deciding' && mark.begin <= from && mark.end >= to),
      ...(command === undefined ? {} : { command: command.index }),
      ...(next < odd.length && odd[next]!.begin <= from ? { odd: odd[next]! } : {}),
    });
  }
  return pieces;
}

// Where a long text is cut so that only what is near is laid out: at line ends where there are some.
export function blocksOf(text: string, size = 8_192): Span[] {
  const blocks: Span[] = [];
  for (let at = 0; at < text.length;) {
    let end = Math.min(text.length, at + size);
    if (end < text.length) {
      const line = text.lastIndexOf('\n', end - 1);
      if (line > at) end = line + 1;
      else if (/[\ud800-\udbff]/.test(text[end - 1]!)) ++end;   // never between the halves of a character
    }
    blocks.push([at, end]);
    at = end;
  }
  return blocks;
}
