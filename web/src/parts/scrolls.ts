// Boxes that scroll: whether one does, so that the keyboard can reach it, and whether it was ever scrolled to its end.
import { useEffect, useState } from 'preact/hooks';

const read = new WeakSet<Element>();   // those whose end was on the screen

const scrollsNow = (box: Element): boolean => box.scrollHeight > box.clientHeight + 1 || box.scrollWidth > box.clientWidth + 1;
const isAtEnd = (box: Element): boolean => box.scrollTop + box.clientHeight >= box.scrollHeight - 4;

export const isUnread = (box: Element): boolean => box.scrollHeight > box.clientHeight + 4 && !read.has(box);

export function useScrolls(box: { current: HTMLElement | null }, key: unknown): boolean {
  const [scrolls, set] = useState(false);
  useEffect(() => {
    const here = box.current;
    if (here === null) return undefined;
    const look = (): void => set(scrollsNow(here));
    const note = (): void => { if (isAtEnd(here)) read.add(here); };
    const watcher = new ResizeObserver(look);
    watcher.observe(here);
    here.addEventListener('scroll', note, { passive: true });
    read.delete(here);
    look();
    return () => { watcher.disconnect(); here.removeEventListener('scroll', note); };
  }, [key]);
  return scrolls;
}
