// Characters that hide, reorder or imitate: what each is called, and where they stand in a text.
// The table is for people who must see what they approve, so a false mark costs less than a missed one.
// Pure: no document, no state.

export type Sort = 'control' | 'bidi' | 'invisible' | 'space' | 'alike';
export interface Odd { begin: number; end: number; sort: Sort; label: string; name: string }

// Where a text comes from: in commands and paths look-alikes and odd blanks matter, in prose they are typography.
export type Manner = 'code' | 'prose';

const controlNames = 'NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US'.split(' ');

const bidi: Record<number, [string, string]> = {
  0x061c: ['ALM', 'Arabic letter mark'], 0x200e: ['LRM', 'left-to-right mark'], 0x200f: ['RLM', 'right-to-left mark'],
  0x202a: ['LRE', 'left-to-right embedding'], 0x202b: ['RLE', 'right-to-left embedding'], 0x202c: ['PDF', 'end of embedding'],
  0x202d: ['LRO', 'left-to-right override'], 0x202e: ['RLO', 'right-to-left override'],
  0x2066: ['LRI', 'left-to-right isolate'], 0x2067: ['RLI', 'right-to-left isolate'], 0x2068: ['FSI', 'first strong isolate'], 0x2069: ['PDI', 'end of isolate'],
};

const invisible: Record<number, [string, string]> = {
  0x00ad: ['SHY', 'soft hyphen'], 0x034f: ['CGJ', 'combining grapheme joiner'], 0x115f: ['HCF', 'Hangul filler'], 0x1160: ['HJF', 'Hangul filler'],
  0x17b4: ['KIV', 'Khmer inherent vowel'], 0x17b5: ['KIV', 'Khmer inherent vowel'], 0x180e: ['MVS', 'Mongolian vowel separator'],
  0x200b: ['ZWSP', 'zero-width space'], 0x200c: ['ZWNJ', 'zero-width non-joiner'], 0x200d: ['ZWJ', 'zero-width joiner'],
  0x2028: ['LSEP', 'line separator'], 0x2029: ['PSEP', 'paragraph separator'], 0x2060: ['WJ', 'word joiner'],
  0x2061: ['FA', 'function application'], 0x2062: ['IT', 'invisible times'], 0x2063: ['IS', 'invisible separator'], 0x2064: ['IP', 'invisible plus'],
  0x3164: ['HF', 'Hangul filler'], 0xfeff: ['BOM', 'zero-width no-break space'], 0xffa0: ['HF', 'half-width Hangul filler'],
  0xfff9: ['IAA', 'annotation anchor'], 0xfffa: ['IAS', 'annotation separator'], 0xfffb: ['IAT', 'annotation terminator'], 0xfffc: ['OBJ', 'object replacement'],
};

// The two tables and the class of suspects are those of src/explain/imitation.cc and src/base/text.cc; imitation_test.cc reads this file and compares.
// Signs that pass for another one wherever they stand: which one. Those that normalising would turn into it are written by their number.
const signs = new Map<string, string>();
for (const [like, all] of [
  ['-', '‐‑‒–—―−﹣－˗⁃➖'], ['/', '⁄∕╱⧸／〳'], ['\\', '∖⧵＼﹨'], ['.', '․‥．'], [',', '‚，'], [':', '꞉ː∶：'], [';', '\u037e；'], ['|', 'ǀ∣❘｜│'],
  ["'", '‘’‛′ʹʻʼˈ＇'], ['"', '“”‟″ʺ＂'], ['`', '\u1fefˋ‵｀'], ['*', '∗⁎＊٭'], ['~', '˜∼～〜'], ['!', 'ǃ！'], ['$', '＄'], ['&', '＆'], ['>', '›＞❯'], ['<', '‹＜❮'],
  ['=', '═＝꓿'], ['_', '＿ˍ'], ['(', '（❨'], [')', '）❩'], ['{', '｛❴'], ['}', '｝❵'], ['[', '［'], [']', '］'], ['#', '＃'], ['%', '％٪'], ['+', '＋'], ['@', '＠'], ['?', '？'], ['^', '＾ˆ'],
] as const) for (const sign of all) signs.set(sign, like);

