// A long list of cards of which only those near the eye exist. Heights are measured as cards appear.
// What changes above the eye moves nothing in sight: the scroll position follows by the same amount.
// INVARIANT: the card that has the focus exists, wherever it is.
import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

interface Props { ids: string[]; label: string; keep: string | undefined; estimate: (id: string) => number; draw: (id: string, index: number) => JSX.Element; onAway: (id: string) => void }
export interface FeedHandle { reveal: (id: string) => void }

const margin = 900;   // pixels beyond the edge that are drawn ahead
const gap = 12;

export function Feed({ ids, label, keep, estimate, draw, onAway, handle }: Props & { handle: { current: FeedHandle | null } }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const heights = useRef(new Map<string, number>()).current;
  const [, redraw] = useState(0);
  const again = (): void => redraw((n) => n + 1);
  const layout = offsetsOf(ids, heights, estimate);
  const drawn = useRef<Set<string>>(new Set());
  const top = box.current === null ? 0 : box.current.getBoundingClientRect().top + scrollY;
  const [first, last] = rangeOf(layout, scrollY - top - margin, scrollY - top + innerHeight + margin);

  useScroll(again);
  const watcher = useHeights(box, heights, layout, ids, top, again);

  const visible: [string, number][] = [];
  for (let i = first; i < last; ++i) visible.push([ids[i]!, i]);
  const kept = keep === undefined ? -1 : ids.indexOf(keep);
  if (kept >= 0 && (kept < first || kept >= last)) visible[kept < first ? 'unshift' : 'push']([ids[kept]!, kept]);

  useLayoutEffect(() => {
    const now = new Set(visible.map(([id]) => id));
    for (const id of drawn.current) if (!now.has(id)) onAway(id);
    drawn.current = now;
  });

  handle.current = {
    reveal(id) {
      const at = ids.indexOf(id);
      if (at < 0) return;
      const y = layout[at]! + top, height = layout[at + 1]! - layout[at]! - gap;
      const head = 64, foot = 76;
      if (y < scrollY + head || height > innerHeight - head - foot) scrollTo(0, y - head);
      else if (y + height > scrollY + innerHeight - foot) scrollTo(0, y + height - innerHeight + foot);
      again();
    },
  };

  return (
    <div ref={box} class="feed" role="feed" aria-label={label} aria-busy="false" style={{ height: `${layout[ids.length] ?? 0}px` }}>
      {visible.map(([id, i]) => (
        <div key={id} data-id={id} class="feed-item" ref={watcher} style={{ transform: `translateY(${layout[i]}px)` }}>{draw(id, i)}</div>
      ))}
    </div>
  );
}

function offsetsOf(ids: string[], heights: Map<string, number>, estimate: (id: string) => number): Float64Array {
  const offsets = new Float64Array(ids.length + 1);
  for (let i = 0; i < ids.length; ++i) offsets[i + 1] = offsets[i]! + (heights.get(ids[i]!) ?? estimate(ids[i]!)) + gap;
  return offsets;
}

function rangeOf(offsets: Float64Array, from: number, to: number): [number, number] {
  const find = (y: number): number => {
    let low = 0, high = offsets.length - 1;
    while (low < high) { const mid = (low + high) >> 1; if (offsets[mid + 1]! <= y) low = mid + 1; else high = mid; }
    return low;
  };
  const count = offsets.length - 1;
  return [Math.min(count, find(from)), Math.min(count, find(to) + 1)];
}

function useScroll(again: () => void): void {
  useLayoutEffect(() => {
    let queued = false;
    const move = (): void => {
      if (queued) return;
      queued = true;
      requestAnimationFrame(() => { queued = false; again(); });
    };
    addEventListener('scroll', move, { passive: true });
    addEventListener('resize', move);
    move();
    return () => { removeEventListener('scroll', move); removeEventListener('resize', move); };
  }, []);
}

// Measures what is drawn. A card above the eye that grows takes the page with it.
function useHeights(box: { current: HTMLElement | null }, heights: Map<string, number>, layout: Float64Array, ids: string[], top: number, again: () => void): (element: Element | null) => void {
  const now = useRef({ layout, ids, top });
  now.current = { layout, ids, top };
  const observer = useRef<ResizeObserver | undefined>(undefined);
  observer.current ??= new ResizeObserver((entries) => {
    let moved = 0, changed = false;
    for (const entry of entries) {
      const id = (entry.target as HTMLElement).dataset['id'];
      if (id === undefined || !entry.target.isConnected) continue;
      const height = Math.ceil(entry.contentRect.height);
      const at = now.current.ids.indexOf(id);
      if (at < 0 || height === 0) continue;
      const before = now.current.layout[at + 1]! - now.current.layout[at]! - gap;
      if (height === before && heights.has(id)) continue;
      heights.set(id, height);
      changed = true;
      if (now.current.layout[at + 1]! + now.current.top <= scrollY + 60) moved += height - before;
    }
    if (!changed) return;
    if (moved !== 0) scrollBy(0, moved);
    again();
  });
  useLayoutEffect(() => () => observer.current?.disconnect(), []);
  const seen = useRef(new WeakSet<Element>()).current;
  void box;
  return useRef((element: Element | null) => {
    if (element === null || seen.has(element)) return;
    seen.add(element);
    observer.current?.observe(element);
  }).current;
}
