import { outside, type SimulatedProcess } from '../simulation/virtual-clock.js';
import type { PlatformWorld } from './platform-world.js';
import { newMetrics, type ProgramName, programNames, programs } from './simulated-programs.js';

/** How soon the log notices that a process is gone. */
const noticedAfterMs = 400;
const againAfterMs = 2_000;

/** Runs one process of each program, and restarts it when it ends. */
export class Supervisor {
  readonly #world: PlatformWorld;
  readonly #processes = new Map<ProgramName, SimulatedProcess>();
  kills = 0;
  /** Programs that could not start because something was unavailable. */
  failedStarts = 0;

  constructor(world: PlatformWorld) {
    this.#world = world;
  }

  startAll(): void {
    for (const name of programNames) this.#start(name);
  }

  /** Every program restarts from what it has stored. */
  killAll(downMs: number): void {
    for (const name of programNames) this.kill(name, downMs);
  }

  /** Ends a program as `kill -9` does; it restarts after that time. */
  kill(name: ProgramName, downMs: number): void {
    const owner = this.#processes.get(name);
    if (owner === undefined) return;
    this.kills++;
    this.#end(name, owner, downMs);
  }

  #end(name: ProgramName, owner: SimulatedProcess, downMs: number): void {
    const { clock, log, phoneNetwork, followers } = this.#world;
    this.#processes.delete(name);
    followers.delete(name);
    owner.isDead = true;
    phoneNetwork.cut(owner);
    clock.at(noticedAfterMs, () => log.removeMembers(owner), outside);
    clock.at(downMs, () => this.#start(name), outside);
  }

  #start(name: ProgramName): void {
    const owner = { isDead: false };
    this.#processes.set(name, owner);
    const start = (): void => {
      programs[name](this.#world, newMetrics()).catch((error: Error) => {
        const { warnings } = this.#world;
        const reason = `${name} could not start: ${error.message}`;
        warnings.set(reason, (warnings.get(reason) ?? 0) + 1);
        this.failedStarts++;
        this.#end(name, owner, againAfterMs);
      });
    };
    this.#world.clock.at(0, start, owner);
  }
}
