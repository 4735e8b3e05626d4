import { setTimeout as delay } from 'node:timers/promises';
import type { ReachFaultPoint } from '#payment/executor/fault-points.js';
import { KnownHeads } from '#payment/ledger/known-heads.js';
import { addMailJob } from '#payment/notices/mail-jobs.js';
import { type Booked, bookInLedger, bookInWallet, transferOf } from '#payment/orders/book-change.js';
import { notBegun } from '#payment/orders/order.js';
import type { Sql } from '#platform/sql/sql.js';
import { batches, each, type Input } from '#platform/stream/input.js';
import { metricsGauges } from '#platform/stream/metrics-gauges.js';
import { deadLetter, drop, type Outcome, ok } from '#platform/stream/outcome.js';
import { type Processor, type ProcessorDeps, startProcessor } from '#platform/stream/start-processor.js';
import type { Logger } from '#platform/telemetry/logger.js';
import type { Metrics } from '#platform/telemetry/metrics.js';
import type { TopicCodecs } from '#platform/wire/topic-codecs.js';
import {
  noticeKind,
  type PaymentNotice,
  type PaymentOrderChanged,
  paymentChange,
} from '#schemas/messages.js';
import { paymentGroupLimits } from './limits.js';

/** The consumer groups of the payment topics. Each gets every event, and a slow one delays nobody. */
export const paymentGroups = [
  'payment-ledger',
  'payment-wallet',
  'payment-executor',
  'payment-analytics',
  'payment-notifications',
] as const;
export type PaymentGroup = (typeof paymentGroups)[number];

export interface PaymentGroupDeps {
  readonly log: ProcessorDeps['log'];
  readonly codecs: Pick<TopicCodecs, 'paymentOrderLifecycle' | 'paymentNotice' | 'deadLetter'>;
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
  return startProcessor(
    { group, startAt: 'earliest', inputs: inputsOf(group, deps) },
    {
      log: deps.log,
      deadLetters: deps.codecs.deadLetter,
      logger: deps.logger,
      gauges: metricsGauges(deps.metrics, group),
      limits: { batchRecordsMax: paymentGroupLimits.batchRecordsMax },
    },
  );
}

function inputsOf(group: PaymentGroup, deps: PaymentGroupDeps): readonly Input<undefined>[] {
  const { paymentOrderLifecycle: codec } = deps.codecs;
  switch (group) {
    case 'payment-ledger': {
      const known = new KnownHeads();
      return [
        batches(codec, (records) =>
          bookedInLedger(
            deps,
            records.map(({ message }) => message),
            known,
          ),
        ),
      ];
    }
    case 'payment-wallet':
      return [
        batches(codec, (records) =>
          bookedInWallet(
            deps,
            records.map(({ message }) => message),
          ),
        ),
      ];
    case 'payment-executor':
      return [
        batches(codec, (records) =>
          begun(
            deps,
            records.map(({ message }) => message),
          ),
        ),
      ];
    case 'payment-analytics':
      return [each(codec, ({ message }) => counted(deps, message))];
    case 'payment-notifications':
      return [
        each(codec, () => drop('nothing to tell a person')),
        each(deps.codecs.paymentNotice, ({ message }) => notified(deps, message)),
      ];
  }
}

/** Nearly all orders were begun by whoever took them in; the others, of a process that died, are begun here. */
async function begun(
  deps: PaymentGroupDeps,
  changes: readonly PaymentOrderChanged[],
): Promise<readonly Outcome[]> {
  const created = changes.filter(({ kind }) => kind === paymentChange.created);
  const waiting =
    created.length === 0
      ? []
      : await notBegun(
          deps.sql,
          created.map(({ paymentOrderId }) => paymentOrderId),
        );
  for (const id of waiting) await deps.execute(id);
  return changes.map(({ kind }) => (kind === paymentChange.created ? ok : drop('not new')));
}

function counted(deps: PaymentGroupDeps, change: PaymentOrderChanged): Outcome {
  const name = Object.entries(paymentChange).find(([, kind]) => kind === change.kind)?.[0];
  if (name === undefined) return drop('unknown kind');
  deps.metrics.counter('payments_total', 'Changes of payment orders by kind.', { status: name }).add();
  return ok;
}

/** A buyer is written to once for each notice; what concerns operators is counted, where their alerts look. */
async function notified(deps: PaymentGroupDeps, notice: PaymentNotice): Promise<Outcome> {
  const name = Object.entries(noticeKind).find(([, kind]) => kind === notice.kind)?.[0];
  if (name === undefined) return drop('unknown kind');
  if (notice.kind === noticeKind.buyerCompleted && !(await addMailJob(deps.sql, notice)))
    return drop('repeated');
  deps.metrics.counter('payment_notices_total', 'Notices to people by kind.', { kind: name }).add();
  return ok;
}

/** What the ledger refuses is put aside, and the rest is posted without it. */
async function bookedInLedger(
  deps: PaymentGroupDeps,
  changes: readonly PaymentOrderChanged[],
  known: KnownHeads,
): Promise<readonly Outcome[]> {
  if (!changes.some(movesMoney)) return changes.map(() => drop('no money moves'));
  const outcomes = new Map<PaymentOrderChanged, Booked>();
  for (let left = changes; left.length > 0; ) {
    const booked = await deps.sql.transaction(async (tx) => {
      const results = await bookInLedger(tx, left, deps.nowMs(), known);
      await deps.reach('ledger-before-commit');
      return results;
    });
    for (const [index, change] of left.entries()) outcomes.set(change, booked[index]!);
    left = left.filter((change) => outcomes.get(change)!.kind === 'not yet');
  }
  await deps.reach('ledger-after-commit');
  return changes.map((change) => outcomeOf(outcomes.get(change)!));
}

/** The ledger's group is as fast as we are: a capture that it does not have yet is there in a moment. */
async function bookedInWallet(
  deps: PaymentGroupDeps,
  changes: readonly PaymentOrderChanged[],
): Promise<readonly Outcome[]> {
  if (!changes.some(movesMoney)) return changes.map(() => drop('no money moves'));
  const outcomes = new Map<PaymentOrderChanged, Booked>();
  let left = changes;
  for (let look = 0; left.length > 0; look += 1) {
    const booked = await deps.sql.transaction(async (tx) => {
      const results = await bookInWallet(tx, left, deps.nowMs());
      if (results.some(({ kind }) => kind === 'booked')) await deps.reach('wallet-before-commit');
      return results;
    });
    for (const [index, change] of left.entries()) outcomes.set(change, booked[index]!);
    left = left.filter((change) => outcomes.get(change)!.kind === 'not yet');
    if (left.length === 0) break;
    if (look === paymentGroupLimits.looksMax)
      throw new NotYet(`The ledger has not booked ${left[0]!.eventId} yet.`);
    await delay(paymentGroupLimits.lookEveryMs);
  }
  if (changes.some((change) => outcomes.get(change)!.kind === 'booked'))
    await deps.reach('wallet-after-commit');
  return changes.map((change) => outcomeOf(outcomes.get(change)!));
}

const movesMoney = (change: PaymentOrderChanged): boolean => transferOf(change) !== undefined;

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
