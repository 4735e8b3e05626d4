import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays } from '#hotel/reservations/stay-days.js';
import { deleteCard } from '#payment/cards/delete-card.js';
import { agreeToKeepCard, chooseSavedCard } from '#processors/booking/card-choice.js';
import type { SavedCardBody } from '#schemas/http/saved-cards.js';
import type { UserId } from '#schemas/units.js';
import { eventually } from '../eventually.js';
import { arrival, BookingRoom } from './booking-fixture.js';

let room: BookingRoom;
beforeAll(async () => {
  room = await BookingRoom.open({ hotels: 12 });
});
afterAll(() => room?.close());

interface Guest {
  readonly userId: UserId;
  readonly hotel: string;
  readonly card: SavedCardBody;
}
let hotelsUsed = 0;

/** Has paid one stay, and agreed that the provider keeps the card. */
async function guestWithCard(number?: string): Promise<Guest> {
  const userId = `guest-${randomUUID()}` as UserId;
  const hotel = `h${String(++hotelsUsed).padStart(5, '0')}`;
  const reservationId = randomUUID();
  await agreeToKeepCard(room.deps.sql, { reservationId, userId }, new Date());
  const reservation = await room.reserve(hotel, { reservationId, userId });
  await room.typeCard(await room.registered(reservation), number, { keep: 'on' });
  await room.until(reservation, 'paid');
  const card = await eventually(async () => {
    const answer = await fetch(`${room.orders.url}/v1/saved-cards`, {
      headers: { authorization: `Bearer customer.${userId}` },
    });
    const { cards } = (await answer.json()) as { readonly cards: readonly SavedCardBody[] };
    if (cards[0] === undefined) throw new Error('not listed yet');
    return cards[0];
  });
  return { userId, hotel, card };
}
const choose = (reservationId: string, { userId, card }: Pick<Guest, 'userId' | 'card'>) =>
  chooseSavedCard(room.deps.sql, { reservationId, userId }, card.card_id, new Date());
/** Reserves with the card of the guest, in their hotel unless another is given. */
async function reserveWithCard(guest: Guest, hotel = guest.hotel) {
  const reservationId = randomUUID();
  expect(await choose(reservationId, guest)).toBe(true);
  return room.reserve(hotel, { reservationId, userId: guest.userId });
}
const asked = (reservation: Awaited<ReturnType<typeof reserveWithCard>>, status: string) =>
  eventually(async () => {
    const state = await room.told(reservation);
    if (state.status !== status) throw new Error(`still ${JSON.stringify(state)}`);
    return state;
  });
const remove = ({ userId, card }: Guest) =>
  deleteCard(room.deps.sql, { caller: userId }, card.card_id, { who: userId, now: new Date() });
const paymentsOf = async (reservationId: string) => {
  const { rows } = await room.deps.sql.query<{ id: string }>(
    'SELECT payment_order_id AS id FROM booking_payment WHERE reservation_id = $1 ORDER BY attempt',
    [reservationId],
  );
  return rows.map(({ id }) => id);
};

test('a saved card pays a stay as soon as the rooms are held, once, and without a page', async () => {
  const guest = await guestWithCard();
  const reservation = await reserveWithCard(guest);
  await room.until(reservation, 'paid');
  const [id, ...more] = await paymentsOf(reservation.reservationId);
  expect(more).toEqual([]);
  expect(await room.orders.charges(id!)).toBe(1);
  expect(await room.orders.get(id!, `customer.${guest.userId}`)).toMatchObject({ payment_page_url: null });
  await room.publishAgain();
  await room.quiet();
  expect(await room.orders.charges(id!)).toBe(1);
  // It has its payment: another choice comes too late.
  expect(await agreeToKeepCard(room.deps.sql, reservation, new Date())).toBe(false);
  expect(await choose(reservation.reservationId, guest)).toBe(true);
  await room.prove();
});

test('the last choice for a reservation counts', async () => {
  const guest = await guestWithCard();
  const reservationId = randomUUID();
  expect(await choose(reservationId, guest)).toBe(true);
  const choosing = { reservationId, userId: guest.userId };
  expect(await agreeToKeepCard(room.deps.sql, choosing, new Date())).toBe(true);
  const reservation = await room.reserve(guest.hotel, { reservationId, userId: guest.userId });
  await room.registered(reservation);
});

test('after a declined saved card another one pays on the page', async () => {
  const guest = await guestWithCard('4000000000000341');
  const reservation = await reserveWithCard(guest);
  const state = await asked(reservation, 'open');
  expect(state.failureCode).toBe('card_declined');
  const second = await room.registered(reservation);
  // The card that was declined is not that of the second order: deleting it withdraws nothing.
  await remove(guest);
  await room.typeCard(second);
  await room.until(reservation, 'paid');
  const [first, last] = await paymentsOf(reservation.reservationId);
  expect([await room.orders.charges(first!), await room.orders.charges(last!)]).toEqual([0, 1]);
  await room.prove();
});

test('the bank of a saved card may ask the guest to confirm', async () => {
  const reservation = await reserveWithCard(await guestWithCard('4000000000003006'));
  const { paymentPageURL } = await asked(reservation, 'confirm');
  await room.orders.confirmAtBank(paymentPageURL!);
  await room.until(reservation, 'paid');
  await room.prove();
});

test('a card pays only the hotel with which it was saved; elsewhere the page asks for another', async () => {
  const guest = await guestWithCard();
  const reservation = await reserveWithCard(guest, 'h00012');
  expect(await asked(reservation, 'open')).toMatchObject({ failureCode: 'unknown_card_token' });
  await room.typeCard(await room.registered(reservation));
  await room.until(reservation, 'paid');
  const [, ...more] = await paymentsOf(reservation.reservationId);
  expect(more).toEqual([]);
  await room.prove();
});

test('a card that was deleted after it was chosen pays nothing', async () => {
  const guest = await guestWithCard();
  const reservationId = randomUUID();
  await choose(reservationId, guest);
  await remove(guest);
  const reservation = await room.reserve(guest.hotel, { reservationId, userId: guest.userId });
  expect(await asked(reservation, 'open')).toMatchObject({ failureCode: 'unknown_card_token' });
});

test('nobody chooses for somebody else', async () => {
  const guest = await guestWithCard();
  const reservationId = randomUUID();
  await choose(reservationId, { userId: 'mallory' as UserId, card: guest.card });
  const reservation = await room.reserve(guest.hotel, { reservationId, userId: guest.userId });
  expect(await asked(reservation, 'open')).not.toHaveProperty('failureCode');
  // And with the card of somebody else.
  const other = randomUUID();
  await choose(other, { userId: 'mallory' as UserId, card: guest.card });
  const day = addDays(arrival, 9);
  const stay = { startDate: day, endDate: day, reservationId: other, userId: 'mallory' as UserId };
  const theirs = await room.reserve(guest.hotel, stay);
  expect(await asked(theirs, 'open')).toMatchObject({ failureCode: 'unknown_card_token' });
});
