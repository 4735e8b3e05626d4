import type { Reservations } from '#hotel/reservations/reservations.js';
import type { Sql } from '#platform/sql/sql.js';
import type { PaymentDesk } from './payment-desk.js';

/** The two rooms that meet here, each behind what booking uses of it, and what booking itself remembers. */
export interface BookingDeps {
  /** With the tables of `bookingMigrations`. */
  readonly sql: Sql;
  readonly reservations: Pick<
    Reservations,
    'confirmPayment' | 'rejectPayment' | 'noteMoney' | 'confirmRefund' | 'get'
  >;
  readonly payments: PaymentDesk;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
}
