import { MemoryRateLimiter } from '#platform/http/admission/memory-rate-limiter.js';
import type { HttpAnswer } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import type { PaymentSettings } from '../settings/settings.js';
import * as messages from './messages.js';

type Settings = Pick<PaymentSettings, 'eventsPerSellerAMinute' | 'eventsPerSellerAMinuteOf'>;

/**
 * Counts the payment events of each caller for each seller, in this process. Per caller, so that a stranger
 * cannot use up what a seller's shop needs; per seller, so that a shop of many sellers serves all of them
 * while one is busy. An event counts once for each of its sellers, however many orders it has.
 */
export class SellerRates {
  readonly #limiter: MemoryRateLimiter;
  readonly #settings: Settings;

  constructor(settings: Settings, nowMs: () => number) {
    this.#limiter = new MemoryRateLimiter(nowMs);
    this.#settings = settings;
  }

  /** The refusal, or undefined when the event may go on. */
  refusal(caller: string, sellers: Iterable<string>): HttpAnswer | undefined {
    for (const seller of new Set(sellers)) {
      const limit = this.#limitOf(seller);
      const key = JSON.stringify([caller, seller]);
      const { allowed, resetS } = this.#limiter.take(key, { limit, windowS: 60 });
      if (!allowed)
        return problem(problems.tooManyRequests, messages.sellerBusy(limit), {
          retryAfterS: Math.max(1, resetS),
        });
    }
    return undefined;
  }

  #limitOf(seller: string): number {
    return Number(
      this.#settings.eventsPerSellerAMinuteOf.get(seller) ?? this.#settings.eventsPerSellerAMinute,
    );
  }
}
