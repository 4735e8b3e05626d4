import { LRUCache } from 'lru-cache';

interface Kept<Value> {
  /** Undefined: no such value. That is cached too, so that guessed ids cost the database nothing. */
  readonly value: Value | undefined;
  readonly untilMs: number;
}

/**
 * Caches values by key for `ttlMs` and evicts the least recently used. Concurrent calls for the same key
 * share one load. A load that was in flight when its key was evicted is returned to its callers and not
 * cached.
 */
export class LoadingCache<Value> {
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
