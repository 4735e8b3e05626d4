import type { Endpoint } from '../endpoint.js';
import type { RatePolicy } from '../http-types.js';
import { type Authentication, type Authenticator, hasAnyScope, type Identity } from '../identity.js';
import { tokenBytesMax } from '../limits.js';
import { problem, problems } from '../problem.js';
import type { RateVerdict } from '../rate-limiter.js';
import type { Exchange } from '../response/exchange.js';
import type { Admission, AdmissionRules, RateLimiting } from './admission.js';
import { needsKey } from './needs-key.js';
import { tooMany } from './too-many.js';

/** For an open operation any valid token will do. */
export function admitWithToken(
  endpoint: Endpoint,
  exchange: Exchange,
  rules: AdmissionRules,
): Admission | Promise<Admission> {
  if (rules.authenticator === undefined) return limit(endpoint, exchange, rules, undefined);
  const authorization = exchange.facts.headers.get('authorization');
  const known = recalled(rules.authenticator, authorization);
  if (known !== undefined) return authorize(endpoint, exchange, rules, known);
  const token = bearerToken(authorization);
  if (token === undefined) {
    if (endpoint.scopes === 'open') return needsKey();
    return refuseToken('The request has no bearer token.', 'Bearer realm="meridian"');
  }
  const outcome = rules.authenticator.verify(token);
  if (outcome instanceof Promise) return outcome.then((late) => authorize(endpoint, exchange, rules, late));
  return authorize(endpoint, exchange, rules, outcome);
}

/** A token that was verified recently needs no check of its characters. */
function recalled(authenticator: Authenticator, authorization: string | undefined) {
  return authorization === undefined ? undefined : authenticator.recall?.(authorization);
}

/** The token of an `Authorization: Bearer` header; nothing when there is none or it is beyond the limit. */
export function bearerToken(authorization: string | undefined): string | undefined {
  if (authorization === undefined || authorization.length > tokenBytesMax + 7) return undefined;
  if (!/^bearer [\w\-.~+/]+=*$/i.test(authorization)) return undefined;
  return authorization.slice(7);
}

function authorize(
  endpoint: Endpoint,
  exchange: Exchange,
  rules: AdmissionRules,
  outcome: Authentication,
): Admission | Promise<Admission> {
  if (!outcome.ok) {
    if (outcome.reason === 'unavailable') {
      return { ok: false, answer: problem(problems.unavailable, outcome.detail, { retryAfterS: 5 }) };
    }
    return refuseToken(outcome.detail, 'Bearer realm="meridian", error="invalid_token"');
  }
  const { identity } = outcome;
  if (typeof endpoint.scopes !== 'string' && !hasAnyScope(identity, endpoint.scopes)) {
    const detail = `One of these scopes is needed: ${endpoint.scopes.join(', ')}.`;
    return { ok: false, answer: problem(problems.forbidden, detail) };
  }
  return limit(endpoint, exchange, rules, identity);
}

function refuseToken(detail: string, challenge: string): Admission {
  return {
    ok: false,
    answer: problem(problems.unauthenticated, detail, { headers: { 'www-authenticate': challenge } }),
  };
}

/** Counts the request by its user or address. */
export function limit(
  endpoint: Endpoint,
  exchange: Exchange,
  { rateLimit }: AdmissionRules,
  identity: Identity | undefined,
): Admission | Promise<Admission> {
  if (rateLimit === undefined || endpoint.priority === 'vital' || endpoint.isPage) {
    return { ok: true, identity, address: undefined };
  }
  const address = identity === undefined ? exchange.clientAddress() : undefined;
  const policy = endpoint.rate ?? policyFor(rateLimit, identity);
  const verdict = rateLimit.limiter.take(rateKey(policy, identity, address), policy);
  if (verdict instanceof Promise)
    return verdict.then((late) => judge(exchange, policy, late, identity, address));
  return judge(exchange, policy, verdict, identity, address);
}

const policyFor = (
  { perAddress, perIdentity, perProgram }: RateLimiting,
  identity: Identity | undefined,
): RatePolicy => (identity === undefined ? perAddress : (perProgram?.(identity) ?? perIdentity));

/** Rate keys of cached identities, with the policy that last counted them. */
const rateKeys = new WeakMap<Identity, { readonly policy: RatePolicy; readonly key: string }>();

function rateKey(policy: RatePolicy, identity: Identity | undefined, address: string | undefined): string {
  if (identity === undefined) return `${policy.name}:${address}`;
  const known = rateKeys.get(identity);
  if (known?.policy === policy) return known.key;
  const key = `${policy.name}:${identity.userId}`;
  rateKeys.set(identity, { policy, key });
  return key;
}

function judge(
  exchange: Exchange,
  policy: RatePolicy,
  verdict: RateVerdict,
  identity: Identity | undefined,
  address: string | undefined,
): Admission {
  if (!verdict.allowed) return tooMany(exchange, policy, verdict);
  exchange.rated = { policy, verdict };
  return { ok: true, identity, address };
}
