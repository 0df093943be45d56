// The difference between two texts, line by line, with a few lines around each change.
// Myers' algorithm, bounded: texts that share too little are shown as all removed and all added.

export interface Line { sort: 'same' | 'gone' | 'new' | 'gap'; text: string; old?: number; now?: number; skipped?: Line[] }

// LIMIT: more edits than this are no longer searched for; the time grows with their square.
const mostEdits = 1_000;
const around = 3;

export function differenceOf(before: string, after: string): Line[] {
  const a = before === '' ? [] : before.split('\n'), b = after === '' ? [] : after.split('\n');
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) ++head;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) ++tail;
  const lines: Line[] = [];
  for (let i = 0; i < head; ++i) lines.push({ sort: 'same', text: a[i]!, old: i + 1, now: i + 1 });
  lines.push(...middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail), head));
  for (let i = tail; i > 0; --i) lines.push({ sort: 'same', text: a[a.length - i]!, old: a.length - i + 1, now: b.length - i + 1 });
  return folded(lines);
}

export function countsOf(lines: Line[]): { gone: number; fresh: number } {
  return { gone: lines.filter((line) => line.sort === 'gone').length, fresh: lines.filter((line) => line.sort === 'new').length };
}

function middle(a: string[], b: string[], from: number): Line[] {
  const steps = shortest(a, b);
  const lines: Line[] = [];
  let i = 0, j = 0;
  const gone = (): void => { lines.push({ sort: 'gone', text: a[i]!, old: from + ++i }); };
  const fresh = (): void => { lines.push({ sort: 'new', text: b[j]!, now: from + ++j }); };
  if (steps === undefined) {
    while (i < a.length) gone();
    while (j < b.length) fresh();
    return lines;
  }
  for (const step of steps) {
    if (step === 'gone') gone();
    else if (step === 'new') fresh();
    else { lines.push({ sort: 'same', text: a[i]!, old: from + i + 1, now: from + j + 1 }); ++i; ++j; }
  }
  return lines;
}

function shortest(a: string[], b: string[]): Line['sort'][] | undefined {
  const most = Math.min(a.length + b.length, mostEdits);
  const size = 2 * most + 2;
  let reach = new Int32Array(size);
  const trail: Int32Array[] = [];
  for (let edits = 0; edits <= most; ++edits) {
    trail.push(reach.slice());
    for (let k = -edits; k <= edits; k += 2) {
      const down = k === -edits || (k !== edits && reach[k - 1 + most]! < reach[k + 1 + most]!);
      let x = down ? reach[k + 1 + most]! : reach[k - 1 + most]! + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) ++x;
      reach[k + most] = x;
      if (x >= a.length && x - k >= b.length) return walked(trail, a.length, b.length, most);
    }
  }
  return undefined;
}

function walked(trail: Int32Array[], width: number, height: number, most: number): Line['sort'][] {
  const steps: Line['sort'][] = [];
  let x = width, y = height;
  for (let edits = trail.length - 1; edits >= 0; --edits) {
    const reach = trail[edits]!, k = x - y;
    const down = k === -edits || (k !== edits && reach[k - 1 + most]! < reach[k + 1 + most]!);
    const previous = down ? k + 1 : k - 1;
    const fromX = edits === 0 ? 0 : reach[previous + most]!, fromY = edits === 0 ? 0 : fromX - previous;
    while (x > fromX && y > fromY) { steps.push('same'); --x; --y; }
    if (edits === 0) break;
    steps.push(down ? 'new' : 'gone');
    x = fromX; y = fromY;
  }
  return steps.reverse();
}

// Long stretches without a change become one line that can be opened.
function folded(lines: Line[]): Line[] {
  const out: Line[] = [];
  for (let i = 0; i < lines.length;) {
    if (lines[i]!.sort !== 'same') { out.push(lines[i++]!); continue; }
    let end = i;
    while (end < lines.length && lines[end]!.sort === 'same') ++end;
    const keepBefore = i === 0 ? 0 : around, keepAfter = end === lines.length ? 0 : around;
    if (end - i <= keepBefore + keepAfter + 1) out.push(...lines.slice(i, end));
    else {
      const skipped = lines.slice(i + keepBefore, end - keepAfter);
      out.push(...lines.slice(i, i + keepBefore), { sort: 'gap', text: `${skipped.length} lines as they were`, skipped }, ...lines.slice(end - keepAfter, end));
    }
    i = end;
  }
  return out;
}
