import type { Sql } from '#platform/sql/sql.js';
import type { Logger } from '#platform/telemetry/logger.js';
import type { Metrics } from '#platform/telemetry/metrics.js';
import type { ReachFaultPoint } from '../faults/fault-points.js';
import type { ApplyContext } from '../orders/apply-payment.js';
import type { Order } from '../orders/order.js';
import type { OrderBatchers } from '../orders/order-batchers.js';
import type { Providers } from '../psp/providers.js';
import type { Psp } from '../psp/psp.js';
import type { PaymentSettings } from '../settings/settings.js';

export interface ExecutorDeps {
  readonly sql: Sql;
  readonly orders: OrderBatchers;
  readonly providers: Providers;
  readonly settings: PaymentSettings;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
  /** 0 ≤ x < 1. */
  readonly random: () => number;
  readonly reach: ReachFaultPoint;
}

/** Every call about an order goes to the provider that has it; undefined if it is not configured. */
export const providerOf = (
  { providers }: Pick<ExecutorDeps, 'providers'>,
  { provider }: Pick<Order, 'provider'>,
): Psp | undefined => (provider === undefined ? undefined : providers.of(provider));

/**
 * Intervals grow with the age of the order, so no count is needed: the next query follows after a quarter of
 * that age.
 */
export function askAgainMs(
  { settings, nowMs }: Pick<ExecutorDeps, 'settings' | 'nowMs'>,
  order: Order,
): number {
  const now = nowMs();
  const quarter = (now - order.createdMs) / 4;
  return now + Math.min(settings.askAfterMsMax, Math.max(settings.askAfterMsMin, quarter));
}

/** How an order takes what `source` reports of it. */
export const applyContext = (
  deps: Pick<ExecutorDeps, 'settings' | 'nowMs'>,
  source: string,
): ApplyContext => ({
  nowMs: deps.nowMs(),
  source,
  askAgainMs: (order) => askAgainMs(deps, order),
  authorizedAskMs: deps.settings.authorizedAskMs,
  attemptsMax: deps.settings.retry.attemptsMax,
});
