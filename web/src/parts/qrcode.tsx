// A QR code as one path, always dark on light whatever the theme, with the quiet zone that cameras need.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { qrOf } from '../text/qr';

export function QrCode({ text, label }: { text: string; label: string }): JSX.Element {
  const grid = useMemo(() => qrOf(text), [text]);
  if (grid === undefined) return <p class="nothing">The link is too long for a code. Use the link itself.</p>;
  const quiet = 4, size = grid.length + 2 * quiet;
  const path = grid.flatMap((row, y) => row.map((on, x) => (on ? `M${x + quiet} ${y + quiet}h1v1h-1z` : ''))).join('');
  return <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges"><rect class="light" width={size} height={size} /><path class="dark" d={path} /></svg>;
}
