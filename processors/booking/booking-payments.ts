import { randomUUID } from 'node:crypto';
import type { SqlRow, SqlSession } from '#platform/sql/sql.js';
import { bookingLimits } from './limits.js';
import type { Payable } from './payable.js';

/** A payment order that a reservation is to be paid by. */
export interface BookingPayment {
  readonly paymentOrderId: string;
  /** A checkout for one price; each attempted card is a payment order of it. */
  readonly checkoutId: string;
  /** The previous order, whose card was declined, and the reason. */
  readonly retryOf: string | null;
  readonly declinedCode: string | null;
  readonly reservationId: string;
  /** Of the reservation; '': it pays for the stay as it was booked. */
  readonly supplementId: string;
  readonly userId: string;
  readonly hotelId: string;
  /** The event of the reservation that it is for. */
  readonly eventId: number;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly expiresAt: Date;
  readonly asked: boolean;
  /** The guest agreed that the provider keeps the card; a supplement asks for none. */
  readonly keepsCard: boolean;
  /** The guest chose this card, saved earlier, to pay for the stay as it was booked. */
  readonly savedCardId: string | undefined;
  readonly outcome: string | null;
}

/**
 * Creates a payment order for each amount that has none of its size yet, and returns those to request from
 * payment. Ids are random: a stranger could use up an id that can be computed. An event that was seen before,
 * or is older than the order, adds none.
 */
export async function namePayments(
  sql: SqlSession,
  payables: readonly Payable[],
): Promise<readonly BookingPayment[]> {
  if (payables.length === 0) return [];
  await sql.query(
    `INSERT INTO booking_payment (payment_order_id, checkout_id, reservation_id, supplement_id, attempt, event_id,
       user_id, hotel_id, amount_minor, currency, expires_at)
     SELECT e.id, e.id, e.reservation, e.supplement, coalesce(last.attempt, 0) + 1, e.event, e.usr, e.hotel,
       e.amount, e.currency, e.expires
     FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::bigint[], $8::text[],
         $9::timestamptz[])
       AS e (id, reservation, supplement, event, usr, hotel, amount, currency, expires)
     LEFT JOIN LATERAL (SELECT * FROM booking_payment p
       WHERE p.reservation_id = e.reservation AND p.supplement_id = e.supplement ORDER BY attempt DESC LIMIT 1) last ON true
     WHERE last IS NULL OR (last.event_id < e.event AND (last.amount_minor, last.currency) <> (e.amount, e.currency))
     ON CONFLICT (reservation_id, supplement_id, attempt) DO NOTHING`,
    [
      payables.map(() => randomUUID()),
      payables.map(({ reservationId }) => reservationId),
      payables.map(({ supplementId }) => supplementId),
      payables.map(({ eventId }) => eventId),
      payables.map(({ userId }) => userId),
      payables.map(({ hotelId }) => hotelId),
      payables.map(({ amountMinor }) => amountMinor),
      payables.map(({ currency }) => currency),
      payables.map(({ expiresMs }) => new Date(expiresMs)),
    ],
  );
  const newest = await newestPayments(sql, payables);
  const isBehind = (payable: Payable) => {
    const payment = newest.get(keyOf(payable));
    return payment !== undefined && payment.eventId < payable.eventId && !isFor(payment, payable);
  };
  // A retry for the older price was recorded meanwhile.
  if (payables.some(isBehind)) return namePayments(sql, payables);
  return [...newest.values()].filter((payment) => !payment.asked && payment.outcome === null);
}

const isFor = (payment: BookingPayment, { amountMinor, currency }: Payable): boolean =>
  payment.amountMinor === BigInt(amountMinor) && payment.currency === currency;

/**
 * Creates another payment order to replace one with a declined card, under the same checkout. Undefined if
 * the reservation already has a newer one, the hold is over, or the limit of cards is reached. A repeated
 * call returns the same order.
 */
