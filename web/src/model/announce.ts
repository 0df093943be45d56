// One sentence for those who listen instead of looking. Said through a live region of the shell.
import { signal } from '@preact/signals';

export const said = signal('');
let timer: ReturnType<typeof setTimeout> | undefined;
let waiting = 0;

// A burst of questions is one sentence: nobody can listen to fifty.
export function announce(text: string): void {
  ++waiting;
  clearTimeout(timer);
  timer = setTimeout(() => {
    said.value = waiting > 3 ? `${waiting} new messages. Last: ${text}` : text;
    waiting = 0;
  }, 250);
}
