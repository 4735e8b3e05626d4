import { LRUCache } from 'lru-cache';
import type { Customer, KeyOutcome } from '../http/metering.js';
import { SqlUnavailable } from '../sql/sql.js';
import type { FoundKey } from './customer-store.js';
import { isSecretOf, parseKeyText } from './key-text.js';
import { apiKeyLimits } from './limits.js';
import * as messages from './messages.js';
import type { CustomerUsage } from './usage-meter.js';

/** A customer with the counts behind it. */
export interface MeteredCustomer extends Customer {
  readonly usage: CustomerUsage;
}

interface KnownKey {
  readonly outcome: KeyOutcome;
  readonly keyId: string;
  readonly checkedAt: number;
  /** Unix milliseconds after which the key is refused. */
  readonly expiresAt: number;
  usedAt: number;
}

export interface KeyRingOptions {
  find(keyId: string): Promise<FoundKey | undefined>;
  /** The customer of a valid key, with its current counts. */
  customerOf(found: FoundKey): Promise<MeteredCustomer>;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
}

const refused: KeyOutcome = { ok: false, reason: 'invalid', detail: messages.badKey };
const unavailable: KeyOutcome = { ok: false, reason: 'unavailable', detail: messages.keysUnavailable };

/** API keys that were looked up lately, valid and refused ones. */
export class KeyRing {
  readonly #options: KeyRingOptions;
  readonly #known = new LRUCache<string, KnownKey>({ max: apiKeyLimits.keysMax });
  readonly #lookups = new Map<string, Promise<KeyOutcome>>();
  #used = new Set<KnownKey>();

  constructor(options: KeyRingOptions) {
    this.#options = options;
  }

  recall(text: string): KeyOutcome | undefined {
    const known = this.#known.get(text);
    const now = this.#options.nowMs();
    if (known === undefined || now - known.checkedAt >= apiKeyLimits.keyAgeMaxMs) return undefined;
    return this.#use(known, now);
  }

  async verify(text: string): Promise<KeyOutcome> {
    const parsed = parseKeyText(text);
    if (parsed === undefined) return refused;
    const running = this.#lookups.get(text);
    if (running !== undefined) return running;
    if (this.#lookups.size >= apiKeyLimits.lookupsMax) return this.#stale(text);
    const lookup = this.#lookUp(text, parsed.keyId, parsed.secret);
    this.#lookups.set(text, lookup);
    try {
      return await lookup;
    } finally {
      this.#lookups.delete(text);
    }
  }

  /** Keys that were used since the last call, with the time of their last use. */
  takeUsed(): ReadonlyMap<string, number> {
    const used = new Map([...this.#used].map(({ keyId, usedAt }) => [keyId, usedAt]));
    this.#used = new Set();
    return used;
  }

  async #lookUp(text: string, keyId: string, secret: string): Promise<KeyOutcome> {
    const { find, customerOf, nowMs } = this.#options;
    try {
      const found = await find(keyId);
      const expiresAt = found?.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
      const isValid = found !== undefined && found.revokedAt === null && isSecretOf(secret, found.secretHash);
      const outcome: KeyOutcome = isValid ? { ok: true, customer: await customerOf(found) } : refused;
      const known = { outcome, keyId, checkedAt: nowMs(), expiresAt, usedAt: 0 };
      this.#known.set(text, known);
      return this.#use(known, nowMs());
    } catch (error) {
      if (error instanceof SqlUnavailable) return this.#stale(text);
      throw error;
    }
  }

  /** While the database does not answer, the last result counts for some time. */
  #stale(text: string): KeyOutcome {
    const known = this.#known.get(text);
    const now = this.#options.nowMs();
    if (known === undefined || now - known.checkedAt >= apiKeyLimits.keyAgeWithoutDatabaseMs)
      return unavailable;
    return this.#use(known, now);
  }

  #use(known: KnownKey, now: number): KeyOutcome {
    if (!known.outcome.ok) return known.outcome;
    if (now >= known.expiresAt) return refused;
    known.usedAt = now;
    this.#used.add(known);
    return known.outcome;
  }
}
