// A digest for people to compare, as browsers show one; it breaks behind a colon and nowhere else.
import type { JSX } from 'preact';

export function Digest({ sha256 }: { sha256: string }): JSX.Element {
  const pairs = sha256.toUpperCase().match(/[0-9A-F]{2}/g) ?? [];
  return <code class="digits">{pairs.map((pair, i) => <>{pair}{i + 1 < pairs.length ? <>:<wbr /></> : null}</>)}</code>;
}
