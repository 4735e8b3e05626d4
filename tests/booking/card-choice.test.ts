import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays } from '#hotel/reservations/stay-days.js';
import { savedCardDefaults } from '#payment/settings/card-settings.js';
import type { BookingPayment } from '#processors/booking/booking-payments.js';
import { agreeToKeepCard } from '#processors/booking/card-choice.js';
import { bookingLimits } from '#processors/booking/limits.js';
import type { SavedCardBody } from '#schemas/http/saved-cards.js';
import type { UserId } from '#schemas/units.js';
import { eventually } from '../eventually.js';
import { arrival, BookingRoom } from './booking-fixture.js';

let room: BookingRoom;
beforeAll(async () => {
  room = await BookingRoom.open({ hotels: 13 });
});
afterAll(() => room?.close());

const keep = { keep: 'on' };
/** A guest of their own, so that each test has its own cards. */
const newGuest = () => `guest-${randomUUID()}` as UserId;

async function cardsOf(guest: string): Promise<readonly SavedCardBody[]> {
  const answer = await fetch(`${room.orders.url}/v1/saved-cards`, {
    headers: { authorization: `Bearer customer.${guest}` },
  });
  return ((await answer.json()) as { readonly cards: readonly SavedCardBody[] }).cards;
}
const cardOf = (guest: string) =>
  eventually(async () => {
    const [card] = await cardsOf(guest);
    if (card === undefined) throw new Error('not listed yet');
    return card;
  });
const agree = (reservationId: string, userId: string, now = new Date()) =>
  agreeToKeepCard(room.deps.sql, { reservationId, userId }, now);
const savesAtProvider = async ({ paymentOrderId }: BookingPayment): Promise<string | undefined> => {
  const { rows } = await room.deps.sql.query<{ info: string | null }>(
    `SELECT credit_card_info AS info FROM payment_events e JOIN payment_orders USING (checkout_id)
     WHERE payment_order_id = $1`,
    [paymentOrderId],
  );
  return rows[0]?.info ?? undefined;
};

test('a guest who agreed before the reservation has the card saved for this hotel', async () => {
  const userId = newGuest();
  const reservationId = randomUUID();
  expect(await agree(reservationId, userId)).toBe(true);
  expect(await agree(reservationId, userId)).toBe(true);
  const reservation = await room.reserve('h00001', { reservationId, userId });
  const payment = await room.registered(reservation);
  await room.typeCard(payment, undefined, keep);
  await room.until(reservation, 'paid');
  expect(await cardOf(userId)).toMatchObject({
    buyer_account: userId,
    seller_account: 'hotel/h00001',
    last4: '4242',
    payment_order_id: payment.paymentOrderId,
  });
  // Repeated after it was paid: it is still known. For another guest, it is too late.
  expect(await agree(reservationId, userId)).toBe(true);
  expect(await agree(reservationId, 'somebody')).toBe(false);
  await room.prove();
});

test('after a declined card the one that pays is saved', async () => {
  const userId = newGuest();
  const reservationId = randomUUID();
  await agree(reservationId, userId);
  const reservation = await room.reserve('h00002', { reservationId, userId });
  const first = await room.registered(reservation);
  // The card is looked up between the decline and the order that follows.
  room.news.held = true;
  await room.typeCard(first, '4000000000000002', keep);
  await eventually(async () =>
    expect(await room.orders.get(first.paymentOrderId, `customer.${userId}`)).toMatchObject({
      is_final: true,
    }),
  );
  const looks = new Set<number>();
  await eventually(async () => {
    const { rows } = await room.deps.sql.query<{ at: Date }>(
      'SELECT next_attempt_at AS at FROM saved_card WHERE payment_order_id = $1',
      [first.paymentOrderId],
    );
    looks.add(rows[0]!.at.getTime());
    expect(looks.size).toBeGreaterThan(2);
  });
  room.news.held = false;
  const second = await room.registered(reservation, first);
  await room.typeCard(second, '5555555555554444', keep);
  await room.until(reservation, 'paid');
  expect(await cardOf(userId)).toMatchObject({ last4: '4444', card_status: 'kept' });
  await room.prove();
});

test('without consent, or with that of somebody else, no card is saved', async () => {
  const userId = newGuest();
  const [alone, foreign] = [randomUUID(), randomUUID()];
  await agree(foreign, 'somebody');
  for (const [hotel, reservationId] of [
    ['h00003', alone],
    ['h00004', foreign],
  ] as const) {
    const reservation = await room.reserve(hotel, { reservationId, userId });
    const payment = await room.registered(reservation);
    expect(await savesAtProvider(payment)).toBe('{}');
    // The page does not ask, so what it is sent does not count.
    await room.typeCard(payment, undefined, keep);
    await room.until(reservation, 'paid');
    expect(await agree(reservationId, userId)).toBe(false);
  }
  expect(await cardsOf(userId)).toEqual([]);
});

test('a guest with as many cards as possible pays all the same', async () => {
  const userId = newGuest();
  // Each of another payment, as it would be.
  for (let n = 0; n < savedCardDefaults.keptMax; n++) {
    const day = addDays(arrival, n);
    const other = await room.reserve('h00006', { userId, startDate: day, endDate: day });
    const { paymentOrderId } = await room.registered(other);
    const name = String.fromCharCode(97 + n).repeat(8);
    await room.deps.sql.query(
      `INSERT INTO saved_card (card_id, payment_order_id, caller, buyer_account, seller_account, state, provider,
         token, customer, brand, last4, expiry_month, wanted_at, kept_at)
       VALUES ($1, $2, $3, $3, 'hotel/h00005', 'kept', 'psp', $1, $1, 'visa', '4242', '2030-12', now(), now())`,
      [`card_${name}`, paymentOrderId, userId],
    );
  }
  const reservationId = randomUUID();
  await agree(reservationId, userId);
  const reservation = await room.reserve('h00005', { reservationId, userId });
  const payment = await room.registered(reservation);
  expect(await savesAtProvider(payment)).toBe('{}');
  await room.typeCard(payment);
  await room.until(reservation, 'paid');
});

test('what a guest agreed to is kept for a week, and a hundred at most', async () => {
  const userId = newGuest();
  const nowMs = Date.now();
  const kept = async () => {
    const { rows } = await room.deps.sql.query<{ n: bigint }>(
      'SELECT count(*) AS n FROM booking_card_choice WHERE user_id = $1',
      [userId],
    );
    return Number(rows[0]!.n);
  };
  for (let n = 0; n < bookingLimits.choicesKeptMax + 5; n++)
    expect(await agree(`r-${userId}-${n}`, userId, new Date(nowMs + n))).toBe(true);
  expect(await kept()).toBe(bookingLimits.choicesKeptMax);
  expect(await agree(`r-${userId}-x`, userId, new Date(nowMs + bookingLimits.choicesKeptMs + 60_000))).toBe(
    true,
  );
  expect(await kept()).toBe(1);
});
