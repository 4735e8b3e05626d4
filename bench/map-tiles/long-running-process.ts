import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { StayedCpu } from './long-running-build.js';

/** `stay.js` as a process; one build at a time. */
export class StayingProcess {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor(extract: string, kind: 'over' | 'scratch', folder: string) {
    const program = fileURLToPath(new URL('stay.js', import.meta.url));
    this.#child = spawn(process.execPath, [program, extract, kind, folder], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    process.on('exit', () => this.#child.kill());
    this.#lines = createInterface({ input: this.#child.stdout! })[Symbol.asyncIterator]();
  }

  /** The usage of its next build; the first build, of the unchanged extract, needs no request. */
  async built(): Promise<StayedCpu> {
    const { done, value } = await this.#lines.next();
    if (done === true) throw new Error('void: the builder ended');
    return JSON.parse(value) as StayedCpu;
  }

  /** Of the last of these files, after the others were done to the map. */
  build(...changes: readonly string[]): Promise<StayedCpu> {
    this.#child.stdin!.write(`${changes.join('\t')}\n`);
    return this.built();
  }

  async end(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.stdin!.end();
    await ended;
  }
}
