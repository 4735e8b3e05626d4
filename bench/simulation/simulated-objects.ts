import { checkObjectKey, checkObjectPrefix } from '#platform/object-store/object-key.js';
import { type ObjectStore, ObjectStoreUnavailable } from '#platform/object-store/object-store.js';
import { outside, type VirtualClock } from './virtual-clock.js';

export interface SimulatedObjectsOptions {
  readonly clock: VirtualClock;
  readonly random: () => number;
}

const callMsMax = 3;
/** How long a caller waits for a store that does not answer. */
const timeoutMs = 500;

/** An object store in memory and in virtual time that may be unavailable for a while. */
export class SimulatedObjects implements ObjectStore {
  readonly #options: SimulatedObjectsOptions;
  readonly #objects = new Map<string, Uint8Array>();
  /** Keys below each folder. */
  readonly #folders = new Map<string, Set<string>>([['', new Set()]]);
  /** Nothing is answered until then, and half of the writes have no effect. */
  awayUntilMs = 0;

  constructor(options: SimulatedObjectsOptions) {
    this.#options = options;
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    checkObjectKey(key);
    return this.#call(() => this.peek(key));
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    checkObjectKey(key);
    const copy = Uint8Array.from(bytes);
    await this.#call(() => this.#set(key, copy));
  }

  async putIfAbsent(key: string, bytes: Uint8Array): Promise<boolean> {
    checkObjectKey(key);
    const copy = Uint8Array.from(bytes);
    return this.#call(() => {
      if (this.#objects.has(key)) return false;
      this.#set(key, copy);
      return true;
    });
  }

  async *list(prefix: string): AsyncIterable<string> {
    checkObjectPrefix(prefix);
    const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
    yield* await this.#call(() =>
      [...(this.#folders.get(folder) ?? [])].filter((key) => key.startsWith(prefix)).sort(),
    );
  }

  async delete(key: string): Promise<void> {
    checkObjectKey(key);
    await this.#call(() => {
      this.#objects.delete(key);
      for (const folder of foldersOf(key)) this.#folders.get(folder)?.delete(key);
    });
  }

  async check(): Promise<void> {
    await this.#call(() => undefined);
  }

  async close(): Promise<void> {}

  /** At once and without faults, for judges. */
  peek(key: string): Uint8Array | undefined {
    return this.#objects.get(key);
  }

  /** The effect and the answer are two moments: the caller may die between them. */
  #call<Result>(act: () => Result): Promise<Result> {
    const { clock, random } = this.#options;
    const { owner } = clock;
    return new Promise((resolve, reject) => {
      const isAway = clock.nowMs < this.awayUntilMs;
      clock.at(
        1 + random() * callMsMax,
        () => {
          const result = isAway && random() < 0.5 ? undefined : { value: act() };
          if (!isAway && result !== undefined) clock.at(0, () => resolve(result.value), owner);
          else clock.at(timeoutMs, () => reject(new ObjectStoreUnavailable('No answer in time.')), owner);
        },
        outside,
      );
    });
  }

  #set(key: string, bytes: Uint8Array): void {
    this.#objects.set(key, bytes);
    for (const folder of foldersOf(key)) {
      const keys = this.#folders.get(folder) ?? new Set();
      this.#folders.set(folder, keys.add(key));
    }
  }
}

/** All that the key is below: `''`, `a/`, `a/b/` of `a/b/c`. */
function* foldersOf(key: string): Iterable<string> {
  yield '';
  for (let at = key.indexOf('/'); at !== -1; at = key.indexOf('/', at + 1)) yield key.slice(0, at + 1);
}
