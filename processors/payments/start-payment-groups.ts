import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { ReachFaultPoint } from '#payment/faults/fault-points.js';
import { AccountCache } from '#payment/ledger/account-cache.js';
import { eventTypeOf } from '#payment/merchant-webhooks/event-types.js';
import { recordEvents } from '#payment/merchant-webhooks/record-events.js';
import { addMailJob } from '#payment/notices/mail-jobs.js';
import {
  areInLedger,
  type Booked,
  bookInLedger,
  bookInWallet,
  transferOf,
} from '#payment/orders/book-change.js';
import { notBegun } from '#payment/orders/order.js';
import type { GroupSettings } from '#payment/settings/rounds.js';
import { Batcher } from '#platform/batcher/batcher.js';
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
import type { PaymentGroup } from './payment-groups.js';

export interface PaymentGroupDeps {
  readonly log: ProcessorDeps['log'];
  readonly codecs: Pick<TopicCodecs, 'paymentOrderLifecycle' | 'paymentNotice' | 'deadLetter'>;
  readonly sql: Sql;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly settings: GroupSettings;
  readonly nowMs: () => number;
  readonly reach: ReachFaultPoint;
  /** Starts an order; the executor's group calls it for orders that were not started yet. */
  readonly execute: (orderId: string) => Promise<void>;
  /** Notifies the relay that a message waits for the log; without it the relay finds it at its next poll. */
  readonly wakeRelay?: () => void;
  /** Notifies the sender of merchants' webhooks that some are due. */
  readonly wakeWebhooks?: () => void;
}

/** Another group must go first, or the database is unavailable: the record is kept and redelivered. */
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
  /**
   * One transaction at a time: the ledger admits one poster, and postings that arrive meanwhile form the next
   * batch. The partitions of one round of the relay arrive within a few milliseconds of each other.
   */
  const gathering = {
    atOnce: 1,
    batchMax: paymentGroupLimits.batchRecordsMax,
    turn: () => delay(deps.settings.gatherMs),
  };
  /** Concurrent events of all partitions are processed in one batch. */
  const eachOf = (step: (change: PaymentOrderChanged) => Promise<Outcome>) =>
    batches(codec, (records) => Promise.all(records.map(({ message }) => step(message))));
  switch (group) {
    case 'payment-ledger': {
      const known = new AccountCache();
      const ledger = new Batcher(
        (changes: readonly PaymentOrderChanged[]) => bookedInLedger(deps, changes, known),
        gathering,
      );
      return [eachOf(async (change) => (movesMoney(change) ? ledger.call(change) : nothingMoves))];
    }
    case 'payment-wallet': {
      const wallet = new Batcher(
        (changes: readonly PaymentOrderChanged[]) => bookedInWallet(deps, changes),
        gathering,
      );
      return [
        eachOf(async (change) => (movesMoney(change) ? afterLedger(deps, wallet, change) : nothingMoves)),
      ];
    }
    case 'payment-executor': {
      const waiting = new Batcher((ids: readonly string[]) => areWaiting(deps.sql, ids), gathering);
      return [
        eachOf(async ({ kind, paymentOrderId }) => {
          if (kind !== paymentChange.created) return drop('not new');
          if (await waiting.call(paymentOrderId)) await deps.execute(paymentOrderId);
          return ok;
        }),
      ];
    }
    case 'payment-analytics': {
      const isFirst = firstOf();
      return [each(codec, ({ message }) => (isFirst(message) ? counted(deps, message) : repeated))];
    }
    case 'payment-merchants': {
      const merchants = new Batcher(
        (changes: readonly PaymentOrderChanged[]) => told(deps, changes),
        gathering,
      );
      return [
        eachOf(async (change) =>
          eventTypeOf(change) === undefined ? drop('no event of a merchant') : merchants.call(change),
        ),
      ];
    }
    case 'payment-notifications': {
      const isFirst = firstOf();
      // An alert sees the first one only as an increase from 0.
      for (const kind of Object.keys(noticeKind)) noticesOf(deps, kind);
      return [
        each(codec, () => drop('no notice needed')),
        each(deps.codecs.paymentNotice, ({ message }) => notified(deps, message, isFirst)),
      ];
    }
  }
}

