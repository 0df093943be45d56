// A button that asks once more before it does what cannot be undone. The second press must come within a few seconds.
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

export function Confirm({ children, sure, onSure, class: name = '', disabled = false }: { children: ComponentChildren; sure: string; onSure: () => void; class?: string; disabled?: boolean }): JSX.Element {
  const [armed, setArmed] = useState(false);
  useEffect(() => {
    if (!armed) return undefined;
    const timer = setTimeout(() => setArmed(false), 5_000);
    return () => clearTimeout(timer);
  }, [armed]);
  return (
    <button type="button" class={`${name} ${armed ? 'armed' : ''}`} disabled={disabled} onBlur={() => setArmed(false)}
      onClick={() => { if (armed) { setArmed(false); onSure(); } else setArmed(true); }}>
      {armed ? sure : children}
    </button>
  );
}
