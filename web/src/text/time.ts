// Moments and spans of time in few words. Everything is shown in the reader's own time zone.

const shortTime = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });
const shortDay = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });
const wholeMoment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });

export const millis = (moment: string | number | null | undefined): number =>
  typeof moment === 'number' ? moment : moment === null || moment === undefined ? NaN : Date.parse(moment);

export function clockTime(moment: string | number | null | undefined): string {
  const at = millis(moment);
  return Number.isNaN(at) ? '' : shortTime.format(at);
}

// Today as a time, before that with the day.
export function briefMoment(moment: string | number | null | undefined, today = Date.now()): string {
  const at = millis(moment);
  if (Number.isNaN(at)) return '';
  const sameDay = new Date(at).toDateString() === new Date(today).toDateString();
  return sameDay ? shortTime.format(at) : `${shortDay.format(at)} ${shortTime.format(at).slice(0, 5)}`;
}

export function wholeTime(moment: string | number | null | undefined): string {
  const at = millis(moment);
  return Number.isNaN(at) ? '' : wholeMoment.format(at);
}

// What is left, to the second: `4:05`, `1:02:03`, `3 d 4 h`.
export function countdown(ms: number): string {
  const all = Math.max(0, Math.ceil(ms / 1_000));
  const seconds = String(all % 60).padStart(2, '0');
  const minutes = Math.floor(all / 60) % 60;
  const hours = Math.floor(all / 3_600);
  if (hours >= 48) return `${Math.floor(hours / 24)} d ${hours % 24} h`;
  if (hours > 0) return `${hours}:${String(minutes).padStart(2, '0')}:${seconds}`;
  return `${minutes}:${seconds}`;
}

// About how long: `now`, `40 s`, `5 min`, `3 h`, `2 d`.
export function roughly(ms: number): string {
  const all = Math.max(0, Math.round(ms / 1_000));
  if (all < 1) return 'now';
  if (all < 60) return `${all} s`;
  if (all < 3_600) return `${Math.floor(all / 60)} min`;
  if (all < 172_800) return `${Math.floor(all / 3_600)} h`;
  return `${Math.floor(all / 86_400)} d`;
}

export const ago = (moment: string | number | null | undefined, at: number): string => {
  const words = roughly(at - millis(moment));
  return words === 'now' ? 'just now' : `${words} ago`;
};

// How long something took: `340 ms`, `4.2 s`, `3 min`.
export function took(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  return roughly(ms);
}

export const thousands = (n: number): string => n.toLocaleString('en');
export function bytes(n: number): string {
  if (n < 1_000) return `${n} B`;
  return n < 1_000_000 ? `${(n / 1_000).toFixed(1)} KB` : `${(n / 1_000_000).toFixed(1)} MB`;
}
