import type { Life } from '../simulation/virtual-clock.js';
import { world as outside } from '../simulation/virtual-clock.js';
import type { PlatformWorld } from './platform-world.js';
import { newMetrics, type ProgramName, programNames, programs } from './simulated-programs.js';

/** How soon the log notices that a process is gone. */
const buriedAfterMs = 400;
const againAfterMs = 2_000;

/** Runs one process of each program, and begins it again when it ends. */
export class Supervisor {
  readonly #world: PlatformWorld;
  readonly #lives = new Map<ProgramName, Life>();
  kills = 0;
  /** Programs that could not start because something was unavailable. */
  failedStarts = 0;

  constructor(world: PlatformWorld) {
    this.#world = world;
  }

  startAll(): void {
    for (const name of programNames) this.#start(name);
  }

  /** Ends a program as `kill -9` does; it begins again after that time. */
  kill(name: ProgramName, downMs: number): void {
    const life = this.#lives.get(name);
    if (life === undefined) return;
    this.kills++;
    this.#end(name, life, downMs);
  }

  #end(name: ProgramName, life: Life, downMs: number): void {
    const { clock, log, wires } = this.#world;
    this.#lives.delete(name);
    life.isOver = true;
    wires.cut(life);
    clock.at(buriedAfterMs, () => log.bury(life), outside);
    clock.at(downMs, () => this.#start(name), outside);
  }

  #start(name: ProgramName): void {
    const life = { isOver: false };
    this.#lives.set(name, life);
    const start = (): void => {
      programs[name](this.#world, newMetrics()).catch((error: Error) => {
        const { complaints } = this.#world;
        const reason = `${name} could not start: ${error.message}`;
        complaints.set(reason, (complaints.get(reason) ?? 0) + 1);
        this.failedStarts++;
        this.#end(name, life, againAfterMs);
      });
    };
    this.#world.clock.at(0, start, life);
  }
}
