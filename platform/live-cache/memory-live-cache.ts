import { LRUCache } from 'lru-cache';
import { checkName, checkTtl, checkValue } from './check-input.js';
import { liveCacheLimits } from './limits.js';
import { CacheUnavailable, type LiveCache } from './live-cache.js';

interface Entry {
  readonly value: string;
  /** On the clock of `now`. */
  readonly expiresMs: number;
}

type Handler = (message: string) => void;

/** The cache of one process: bounded, the least recently used entry is evicted. */
export class MemoryLiveCache implements LiveCache {
  readonly #now: () => number;
  readonly #entries: LRUCache<string, Entry>;
  readonly #handlers = new Map<string, Set<Handler>>();
  #closed = false;

  /** `now` returns milliseconds of a monotonic clock. */
  constructor(now: () => number, bounds: { readonly entries: number; readonly characters: number }) {
    this.#now = now;
    this.#entries = new LRUCache({
      max: bounds.entries,
      maxSize: bounds.characters,
      sizeCalculation: (entry, key) => key.length + entry.value.length,
    });
  }

  static withDefaults(now: () => number): MemoryLiveCache {
    return new MemoryLiveCache(now, {
      entries: liveCacheLimits.entriesMax,
      characters: liveCacheLimits.charactersMax,
    });
  }

  async get(key: string): Promise<string | undefined> {
    this.#begin(key);
    return this.#living(key)?.value;
  }

  async set(key: string, value: string, ttlMs: number): Promise<void> {
    this.#begin(key);
    checkValue('value', value);
    checkTtl(ttlMs);
    this.#entries.set(key, { value, expiresMs: this.#now() + ttlMs });
  }

  async delete(key: string): Promise<void> {
    this.#begin(key);
    this.#entries.delete(key);
  }

  async increment(key: string, ttlMs: number): Promise<number> {
    this.#begin(key);
    checkTtl(ttlMs);
    const present = this.#living(key);
    if (present !== undefined && !/^(0|-?[1-9]\d{0,14})$/.test(present.value)) {
      throw new TypeError(`The cache value of '${key}' is not a count: it was set to something else.`);
    }
    const count = Number(present?.value ?? 0) + 1;
    this.#entries.set(key, { value: String(count), expiresMs: present?.expiresMs ?? this.#now() + ttlMs });
    return count;
  }

  async publish(channel: string, message: string): Promise<void> {
    this.#beginChannel(channel);
    checkValue('message', message);
    // Each handler runs in its own turn: if one throws, the publisher and the other handlers are not
    // affected.
    for (const handler of this.#handlers.get(channel) ?? []) queueMicrotask(() => handler(message));
  }

  async subscribe(channel: string, onMessage: Handler): Promise<() => Promise<void>> {
    this.#beginChannel(channel);
    const handler: Handler = (message) => {
      if (this.#handlers.get(channel)?.has(handler)) onMessage(message);
    };
    const handlers = this.#handlers.get(channel) ?? new Set();
    this.#handlers.set(channel, handlers.add(handler));
    return async () => {
      handlers.delete(handler);
      if (handlers.size === 0 && this.#handlers.get(channel) === handlers) this.#handlers.delete(channel);
    };
  }

  async check(): Promise<void> {
    this.#refuseWhenClosed();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#entries.clear();
    this.#handlers.clear();
  }

  #living(key: string): Entry | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.expiresMs > this.#now()) return entry;
    this.#entries.delete(key);
    return undefined;
  }

  #begin(key: string): void {
    this.#refuseWhenClosed();
    checkName('key', key);
  }

  #beginChannel(channel: string): void {
    this.#refuseWhenClosed();
    checkName('channel', channel);
  }

  #refuseWhenClosed(): void {
    if (this.#closed) throw new CacheUnavailable('The cache was closed.');
  }
}