const nothingMoves = drop('no money moves');
const repeated = drop('repeated');

/**
 * Whether an event is delivered for the first time. Counters live as long as the process, so its memory of
 * the latest events suffices for them.
 */
function firstOf(): (event: { readonly eventId: string }) => boolean {
  const seen = new LRUCache<string, true>({ max: paymentGroupLimits.eventsSeenMax });
  return ({ eventId }) => {
    if (seen.has(eventId)) return false;
    seen.set(eventId, true);
    return true;
  };
}

/**
 * The process that accepts an order usually starts it; the executor's group starts the orders of processes
 * that died.
 */
async function areWaiting(sql: Sql, ids: readonly string[]): Promise<readonly boolean[]> {
  const waiting = new Set(await notBegun(sql, ids));
  return ids.map((id) => waiting.has(id));
}

function counted(deps: PaymentGroupDeps, change: PaymentOrderChanged): Outcome {
  const name = Object.entries(paymentChange).find(([, kind]) => kind === change.kind)?.[0];
  if (name === undefined) return drop('unknown kind');
  deps.metrics.counter('payments_total', 'Changes of payment orders by kind.', { status: name }).add();
  return ok;
}

/** Merchants are told of what concerns them; see `payment/merchant-webhooks/`. */
async function told(
  deps: PaymentGroupDeps,
  changes: readonly PaymentOrderChanged[],
): Promise<readonly Outcome[]> {
  const deliveries = await recordEvents(deps.sql, changes, new Date(deps.nowMs()));
  if (deliveries > 0) deps.wakeWebhooks?.();
  return changes.map(() => (deliveries > 0 ? ok : drop('no endpoint')));
}

/** A buyer gets one mail for each notice; notices for operators are counted in the metric of their alerts. */
async function notified(
  deps: PaymentGroupDeps,
  notice: PaymentNotice,
  isFirst: (notice: PaymentNotice) => boolean,
): Promise<Outcome> {
  const name = Object.entries(noticeKind).find(([, kind]) => kind === notice.kind)?.[0];
  if (name === undefined) return drop('unknown kind');
  if (notice.kind === noticeKind.buyerCompleted && !(await addMailJob(deps.sql, notice))) return repeated;
  // Only now: a notice whose job could not be written is delivered again.
  if (!isFirst(notice)) return repeated;
  noticesOf(deps, name).add();
  return ok;
}

const noticesOf = ({ metrics }: PaymentGroupDeps, kind: string) =>
  metrics.counter('payment_notices_total', 'Notices to buyers, sellers and staff by kind.', { kind });

/** A change that the ledger refuses is dead-lettered, and the rest is posted without it. */
async function bookedInLedger(
  deps: PaymentGroupDeps,
  changes: readonly PaymentOrderChanged[],
  known: AccountCache,
): Promise<readonly Outcome[]> {
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

/** The ledger's group processes the same events at the same time: a missing capture is posted shortly. */
async function afterLedger(
  { settings: { looksMax, lookEveryMs } }: PaymentGroupDeps,
  wallet: Batcher<PaymentOrderChanged, Booked>,
  change: PaymentOrderChanged,
): Promise<Outcome> {
  for (let look = 0; ; look += 1) {
    const booked = await wallet.call(change);
    if (booked.kind !== 'not yet' || look === looksMax) return outcomeOf(booked);
    await delay(lookEveryMs);
  }
}

async function bookedInWallet(
  deps: PaymentGroupDeps,
  changes: readonly PaymentOrderChanged[],
): Promise<readonly Booked[]> {
  const there = await areInLedger(deps.sql, changes);
  const ready = changes.filter((_, index) => there[index]!);
  if (ready.length > 0) {
    await deps.sql.transaction(async (tx) => {
      await bookInWallet(tx, ready, deps.nowMs());
      await deps.reach('wallet-before-commit');
    });
    deps.wakeRelay?.();
    await deps.reach('wallet-after-commit');
  }
  return changes.map(
    ({ eventId }, index): Booked =>
      there[index]!
        ? { kind: 'booked' }
        : { kind: 'not yet', reason: `The ledger has not booked ${eventId} yet.` },
  );
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