export async function nameRetry(
  sql: SqlSession,
  declined: BookingPayment,
  declinedCode: string,
  now: Date,
): Promise<BookingPayment | undefined> {
  const { paymentOrderId } = declined;
  await sql.query(
    `INSERT INTO booking_payment (payment_order_id, checkout_id, retry_of, declined_code, reservation_id,
       supplement_id, attempt, event_id, user_id, hotel_id, amount_minor, currency, expires_at)
     SELECT $2, p.checkout_id, p.payment_order_id, $3, p.reservation_id, p.supplement_id, p.attempt + 1,
       p.event_id, p.user_id, p.hotel_id, p.amount_minor, p.currency, p.expires_at
     FROM booking_payment p WHERE p.payment_order_id = $1 AND p.expires_at > $4
       AND (SELECT count(*) FROM booking_payment c WHERE c.checkout_id = p.checkout_id) < $5
     ON CONFLICT (reservation_id, supplement_id, attempt) DO NOTHING`,
    [paymentOrderId, randomUUID(), declinedCode, now, bookingLimits.cardsMax],
  );
  const newest = await newestPayment(sql, declined);
  return newest?.retryOf === paymentOrderId ? newest : undefined;
}

/** The guest sees why the card that they chose does not pay, and may try another. */
export async function noteUnusableCard(sql: SqlSession, paymentOrderId: string): Promise<void> {
  await sql.query(
    `UPDATE booking_payment SET declined_code = 'unknown_card_token' WHERE payment_order_id = $1`,
    [paymentOrderId],
  );
}

/** Payment has them. */
export async function markAsked(sql: SqlSession, paymentOrderIds: readonly string[]): Promise<void> {
  await sql.query('UPDATE booking_payment SET asked = true WHERE payment_order_id = ANY ($1)', [
    paymentOrderIds,
  ]);
}

/**
 * Those of a reservation that may still be paid, but for the newest one of what is wanted, if anything is.
 */
export async function unwantedPayments(
  sql: SqlSession,
  reservationId: string,
  wanted: { readonly supplementId: string } | undefined,
): Promise<readonly string[]> {
  const { rows } = await sql.query(
    `SELECT payment_order_id FROM booking_payment p WHERE reservation_id = $1 AND outcome IS NULL
       AND ($2::text IS NULL OR supplement_id <> $2 OR attempt < (
         SELECT max(attempt) FROM booking_payment WHERE reservation_id = $1 AND supplement_id = $2))`,
    [reservationId, wanted?.supplementId ?? null],
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

/** What is paid for: a supplement of a reservation, or the stay as it was booked (''). */
export interface PaidFor {
  readonly reservationId: string;
  readonly supplementId: string;
}

export const keyOf = ({ reservationId, supplementId }: PaidFor): string =>
  `${reservationId}\0${supplementId}`;

/** The newest of each, if there is one, by `keyOf`. */
export async function newestPayments(
  sql: SqlSession,
  paidFor: readonly PaidFor[],
): Promise<ReadonlyMap<string, BookingPayment>> {
  const { rows } = await sql.query(
    `SELECT DISTINCT ON (p.reservation_id, p.supplement_id) p.*,
       c.reservation_id IS NOT NULL AND c.card_id IS NULL AS keeps_card, c.card_id
     FROM booking_payment p
       JOIN unnest($1::text[], $2::text[]) AS e (reservation_id, supplement_id) USING (reservation_id, supplement_id)
       LEFT JOIN booking_card_choice c ON p.supplement_id = ''
         AND (c.reservation_id, c.user_id) = (p.reservation_id, p.user_id)
     ORDER BY p.reservation_id, p.supplement_id, attempt DESC`,
    [paidFor.map(({ reservationId }) => reservationId), paidFor.map(({ supplementId }) => supplementId)],
  );
  return new Map(rows.map(paymentOf).map((payment) => [keyOf(payment), payment]));
}

export async function newestPayment(sql: SqlSession, paidFor: PaidFor): Promise<BookingPayment | undefined> {
  return (await newestPayments(sql, [paidFor])).get(keyOf(paidFor));
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
    supplementId: row['supplement_id'] as string,
    userId: row['user_id'] as string,
    hotelId: row['hotel_id'] as string,
    eventId: Number(row['event_id']),
    amountMinor: row['amount_minor'] as bigint,
    currency: row['currency'] as string,
    expiresAt: row['expires_at'] as Date,
    asked: row['asked'] as boolean,
    keepsCard: row['keeps_card'] === true,
    savedCardId: (row['card_id'] as string | null | undefined) ?? undefined,
    outcome: row['outcome'] as string | null,
  };
}
