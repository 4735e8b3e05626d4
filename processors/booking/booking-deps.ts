import type { Reservations } from '#hotel/reservations/reservations.js';
import type { Sql } from '#platform/sql/sql.js';
import type { PaymentPort } from './payment-port.js';

/** The hotel and payment packages, each behind what booking uses of it, and booking's own tables. */
export interface BookingDeps {
  /** With the tables of `bookingMigrations`. */
  readonly sql: Sql;
  readonly reservations: Pick<
    Reservations,
    'confirmPayment' | 'rejectPayment' | 'noteMoney' | 'confirmRefund' | 'get' | 'paymentsOf'
  >;
  readonly payments: PaymentPort;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
}
