// What the cases of faults have in common: an agent that goes on asking, and what must hold of what it was told.
// A gate is asked beside its cause and after it; its record is read once the cause is gone.
import { spawnSync } from 'node:child_process';

import { until } from './world.mjs';

// Calls that are allowed and calls that never are, one after another; what came of each.
export class Agent {
  constructor(gate, session) {
    Object.assign(this, { gate, session, told: [] });
  }

  async asks(times) {
    for (let i = 0; i < times; ++i)
      for (const command of [`make n${this.told.length}`, 'git push --force origin']) this.told.push({ command, ...await this.one(command) });
    return this.told.slice(-2 * times);
  }

  // What the connection did to it is no answer: nothing runs by it.
  async one(command) {
    try {
      const said = await this.gate.call(this.session, command).said();
      return { behavior: said?.behavior ?? 'none', message: said?.message ?? '' };
    } catch (error) {
      return { behavior: 'none', message: error.code ?? error.message };
    }
  }

  // [that nothing was allowed that may not be, that all that was allowed is recorded, that every no has its reason]
  async sound() {
    const rows = await this.gate.audit('&kind=call&verdict=allow');
    const recorded = new Set(rows.map((row) => row.record.call.input.command));
    const allowed = this.told.filter(({ behavior }) => behavior === 'allow');
    return [allowed.every(({ command }) => command.startsWith('make')), allowed.every(({ command }) => recorded.has(command)), this.told.every(({ behavior, message }) => behavior === 'allow' || message !== '')];
  }

  recovers() {
    return until(async () => (await this.one(`make again ${this.told.length}`)).behavior === 'allow', 'a gate that goes on');
  }
}

export const all = [true, true, true];
export const verdicts = (told) => [...new Set(told.map(({ behavior }) => behavior))].sort();

// A file system of its own that only this program and what it starts sees; nobody has to be root for it.
export const isolated = process.getuid() === 0 ? ['unshare', '-m'] : ['unshare', '-rm'];
export const cannotMount = spawnSync(isolated[0], [...isolated.slice(1), 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0
  ? undefined : 'no file system can be mounted here, not even in a namespace of its own';

// Starts what follows with a disk of that size in the place of the directory.
export const onSmallDisk = (directory, size) => [...isolated, 'sh', '-c', `mkdir -p "$0" && mount -t tmpfs -o size=${size},mode=700 none "$0" && exec "$@"`, directory];

// As somebody whom permissions of files bind, which root is not.
export const bound = process.getuid() === 0 ? ['setpriv', '--bounding-set', '-dac_override,-dac_read_search,-fowner', '--inh-caps', '-dac_override,-dac_read_search,-fowner'] : [];

export const isSanitized = (bin) => /lib[at]san/.test(spawnSync('ldd', [`${bin}/tollgate`], { encoding: 'utf8' }).stdout);