// Letters of other scripts that look like Latin ones.
const letters = new Map<string, string>();
for (const pairs of [
  'аa еe оo рp сc уy хx іi јj ѕs һh ԁd ԛq ԝw вb кk мm нh тt гr пn ԍg ӏl АA ВB ЕE ЗZ КK МM НH ОO РP СC ТT УY ХX ІI ЈJ ЅS ӀI Ԍ6',
  'αa οo νv ρp τt υu ιi κk ωw γy ηn ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX',
  'ıi ɡg ɑa ʀR ɴN օo սu ոn զq հh ցg ⅼl ⅰi ⅽc ⅾd ⅿm ⅴv ⅹx ℓl ℮e ꓐB ꓑP ꓓD ꓔT ꓖG ꓗK ꓙJ ꓚC ꓜZ ꓝF ꓟM ꓠN ꓡL ꓢS ꓣR ꓪW ꓫX ꓬY ꓮA ꓰE ꓲI ꓳO ꓴU \u212aK',
]) for (const pair of pairs.split(' ')) letters.set([...pair][0]!, [...pair][1]!);

// Anything that could be of interest; all else is skipped at the speed of the regular expression.
const suspects = /[\u0000-\u0008\u000b-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|\udb40[\udc00-\udfff]|\ud834[\udd73-\udd7a]/g;
const foreign = /[^\u0000-\u007f]/;
const words = /[\p{L}\p{M}\p{N}_]+/gu;

export const codePoint = (n: number): string => `U+${n.toString(16).toUpperCase().padStart(4, '0')}`;

// Everything odd in the text, in order; neighbours of one sort are one piece.
export function oddIn(text: string, manner: Manner): Odd[] {
  const found: Odd[] = [];
  suspects.lastIndex = 0;
  for (let match = suspects.exec(text); match !== null; match = suspects.exec(text)) {
    const odd = hiddenAt(text, match.index, manner);
    if (odd !== undefined) found.push(odd);
  }
  if (manner === 'code' && foreign.test(text)) {
    addSigns(text, found);
    addLetters(text, found);
    found.sort((a, b) => a.begin - b.begin);
  }
  return joined(found);
}

function hiddenAt(text: string, at: number, manner: Manner): Odd | undefined {
  const n = text.codePointAt(at)!;
  const end = at + (n > 0xffff ? 2 : 1);
  const make = (sort: Sort, label: string, name: string): Odd => ({ begin: at, end, sort, label, name: `${codePoint(n)} ${name}` });
  if (n < 0x20) return n === 13 && text.charCodeAt(at + 1) === 10 ? make('control', 'CR', 'carriage return') : make('control', controlNames[n]!, 'control character');
  if (n === 0x7f) return make('control', 'DEL', 'control character');
  if (n >= 0x80 && n < 0xa0) return make('control', codePoint(n).slice(2), 'control character');
  if (bidi[n]) return make('bidi', bidi[n][0], bidi[n][1]);
  if (invisible[n]) return joinsEmoji(text, at, n) ? undefined : make('invisible', invisible[n][0], invisible[n][1]);
  if (n >= 0xd800 && n < 0xe000) return make('invisible', codePoint(n).slice(2), 'half of a character');
  if (n >= 0xe0000 && n < 0xe0080) return make('invisible', n > 0xe001f ? `tag ${String.fromCharCode(n - 0xe0000)}` : 'tag', 'invisible tag character');
  if ((n >= 0xe0100 && n < 0xe01f0) || (n >= 0xfe00 && n <= 0xfe0e)) return make('invisible', 'VS', 'variation selector');
  if (n === 0xfe0f) return manner === 'code' ? make('invisible', 'VS16', 'variation selector') : undefined;
  if (n === 0xa0 || n === 0x1680 || (n >= 0x2000 && n <= 0x200a) || n === 0x202f || n === 0x205f || n === 0x3000)
    return manner === 'code' ? make('space', n === 0xa0 ? 'NBSP' : codePoint(n), 'a blank that is none to a shell') : undefined;
  return n === 0xfffd ? undefined : make('invisible', codePoint(n).slice(2), 'invisible character');
}

// A joiner between two pictures makes one picture and hides nothing.
function joinsEmoji(text: string, at: number, n: number): boolean {
  return n === 0x200d && at > 1 && /\p{Extended_Pictographic}\ufe0f?$/u.test(text.slice(at - 3, at)) && /^\p{Extended_Pictographic}/u.test(text.slice(at + 1, at + 3));
}

function addSigns(text: string, found: Odd[]): void {
  for (let at = 0; at < text.length; ++at) {
    if (text.charCodeAt(at) < 0x80) continue;
    const like = signs.get(text[at]!);
    if (like !== undefined) found.push({ begin: at, end: at + 1, sort: 'alike', label: codePoint(text.charCodeAt(at)), name: `${codePoint(text.charCodeAt(at))} looks like ${like}` });
  }
}

// A word is suspect when it mixes Latin with look-alikes, or holds nothing but look-alikes: then it could pass for another word.
function addLetters(text: string, found: Odd[]): void {
  words.lastIndex = 0;
  for (let match = words.exec(text); match !== null; match = words.exec(text)) {
    const word = match[0];
    if (!foreign.test(word)) continue;
    const all = [...word];
    const alike = all.map((letter) => latinFor(letter));
    const others = all.some((letter, i) => alike[i] === undefined && !/[\p{Script=Latin}\p{N}_\p{M}]/u.test(letter));
    if (others && !/[A-Za-z]/.test(word)) continue;
    let at = match.index;
    for (const [i, letter] of all.entries()) {
      const like = alike[i];
      if (like !== undefined) found.push({ begin: at, end: at + letter.length, sort: 'alike', label: codePoint(letter.codePointAt(0)!), name: `${codePoint(letter.codePointAt(0)!)} looks like ${like}` });
      at += letter.length;
    }
  }
}

function latinFor(letter: string): string | undefined {
  const n = letter.codePointAt(0)!;
  if (n < 0x80) return undefined;
  if (n >= 0xff10 && n <= 0xff5a) return String.fromCharCode(n - 0xfee0);
  if (n >= 0x1d400 && n <= 0x1d7ff) { const plain = letter.normalize('NFKC'); return /^[A-Za-z0-9]$/.test(plain) ? plain : undefined; }
  return letters.get(letter);
}

// LIMIT: thousands of hidden characters in a row are one mark that says how many.
function joined(all: Odd[]): Odd[] {
  const out: Odd[] = [];
  let run: Odd[] = [];
  const flush = (): void => {
    if (run.length <= 3) out.push(...run);
    else out.push(runOf(run));
    run = [];
  };
  for (const odd of all) {
    const last = run.at(-1);
    if (last !== undefined && (last.end !== odd.begin || odd.sort === 'alike' || last.sort === 'alike')) flush();
    run.push(odd);
  }
  flush();
  return out;
}

function runOf(run: Odd[]): Odd {
  const first = run[0]!;
  const labels = [...new Set(run.map((odd) => odd.label))];
  const tagged = run.every((odd) => odd.label.startsWith('tag ')) ? ` spelling "${run.slice(0, 200).map((odd) => odd.label.slice(4)).join('')}"` : '';
  const shown = tagged !== '' ? 'tags' : labels.slice(0, 3).join(' ') + (labels.length > 3 ? ' …' : '');
  return {
    begin: first.begin, end: run.at(-1)!.end, sort: first.sort, label: `${shown} ×${run.length}`,
    name: `${run.length} hidden characters${tagged}: ${[...new Set(run.map((odd) => odd.name))].slice(0, 6).join(', ')}`,
  };
}
