import type { RouteContract } from './route-contract.js';

/** What requests with an API key are counted by, and what a key may be limited to: tags of operations. */
export const meteredFamilies = ['navigation', 'geocoding', 'map', 'traffic', 'locations'] as const;
export type MeteredFamily = (typeof meteredFamilies)[number];

/** Undefined for an operation that takes no API key: of staff, of payments, of this installation. */
export function familyOf({ tag, scopes }: Pick<RouteContract, 'tag' | 'scopes'>): MeteredFamily | undefined {
  const isForCustomers = scopes === 'open' || scopes.includes('driver') || scopes.includes('customer');
  return isForCustomers ? meteredFamilies.find((family) => family === tag) : undefined;
}
