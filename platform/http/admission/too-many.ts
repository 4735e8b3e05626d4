import type { RatePolicy } from '../http-types.js';
import { problem, problems } from '../problem.js';
import type { RateVerdict } from '../rate-limiter.js';
import type { Exchange } from '../response/exchange.js';
import type { Admission } from './admission.js';

/** The 429 of a request beyond its rate. */
export function tooMany(exchange: Exchange, policy: RatePolicy, verdict: RateVerdict): Admission {
  exchange.rated = { policy, verdict };
  const detail = `At most ${policy.limit} requests in ${Math.ceil(policy.windowS)} s are allowed.`;
  const retryAfterS = Math.max(1, verdict.resetS);
  return { ok: false, answer: problem(problems.tooManyRequests, detail, { retryAfterS }) };
}
