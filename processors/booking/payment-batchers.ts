import { Batcher } from '#platform/batcher/batcher.js';
import type { SqlSession } from '#platform/sql/sql.js';
import type { ReservationChanged } from '#schemas/messages.js';
import {
  type BookingPayment,
  endPayments,
  findPayments,
  markAsked,
  namePayments,
  newestPayments,
} from './booking-payments.js';
import { bookingLimits } from './limits.js';

/** The calls of `booking-payments` that every booking makes, in batches. */
export interface PaymentBatchers {
  /** See `namePayments`; undefined when there is nothing to request. */
  name(event: ReservationChanged): Promise<BookingPayment | undefined>;
  markAsked(paymentOrderId: string): Promise<void>;
  find(paymentOrderId: string): Promise<BookingPayment | undefined>;
  newestOf(reservationId: string): Promise<BookingPayment | undefined>;
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
  const names = batched(async (events: readonly ReservationChanged[]) => {
    const named = await namePayments(sql, events);
    const byReservation = new Map(named.map((payment) => [payment.reservationId, payment]));
    return events.map(({ reservationId }) => byReservation.get(reservationId));
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
  const newest = batched(async (ids: readonly string[]) => {
    const found = await newestPayments(sql, ids);
    return ids.map((id) => found.get(id));
  });
  return {
    name: (event) => names.call(event),
    async markAsked(id) {
      await marks.call(id);
    },
    find: (id) => finds.call(id),
    newestOf: (reservationId) => newest.call(reservationId),
    async end(id, outcome) {
      await ends.call([id, outcome]);
    },
  };
}
