import type { EventLog, NewRecord } from '#platform/event-log/event-log.js';
import { traceHeader } from '#platform/telemetry/tracing.js';
import type { TopicCodecs } from '#platform/wire/topic-codecs.js';
import { reservationChangeKind, reservationStatusNumber } from '#schemas/messages.js';
import { dayNumber } from '../reservations/stay-days.js';
import type { HotelEvent } from './hotel-event.js';

type HotelCodecs = Pick<TopicCodecs, 'hotelInventoryChanged' | 'reservationLifecycle'>;

/**
 * Publishes the batches of the relay: counts go to `hotel.inventory.changed.v1`, reservations to
 * `reservation.lifecycle.v1`.
 */
export function publishToLog(
  log: Pick<EventLog, 'append'>,
  codecs: HotelCodecs,
  /** Each of several servers has events of its own numbers. */
  source = 'hotel',
): (events: readonly HotelEvent[]) => Promise<void> {
  return async (events) => {
    const counts: NewRecord[] = [];
    const reservations: NewRecord[] = [];
    for (const event of events) {
      if (event.kind === 'inventory.changed')
        counts.push(recordOf(event, source, encodeCounts(codecs, event)));
      else reservations.push(recordOf(event, source, encodeReservation(codecs, event)));
    }
    if (counts.length > 0) await log.append(codecs.hotelInventoryChanged.topic.name, counts);
    if (reservations.length > 0) await log.append(codecs.reservationLifecycle.topic.name, reservations);
  };
}

const recordOf = ({ key, eventId, trace }: HotelEvent, source: string, value: Uint8Array): NewRecord => ({
  key,
  value,
  headers: {
    ...(trace === undefined ? {} : { [traceHeader]: trace }),
    ce_id: `${source}/${eventId}`,
    ce_source: source,
    'content-type': 'application/protobuf',
  },
});

type CountsEvent = Extract<HotelEvent, { readonly kind: 'inventory.changed' }>;
type ReservationEvent = Exclude<HotelEvent, { readonly kind: 'inventory.changed' }>;

function encodeCounts(codecs: HotelCodecs, { eventId, at, body }: CountsEvent): Uint8Array {
  const { hotelId, roomTypeId, dates, totalInventory, totalReserved, soldAtMost = [] } = body;
  return codecs.hotelInventoryChanged.encode({
    eventId: Number(eventId),
    hotelId,
    roomTypeId,
    days: dates.map(dayNumber),
    totalInventory,
    totalReserved,
    soldAtMost,
    changedMs: at.getTime(),
  });
}

function encodeReservation(codecs: HotelCodecs, { eventId, kind, at, body }: ReservationEvent): Uint8Array {
  const { status, priceMinor, paidMinor, refundDueMinor, paymentId, holdExpiresAtMs, ...rest } = body;
  const { supplementId = '', supplementMinor = 0, supplementExpiresAtMs = 0, ...same } = rest;
  return codecs.reservationLifecycle.encode({
    ...same,
    eventId: Number(eventId),
    kind: kind === 'reservation.created' ? reservationChangeKind.created : reservationChangeKind.changed,
    status: reservationStatusNumber[status],
    priceMinor: Number(priceMinor),
    paidMinor: Number(paidMinor),
    refundDueMinor: Number(refundDueMinor),
    paymentId: paymentId ?? '',
    holdExpiresMs: holdExpiresAtMs,
    supplementId,
    supplementMinor: Number(supplementMinor),
    supplementExpiresMs: supplementExpiresAtMs,
    changedMs: at.getTime(),
  });
}
