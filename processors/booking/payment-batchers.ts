import { Batcher } from '#platform/batcher/batcher.js';
import type { SqlSession } from '#platform/sql/sql.js';
import {
  type BookingPayment,
  endPayments,
  findPayments,
  keyOf,
  markAsked,
  namePayments,
  newestPayments,
  type PaidFor,
} from './booking-payments.js';
import { bookingLimits } from './limits.js';
import type { Payable } from './payable.js';

/** The calls of `booking-payments` that every booking makes, in batches. */
export interface PaymentBatchers {
  /** See `namePayments`; undefined when there is nothing to request. */
  name(payable: Payable): Promise<BookingPayment | undefined>;
  markAsked(paymentOrderId: string): Promise<void>;
  find(paymentOrderId: string): Promise<BookingPayment | undefined>;
  newestOf(paidFor: PaidFor): Promise<BookingPayment | undefined>;
  end(paymentOrderId: string, outcome: string): Promise<void>;
}

/**
 * Each partition has a few events at a time, all partitions together have many: concurrent calls share one
 * statement.
 */
export function batchPayments(sql: SqlSession): PaymentBatchers {
  const { statementsAtOnce: atOnce, statementRowsMax: batchMax } = bookingLimits;
  const batched = <Item, Answer>(work: (items: readonly Item[]) => Promise<readonly Answer[]>) =>
    new Batcher(work, { atOnce, batchMax });
  const names = batched(async (payables: readonly Payable[]) => {
    const named = new Map((await namePayments(sql, payables)).map((payment) => [keyOf(payment), payment]));
    return payables.map((payable) => named.get(keyOf(payable)));
  });
  const marks = batched(async (ids: readonly string[]) => {
    await markAsked(sql, ids);
    return ids;
  });
  const finds = batched(async (ids: readonly string[]) => {
    const found = await findPayments(sql, ids);
    return ids.map((id) => found.get(id));
  });
  const ends = batched(async (outcomes: ReadonlyArray<readonly [string, string]>) => {
    await endPayments(sql, new Map(outcomes));
    return outcomes;
  });
  const newest = batched(async (paidFor: readonly PaidFor[]) => {
    const found = await newestPayments(sql, paidFor);
    return paidFor.map((one) => found.get(keyOf(one)));
  });
  return {
    name: (payable) => names.call(payable),
    async markAsked(id) {
      await marks.call(id);
    },
    find: (id) => finds.call(id),
    newestOf: (paidFor) => newest.call(paidFor),
    async end(id, outcome) {
      await ends.call([id, outcome]);
    },
  };
}
