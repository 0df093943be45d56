// Where a rule stands: file and line, with the whole path for whoever points at it.
import type { JSX } from 'preact';
import { Hostile } from './hostile';

export function Source({ source }: { source: string }): JSX.Element | null {
  if (source === '') return null;
  if (source === 'built-in') return <span class="source faint">built in</span>;
  const short = source.slice(source.lastIndexOf('/') + 1);
  return <code class="source" title={source}><Hostile text={short} /></code>;
}

// A path with its end in sight: the last parts matter most.
export function Path({ path }: { path: string }): JSX.Element {
  const parts = path.split('/');
  const short = parts.length > 4 ? `…/${parts.slice(-2).join('/')}` : path;
  return <span class="path" title={path}><Hostile text={short} /></span>;
}
