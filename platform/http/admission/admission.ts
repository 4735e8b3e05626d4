import type { HttpAnswer, RatePolicy } from '../http-types.js';
import type { Authenticator, Identity } from '../identity.js';
import type { Metering } from '../metering.js';
import type { RateLimiter } from '../rate-limiter.js';

export interface Admitted {
  readonly ok: true;
  readonly identity: Identity | undefined;
  /** Set if it was needed for counting. */
  readonly address: string | undefined;
}

export type Admission = Admitted | { readonly ok: false; readonly answer: HttpAnswer };

export interface RateLimiting {
  readonly limiter: RateLimiter;
  /** Requests with a token are counted by user, all others by address. */
  readonly perIdentity: RatePolicy;
  readonly perAddress: RatePolicy;
  /** Replaces `perIdentity` where it answers; programs that call for many people have their own limit. */
  readonly perProgram?: (identity: Identity) => RatePolicy | undefined;
}

export interface AdmissionRules {
  readonly authenticator: Authenticator | undefined;
  readonly rateLimit: RateLimiting | undefined;
  /** Of customers with API keys; undefined: there are none. */
  readonly metering?: Metering | undefined;
}
