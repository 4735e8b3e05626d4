import type { RatePolicy } from '#platform/http/http-types.js';
import { hasAnyScope, type Identity } from '#platform/http/identity.js';
import type { Context } from '../context.js';
import { merchantLimits } from './merchant-limits.js';

/**
 * The limit of requests of a merchant: its program calls for all of its buyers, so what suffices one person
 * would refuse the shop. Undefined for everybody else.
 */
export function merchantRates({
  RATE_PER_MERCHANT: perMinute,
  RATE_PER_MERCHANT_OF: text,
}: Pick<Context['config'], 'RATE_PER_MERCHANT' | 'RATE_PER_MERCHANT_OF'>) {
  const limits = merchantLimits('RATE_PER_MERCHANT_OF', text, 1n);
  const policy = (limit: number): RatePolicy => ({ name: 'merchant', limit, windowS: 60 });
  const general = policy(perMinute);
  const own = new Map([...limits].map(([subject, limit]) => [subject, policy(Number(limit))]));
  return (identity: Identity): RatePolicy | undefined =>
    hasAnyScope(identity, ['service', 'merchant']) ? (own.get(identity.userId) ?? general) : undefined;
}
