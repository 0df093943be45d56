// What a case plays on: the daemon that its group shares, and daemons of its own.
// INVARIANT: whatever a case started has ended when the next one begins.
import { newPlace } from './http.mjs';
import { Daemon } from './daemon.mjs';
import { World } from './world.mjs';

export class Stage {
  constructor(options) {
    this.options = options;
    this.bin = options.bin;
    this.own = [];
  }

  // The daemon of the group, with a place of its own for this case's guesses.
  async gate() {
    if (!this.shared || this.shared.process.exitCode !== null) {
      await this.sharedWorld?.remove();
      this.sharedWorld = new World({ bin: this.bin });
      this.shared = await Daemon.start(this.sharedWorld);
    }
    this.shared.place = newPlace();
    return this.shared;
  }

  world(options = {}) {
    const world = new World({ bin: this.bin, ...options });
    this.own.push(world);
    return world;
  }

  // A daemon for this case alone.
  async fresh({ policy, ...options } = {}) {
    const world = this.world({ policy });
    this.last = await Daemon.start(world, options);
    return this.last;
  }

  log() {
    return [this.shared, this.last].map((daemon) => daemon?.process?.err ?? '').join('').split('\n').slice(-12).join('\n');
  }

  async endCase() {
    for (const world of this.own.splice(0)) await world.remove();
    this.last = undefined;
  }

  async close() {
    await this.endCase();
    await this.sharedWorld?.remove();
  }
}
