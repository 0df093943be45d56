// The key of this login, kept where only pages of this very origin can read it.
// A browser sends the login's cookie to every port of the host, so that a page which an agent serves beside the gate gets it too;
// the gate takes the cookie together with this key alone.
// INVARIANT: the key goes to the gate's own address and nowhere else, and never into an address.
const place = 'tollgate.key';
let held = '';   // where the browser keeps nothing, the login lasts as long as the page is open

// Read each time: another tab may have logged in again.
export function keyNow(): string {
  try {
    const kept = localStorage.getItem(place) ?? held;
    return /^tgk_[0-9a-f]+$/.test(kept) ? kept : '';   // anything else is no header and no protocol
  } catch {
    return held;
  }
}

export function keepKey(key: string): void {
  held = key;
  try {
    if (key === '') localStorage.removeItem(place);
    else localStorage.setItem(place, key);
  } catch {
    // It is held in memory.
  }
}

// Another tab has logged in or out.
export function onKey(listener: () => void): void {
  window.addEventListener('storage', (event: StorageEvent) => { if (event.key === place || event.key === null) { held = ''; listener(); } });
}
