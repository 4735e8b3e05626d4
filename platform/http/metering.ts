import type { MeteredFamily } from '#schemas/http/metered-families.js';
import type { RatePolicy } from './http-types.js';
import type { Identity } from './identity.js';
import type { RateVerdict } from './rate-limiter.js';

/** Who pays for a request, according to its API key. */
export interface Customer {
  readonly customerId: string;
  /** Of requests that have no token of a user. */
  readonly identity: Identity;
  readonly families: ReadonlySet<MeteredFamily>;
  /** Requests per second of all keys of the customer. */
  readonly rate: RatePolicy;
  /** Key of the limiter. */
  readonly rateKey: string;
}

export type KeyOutcome =
  | { readonly ok: true; readonly customer: Customer }
  | { readonly ok: false; readonly reason: 'invalid' | 'unavailable'; readonly detail: string };

/** State of a monthly quota after a request has begun. */
export interface Quota {
  readonly policy: RatePolicy;
  readonly verdict: RateVerdict;
}

/**
 * Knows the customers by their API keys and counts their requests.
 *
 * ```ts
 * const quota = metering.begin(customer, 'map');
 * if (quota?.verdict.allowed === false) return refuse(quota);
 * metering.end(customer, 'map', true);
 * ```
 */
export interface Metering {
  /** Operations of a metered family are refused without an API key or a token. */
  readonly isRequired: boolean;
  /** The recent result of `verify`; nothing if it must be verified again. */
  recall(key: string): KeyOutcome | undefined;
  verify(key: string): Promise<KeyOutcome>;
  /** Nothing if the plan has no quota for the family. After a refusal there is no `end`. */
  begin(customer: Customer, family: MeteredFamily): Quota | undefined;
  /** Called once, before the answer is sent. Throws if the count cannot be kept. */
  end(customer: Customer, family: MeteredFamily, isCounted: boolean): void;
}
