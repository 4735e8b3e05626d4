import type { ReachFaultPoint } from '#payment/executor/fault-points.js';
import { type Booked, bookInLedger, bookInWallet } from '#payment/orders/book-change.js';
import type { Sql } from '#platform/sql/sql.js';
import { each } from '#platform/stream/input.js';
import { metricsGauges } from '#platform/stream/metrics-gauges.js';
import { deadLetter, drop, type Outcome, ok } from '#platform/stream/outcome.js';
import { type Processor, type ProcessorDeps, startProcessor } from '#platform/stream/start-processor.js';
import type { Logger } from '#platform/telemetry/logger.js';
import type { Metrics } from '#platform/telemetry/metrics.js';
import type { TopicCodecs } from '#platform/wire/topic-codecs.js';
import { type PaymentOrderChanged, paymentChange } from '#schemas/messages.js';

/** The consumer groups of the payment topics. Each gets every event, and a slow one delays nobody. */
export const paymentGroups = [
  'payment-ledger',
  'payment-wallet',
  'payment-executor',
  'payment-analytics',
] as const;
export type PaymentGroup = (typeof paymentGroups)[number];

export interface PaymentGroupDeps {
  readonly log: ProcessorDeps['log'];
  readonly codecs: Pick<TopicCodecs, 'paymentOrderLifecycle' | 'deadLetter'>;
  readonly sql: Sql;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly nowMs: () => number;
  readonly reach: ReachFaultPoint;
  /** Begins an order; the executor's group calls it for orders that nobody began yet. */
  readonly execute: (orderId: string) => Promise<void>;
}

/** Another group must go first, or the database is away: the record is kept and comes again. */
class NotYet extends Error {
  override readonly name = 'NotYet';
  readonly retriable = true;
}

export async function startPaymentGroup(group: PaymentGroup, deps: PaymentGroupDeps): Promise<Processor> {
  const step = stepOf(group, deps);
  return startProcessor(
    {
      group,
      startAt: 'earliest',
      inputs: [each(deps.codecs.paymentOrderLifecycle, ({ message }) => step(message))],
    },
    {
      log: deps.log,
      deadLetters: deps.codecs.deadLetter,
      logger: deps.logger,
      gauges: metricsGauges(deps.metrics, group),
    },
  );
}

function stepOf(
  group: PaymentGroup,
  deps: PaymentGroupDeps,
): (change: PaymentOrderChanged) => Outcome | Promise<Outcome> {
  switch (group) {
    case 'payment-ledger':
      return async (change) => {
        const booked = await deps.sql.transaction(async (tx) => {
          const result = await bookInLedger(tx, change, deps.nowMs());
          await deps.reach('ledger-before-commit');
          return result;
        });
        await deps.reach('ledger-after-commit');
        return outcomeOf(booked);
      };
    case 'payment-wallet':
      return async (change) => {
        const booked = await deps.sql.transaction(async (tx) => {
          const result = await bookInWallet(tx, change, deps.nowMs());
          if (result.kind === 'booked') await deps.reach('wallet-before-commit');
          return result;
        });
        if (booked.kind === 'booked') await deps.reach('wallet-after-commit');
        return outcomeOf(booked);
      };
    case 'payment-executor':
      return async (change) => {
        if (change.kind !== paymentChange.created) return drop('not new');
        await deps.execute(change.paymentOrderId);
        return ok;
      };
    case 'payment-analytics':
      return (change) => {
        const name = Object.entries(paymentChange).find(([, kind]) => kind === change.kind)?.[0];
        if (name === undefined) return drop('unknown kind');
        deps.metrics.counter('payments_total', 'Changes of payment orders by kind.', { status: name }).add();
        return ok;
      };
  }
}

function outcomeOf(booked: Booked): Outcome {
  switch (booked.kind) {
    case 'booked':
      return ok;
    case 'nothing to book':
      return drop('no money moves');
    case 'not yet':
      throw new NotYet(booked.reason);
    case 'refused':
      return deadLetter('refused by the ledger', new Error(booked.reason));
  }
}
