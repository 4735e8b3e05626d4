import { LRUCache } from 'lru-cache';

interface Kept<Value> {
  /** Undefined: there is none, which is kept too, so that guessed ids cost the database nothing either. */
  readonly value: Value | undefined;
  readonly untilMs: number;
}

/**
 * Values by key for `ttlMs`, the one used longest ago making room. Callers who ask for the same one at once
 * share a single load; a load that was under way when its key was forgotten is handed to those who wait and
 * not kept.
 */
export class KeptValues<Value> {
  readonly #kept: LRUCache<string, Kept<Value>>;
  readonly #loading = new Map<string, Promise<Value | undefined>>();
  readonly #ttlMs: number;
  readonly #nowMs: () => number;

  constructor(options: { readonly max: number; readonly ttlMs: number; readonly nowMs: () => number }) {
    this.#kept = new LRUCache({ max: options.max });
    this.#ttlMs = options.ttlMs;
    this.#nowMs = options.nowMs;
  }

  get(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined> | Value | undefined {
    const kept = this.#kept.get(key);
    if (kept !== undefined && kept.untilMs > this.#nowMs()) return kept.value;
    const running = this.#loading.get(key);
    if (running !== undefined) return running;
    const loading = load();
    this.#loading.set(key, loading);
    const isWanted = () => this.#loading.get(key) === loading;
    loading.then(
      (value) => {
        if (!isWanted()) return;
        this.#loading.delete(key);
        this.#kept.set(key, { value, untilMs: this.#nowMs() + this.#ttlMs });
      },
      () => {
        if (isWanted()) this.#loading.delete(key);
      },
    );
    return loading;
  }

  forget(key: string): void {
    this.#loading.delete(key);
    this.#kept.delete(key);
  }
}
