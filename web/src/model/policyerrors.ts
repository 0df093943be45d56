// What is wrong with the policy files now: the gate keeps the last good policy, and the page says so everywhere.
import { signal } from '@preact/signals';
import { get } from './api';
import { onEvent } from './live';
import type { Problem, Settings } from './types';

export const policyErrors = signal<Problem[]>([]);
export const policyChanges = signal(0);   // moves when the policy changes, so that views look again

export async function lookAtPolicy(): Promise<void> {
  const answered = await get<Settings>('/api/settings');
  if (answered.ok) policyErrors.value = answered.value.errors ?? [];
}

export function startPolicyErrors(): void {
  onEvent(({ channel }) => {
    if (channel !== 'policy') return;
    ++policyChanges.value;
    void lookAtPolicy();
  });
}
