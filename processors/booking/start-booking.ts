import type { EventLog } from '#platform/event-log/event-log.js';
import { batches, type Input } from '#platform/stream/input.js';
import { metricsGauges } from '#platform/stream/metrics-gauges.js';
import { type Processor, startProcessor } from '#platform/stream/start-processor.js';
import type { Logger } from '#platform/telemetry/logger.js';
import type { Metrics } from '#platform/telemetry/metrics.js';
import type { TopicCodecs } from '#platform/wire/topic-codecs.js';
import type { BookingDeps } from './booking-deps.js';
import { followPayments } from './follow-payments.js';
import { followReservations } from './follow-reservations.js';
import { batchPayments } from './payment-batchers.js';

/**
 * Group `booking`: holds rooms until they are paid for, from the events of both packages. Hotel and payment
 * do not know each other.
 */
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
  const booked = batchPayments(deps.sql);
  const inputs: readonly Input<undefined>[] = [
    batches(codecs.reservationLifecycle, (records) =>
      followReservations(
        deps,
        records.map(({ message }) => message),
        booked,
      ),
    ),
    batches(codecs.paymentOrderLifecycle, (records) =>
      followPayments(
        deps,
        records.map(({ message }) => message),
        booked,
      ),
    ),
  ];
  return startProcessor(
    { group: 'booking', startAt: 'earliest', inputs },
    { log, deadLetters: codecs.deadLetter, logger, gauges: metricsGauges(metrics, 'booking') },
  );
}
