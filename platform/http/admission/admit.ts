import type { Endpoint } from '../endpoint.js';
import type { Exchange } from '../response/exchange.js';
import type { Admission, AdmissionRules } from './admission.js';
import { admitWithKey } from './admit-customer.js';
import { admitWithToken, limit } from './admit-with-token.js';
import { needsKey } from './needs-key.js';

/**
 * Authenticates the caller, then checks permission and rate limit. Synchronous unless the token, the API key
 * or the counter needs a round trip.
 */
export function admit(
  endpoint: Endpoint,
  exchange: Exchange,
  rules: AdmissionRules,
): Admission | Promise<Admission> {
  const { metering } = rules;
  if (metering !== undefined && (endpoint.family !== undefined || endpoint.scopes === 'apiKey')) {
    const key = exchange.facts.headers.get('x-api-key');
    if (key !== undefined) return admitWithKey(endpoint, exchange, rules, metering, key);
    if (endpoint.scopes === 'apiKey') return needsKey();
    if (metering.isRequired && endpoint.scopes === 'open') return admitWithToken(endpoint, exchange, rules);
  }
  if (endpoint.scopes === 'open' || rules.authenticator === undefined) {
    return limit(endpoint, exchange, rules, undefined);
  }
  return admitWithToken(endpoint, exchange, rules);
}
