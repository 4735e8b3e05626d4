import { writerGroup } from '#ingest/write-locations.js';
import { paymentGroups } from '#processors/payments/payment-groups.js';
import { groups } from './groups.js';

/** Groups whose work is stored. Each gateway has groups of its own too, which end with it. */
export const storingGroups: ReadonlySet<string> = new Set<string>([
  writerGroup,
  ...groups.filter((group) => group !== 'analytics'),
  ...['analytics-speeds', 'analytics-closures', 'analytics-arrivals'],
  ...['booking', ...paymentGroups],
]);
