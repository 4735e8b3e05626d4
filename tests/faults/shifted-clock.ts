import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const preload = fileURLToPath(new URL('./shifted-clock.mjs', import.meta.url));

/** Several times as long as a program needs to see it. */
const seenAfterMs = 250;

/** The wall clock of a program that is started with `env`. */
export class ShiftedClock {
  readonly #file: string;

  /** `file` is made with the first shift. */
  constructor(file: string) {
    this.#file = file;
  }

  get env(): Readonly<Record<string, string>> {
    return { NODE_OPTIONS: `--import ${preload}`, CLOCK_SHIFT: this.#file };
  }

  /** Resolves when the program has seen it, or sooner. */
  async shift(ms: number, afterMs = seenAfterMs): Promise<void> {
    await writeFile(this.#file, String(ms));
    await sleep(afterMs);
  }
}
