import type { Reservations } from '#hotel/reservations/reservations.js';
import type { EventLog } from '#platform/event-log/event-log.js';
import type { Sql } from '#platform/sql/sql.js';
import { batches, type Input } from '#platform/stream/input.js';
import { metricsGauges } from '#platform/stream/metrics-gauges.js';
import { type Processor, startProcessor } from '#platform/stream/start-processor.js';
import type { Logger } from '#platform/telemetry/logger.js';
import type { Metrics } from '#platform/telemetry/metrics.js';
import type { TopicCodecs } from '#platform/wire/topic-codecs.js';
import { followPayments } from './follow-payments.js';
import { followReservations } from './follow-reservations.js';
import type { PaymentDesk } from './payment-desk.js';

/** The two rooms that meet here, each behind what booking uses of it, and what booking itself remembers. */
export interface BookingDeps {
  /** With the tables of `bookingMigrations`. */
  readonly sql: Sql;
  readonly reservations: Pick<Reservations, 'confirmPayment' | 'rejectPayment' | 'confirmRefund' | 'get'>;
  readonly payments: PaymentDesk;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
}

/** Group `booking`: holds rooms until they are paid for, by the events of both rooms. Hotel and payment do not know each other. */
export function startBooking(
  deps: BookingDeps,
  ports: {
    readonly log: EventLog;
    readonly codecs: Pick<TopicCodecs, 'reservationLifecycle' | 'paymentOrderLifecycle' | 'deadLetter'>;
    readonly logger: Logger;
    readonly metrics: Metrics;
  },
): Promise<Processor> {
  const { log, codecs, logger, metrics } = ports;
  const inputs: readonly Input<undefined>[] = [
    batches(codecs.reservationLifecycle, (records) =>
      followReservations(
        deps,
        records.map(({ message }) => message),
      ),
    ),
    batches(codecs.paymentOrderLifecycle, (records) =>
      followPayments(
        deps,
        records.map(({ message }) => message),
      ),
    ),
  ];
  return startProcessor(
    { group: 'booking', startAt: 'earliest', inputs },
    { log, deadLetters: codecs.deadLetter, logger, gauges: metricsGauges(metrics, 'booking') },
  );
}
