import { randomUUID } from 'node:crypto';
import type { SqlRow, SqlSession } from '#platform/sql/sql.js';
import type { ReservationChanged } from '#schemas/messages.js';
import { bookingLimits } from './limits.js';

/** A payment order that a reservation is to be paid by. */
export interface BookingPayment {
  readonly paymentOrderId: string;
  /** A checkout for one price; each attempted card is a payment order of it. */
  readonly checkoutId: string;
  /** The previous order, whose card was declined, and the reason. */
  readonly retryOf: string | null;
  readonly declinedCode: string | null;
  readonly reservationId: string;
  readonly userId: string;
  readonly hotelId: string;
  /** The event of the reservation that it is for. */
  readonly eventId: number;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly expiresAt: Date;
  readonly asked: boolean;
  readonly outcome: string | null;
}

/**
 * Creates a payment order for each reservation that has none of its price yet, and returns those to request
 * from payment. Ids are random: a stranger could use up an id that can be computed. An event that was seen
 * before, or is older than the order, adds none.
 */
export async function namePayments(
  sql: SqlSession,
  events: readonly ReservationChanged[],
): Promise<readonly BookingPayment[]> {
  if (events.length === 0) return [];
  await sql.query(
    `INSERT INTO booking_payment (payment_order_id, checkout_id, reservation_id, attempt, event_id, user_id,
       hotel_id, amount_minor, currency, expires_at)
     SELECT e.id, e.id, e.reservation, coalesce(last.attempt, 0) + 1, e.event, e.usr, e.hotel, e.amount,
       e.currency, e.expires
     FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::bigint[], $7::text[], $8::timestamptz[])
       AS e (id, reservation, event, usr, hotel, amount, currency, expires)
     LEFT JOIN LATERAL (SELECT * FROM booking_payment p WHERE p.reservation_id = e.reservation ORDER BY attempt DESC LIMIT 1) last ON true
     WHERE last IS NULL OR (last.event_id < e.event AND (last.amount_minor, last.currency) <> (e.amount, e.currency))
     ON CONFLICT (reservation_id, attempt) DO NOTHING`,
    [
      events.map(() => randomUUID()),
      events.map((event) => event.reservationId),
      events.map((event) => event.eventId),
      events.map((event) => event.userId),
      events.map((event) => event.hotelId),
      events.map((event) => event.priceMinor),
      events.map((event) => event.currency),
      events.map((event) => new Date(event.holdExpiresMs)),
    ],
  );
  const newest = await newestPayments(
    sql,
    events.map((event) => event.reservationId),
  );
  const isBehind = (event: ReservationChanged) => {
    const payment = newest.get(event.reservationId);
    return payment !== undefined && payment.eventId < event.eventId && !isFor(payment, event);
  };
  // A retry for the older price was recorded meanwhile.
  if (events.some(isBehind)) return namePayments(sql, events);
  return [...newest.values()].filter((payment) => !payment.asked && payment.outcome === null);
}

const isFor = (payment: BookingPayment, { priceMinor, currency }: ReservationChanged): boolean =>
  payment.amountMinor === BigInt(priceMinor) && payment.currency === currency;

/**
 * Creates another payment order to replace one with a declined card, under the same checkout. Undefined if
 * the reservation already has a newer one, the hold is over, or the limit of cards is reached. A repeated
 * call returns the same order.
 */
