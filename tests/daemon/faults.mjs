// What the machine does to a daemon that runs: no room, no descriptors, no memory, a clock that steps, peers that hang.
// In every case what is allowed is in the record, anything else is denied with a reason, and it goes on by itself when the cause is gone.
// To add one: a row in faults/<cause>.mjs. Failures of single system calls are in tests/faults.
import { rows as disk } from './faults/disk.mjs';
import { rows as limits } from './faults/limits.mjs';
import { rows as clock } from './faults/clock.mjs';
import { rows as peers } from './faults/peers.mjs';

export const groups = { disk, limits, clock, peers };
