import type { RateLimiter, RateVerdict } from '../rate-limiter.js';

/**
 * Buckets of one process; a power of two. At 20 bytes each, the table takes 5 MB for any number of clients.
 */
const bucketCount = 262_144;

/**
 * Token buckets in a table of fixed size, so that a million addresses cost no more memory than ten. A key has
 * two possible slots. If it owns neither, it replaces the one with more tokens: a limited client keeps its
 * slot, and a new client at worst starts with a full bucket.
 *
 *     slot:   tag (hash of the key)   tokens left   last seen (ms)
 */
export class MemoryRateLimiter implements RateLimiter {
  readonly #tags = new Uint32Array(bucketCount);
  readonly #levels = new Float64Array(bucketCount);
  readonly #seenAt = new Float64Array(bucketCount);
  readonly #now: () => number;
  readonly #seed: number;

  constructor(now: () => number = () => performance.now(), seed = Math.floor(Math.random() * 0xffffffff)) {
    this.#now = now;
    this.#seed = seed;
  }

  take(key: string, { limit, windowS }: { readonly limit: number; readonly windowS: number }): RateVerdict {
    const now = this.#now();
    const perMs = limit / (windowS * 1_000);
    const tag = hash(key, this.#seed) || 1;
    const slot = this.#slotOf(tag, scrambled(tag), now, perMs);
    if (this.#tags[slot] !== tag) {
      this.#tags[slot] = tag;
      this.#levels[slot] = limit;
      this.#seenAt[slot] = now;
    }
    const level = Math.min(limit, this.#level(slot, now, perMs));
    const allowed = level >= 1;
    const left = allowed ? level - 1 : level;
    this.#levels[slot] = left;
    this.#seenAt[slot] = now;
    const missing = allowed ? limit - left : 1 - left;
    return { allowed, remaining: Math.floor(left), resetS: Math.ceil(missing / perMs / 1_000) };
  }

  #slotOf(tag: number, other: number, now: number, perMs: number): number {
    const first = tag % bucketCount;
    const second = other % bucketCount;
    if (this.#tags[first] === tag) return first;
    if (this.#tags[second] === tag) return second;
    if (this.#tags[first] === 0) return first;
    if (this.#tags[second] === 0) return second;
    return this.#level(first, now, perMs) >= this.#level(second, now, perMs) ? first : second;
  }

  #level(slot: number, now: number, perMs: number): number {
    return (this.#levels[slot] ?? 0) + (now - (this.#seenAt[slot] ?? now)) * perMs;
  }
}

/** FNV-1a with a secret seed, so that collisions cannot be prepared. */
function hash(key: string, seed: number): number {
  let value = (0x811c9dc5 ^ seed) >>> 0;
  for (let at = 0; at < key.length; at += 1) {
    value ^= key.charCodeAt(at);
    value = Math.imul(value, 0x01000193) >>> 0;
  }
  value ^= value >>> 15;
  return Math.imul(value, 0x2c1b3c6d) >>> 0;
}

/** Murmur's finalizer: a second slot from the same hash, so that the key is hashed once. */
function scrambled(hashed: number): number {
  let value = Math.imul(hashed ^ (hashed >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
