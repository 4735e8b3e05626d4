import type { Endpoint } from '../endpoint.js';
import { hasAnyScope, type Identity } from '../identity.js';
import type { Customer, KeyOutcome, Metering } from '../metering.js';
import { problem, problems } from '../problem.js';
import type { RateLimiter, RateVerdict } from '../rate-limiter.js';
import type { Exchange } from '../response/exchange.js';
import type { Admission, AdmissionRules } from './admission.js';
import { admitWithToken } from './admit-with-token.js';
import { keyChallenge } from './needs-key.js';
import { tooMany } from './too-many.js';

/**
 * A request with an API key: the key says which customer pays, a token beside it which user it is. Without a
 * token the user is the customer itself.
 */
export function admitWithKey(
  endpoint: Endpoint,
  exchange: Exchange,
  rules: AdmissionRules,
  metering: Metering,
  key: string,
): Admission | Promise<Admission> {
  const proceed = (outcome: KeyOutcome) => admitKey(endpoint, exchange, rules, metering, outcome);
  const known = metering.recall(key);
  return known === undefined ? metering.verify(key).then(proceed) : proceed(known);
}

function admitKey(
  endpoint: Endpoint,
  exchange: Exchange,
  rules: AdmissionRules,
  metering: Metering,
  outcome: KeyOutcome,
): Admission | Promise<Admission> {
  if (!outcome.ok) {
    const { reason, detail } = outcome;
    const answer =
      reason === 'unavailable'
        ? problem(problems.unavailable, detail, { retryAfterS: 5 })
        : problem(problems.unauthenticated, detail, { headers: keyChallenge });
    return { ok: false, answer };
  }
  const { customer } = outcome;
  const { family, scopes } = endpoint;
  if (family !== undefined && !customer.families.has(family)) {
    return { ok: false, answer: problem(problems.forbidden, `The API key does not allow ${family}.`) };
  }
  const { limiter } = rules.rateLimit ?? {};
  const spend = (admitted: Admission): Admission | Promise<Admission> => {
    if (!admitted.ok || limiter === undefined) return admitted;
    const verdict = limiter.take(customer.rateKey, customer.rate);
    const judge = (late: RateVerdict) =>
      charge(endpoint, exchange, metering, customer, late, admitted.identity);
    return verdict instanceof Promise ? verdict.then(judge) : judge(verdict);
  };
  if (typeof scopes !== 'string' && exchange.facts.headers.get('authorization') !== undefined) {
    const admitted = admitWithToken(endpoint, exchange, rules);
    return admitted instanceof Promise ? admitted.then(spend) : spend(admitted);
  }
  if (typeof scopes !== 'string' && !hasAnyScope(customer.identity, scopes)) {
    return { ok: false, answer: problem(problems.forbidden, 'An API key does not allow this operation.') };
  }
  const limited = ownLimit(endpoint, exchange, limiter, customer);
  return limited instanceof Promise ? limited.then(spend) : spend(limited);
}

/** Of an operation with a limit of its own, as users with a token have it, too. */
function ownLimit(
  { rate, scopes }: Endpoint,
  exchange: Exchange,
  limiter: RateLimiter | undefined,
  { rateKey, identity }: Customer,
): Admission | Promise<Admission> {
  const admitted: Admission = {
    ok: true,
    identity: scopes === 'open' ? undefined : identity,
    address: undefined,
  };
  if (rate === undefined || limiter === undefined) return admitted;
  const verdict = limiter.take(`${rate.name}:${rateKey}`, rate);
  const judge = (late: RateVerdict) => (late.allowed ? admitted : tooMany(exchange, rate, late));
  return verdict instanceof Promise ? verdict.then(judge) : judge(verdict);
}

function charge(
  endpoint: Endpoint,
  exchange: Exchange,
  metering: Metering,
  customer: Customer,
  verdict: RateVerdict,
  identity: Identity | undefined,
): Admission {
  const { rate } = customer;
  if (!verdict.allowed) return tooMany(exchange, rate, verdict);
  const { family } = endpoint;
  const admitted: Admission = { ok: true, identity, address: undefined };
  if (family === undefined) {
    exchange.rated = { policy: rate, verdict };
    return admitted;
  }
  const quota = metering.begin(customer, family);
  exchange.rated = { policy: rate, verdict, beside: quota };
  if (quota?.verdict.allowed === false) {
    const detail = `The plan includes ${quota.policy.limit} requests to ${family} in a month.`;
    return {
      ok: false,
      answer: problem(problems.quotaExceeded, detail, { retryAfterS: quota.verdict.resetS }),
    };
  }
  exchange.count = (status) => metering.end(customer, family, status < 500 && status !== 499);
  return admitted;
}