export async function nameRetry(
  sql: SqlSession,
  { paymentOrderId, reservationId }: BookingPayment,
  declinedCode: string,
  now: Date,
): Promise<BookingPayment | undefined> {
  await sql.query(
    `INSERT INTO booking_payment (payment_order_id, checkout_id, retry_of, declined_code, reservation_id,
       attempt, event_id, user_id, hotel_id, amount_minor, currency, expires_at)
     SELECT $2, p.checkout_id, p.payment_order_id, $3, p.reservation_id, p.attempt + 1, p.event_id, p.user_id,
       p.hotel_id, p.amount_minor, p.currency, p.expires_at
     FROM booking_payment p WHERE p.payment_order_id = $1 AND p.expires_at > $4
       AND (SELECT count(*) FROM booking_payment c WHERE c.checkout_id = p.checkout_id) < $5
     ON CONFLICT (reservation_id, attempt) DO NOTHING`,
    [paymentOrderId, randomUUID(), declinedCode, now, bookingLimits.cardsMax],
  );
  const newest = await newestPayment(sql, reservationId);
  return newest?.retryOf === paymentOrderId ? newest : undefined;
}

/** Payment has them. */
export async function markAsked(sql: SqlSession, paymentOrderIds: readonly string[]): Promise<void> {
  await sql.query('UPDATE booking_payment SET asked = true WHERE payment_order_id = ANY ($1)', [
    paymentOrderIds,
  ]);
}

/** Those of a reservation that may still be paid, but for its newest one when that is `wanted`. */
export async function unwantedPayments(
  sql: SqlSession,
  reservationId: string,
  { newest }: { readonly newest: 'wanted' | 'unwanted' },
): Promise<readonly string[]> {
  const { rows } = await sql.query(
    `SELECT payment_order_id FROM booking_payment p WHERE reservation_id = $1 AND outcome IS NULL
       AND ($2 OR attempt < (SELECT max(attempt) FROM booking_payment WHERE reservation_id = $1))`,
    [reservationId, newest === 'unwanted'],
  );
  return rows.map((row) => row['payment_order_id'] as string);
}

/** Those of the given payment orders that are ours. */
export async function findPayments(
  sql: SqlSession,
  paymentOrderIds: readonly string[],
): Promise<ReadonlyMap<string, BookingPayment>> {
  const { rows } = await sql.query('SELECT * FROM booking_payment WHERE payment_order_id = ANY ($1)', [
    paymentOrderIds,
  ]);
  return new Map(rows.map(paymentOf).map((payment) => [payment.paymentOrderId, payment]));
}

/** The newest of each reservation, if there is one. */
export async function newestPayments(
  sql: SqlSession,
  reservationIds: readonly string[],
): Promise<ReadonlyMap<string, BookingPayment>> {
  const { rows } = await sql.query(
    `SELECT DISTINCT ON (reservation_id) * FROM booking_payment WHERE reservation_id = ANY ($1) ORDER BY reservation_id, attempt DESC`,
    [reservationIds],
  );
  return new Map(rows.map(paymentOf).map((payment) => [payment.reservationId, payment]));
}

export async function newestPayment(
  sql: SqlSession,
  reservationId: string,
): Promise<BookingPayment | undefined> {
  return (await newestPayments(sql, [reservationId])).get(reservationId);
}

/** Records the outcome of payment orders; the first outcome stays. */
export async function endPayments(sql: SqlSession, ends: ReadonlyMap<string, string>): Promise<void> {
  if (ends.size === 0) return;
  await sql.query(
    `UPDATE booking_payment p SET outcome = e.outcome FROM unnest($1::text[], $2::text[]) AS e (id, outcome)
     WHERE p.payment_order_id = e.id AND p.outcome IS NULL`,
    [[...ends.keys()], [...ends.values()]],
  );
}

function paymentOf(row: SqlRow): BookingPayment {
  return {
    paymentOrderId: row['payment_order_id'] as string,
    checkoutId: row['checkout_id'] as string,
    retryOf: row['retry_of'] as string | null,
    declinedCode: row['declined_code'] as string | null,
    reservationId: row['reservation_id'] as string,
    userId: row['user_id'] as string,
    hotelId: row['hotel_id'] as string,
    eventId: Number(row['event_id']),
    amountMinor: row['amount_minor'] as bigint,
    currency: row['currency'] as string,
    expiresAt: row['expires_at'] as Date,
    asked: row['asked'] as boolean,
    outcome: row['outcome'] as string | null,
  };
}
