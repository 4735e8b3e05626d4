import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { putRatePlan } from '#hotel/rates/rate-plans.js';
import type { PostgresReservations } from '#hotel/reservations/postgres-reservations.js';
import type { Reservation } from '#hotel/reservations/reservation.js';
import type { ReserveRequest } from '#hotel/reservations/reservations.js';
import { addDays } from '#hotel/reservations/stay-days.js';
import { type HotelDatabase, openHotelDatabase, requestFor } from './inventory-database.js';

let db: HotelDatabase;
let reservations: PostgresReservations;
beforeAll(async () => {
  db = await openHotelDatabase();
  reservations = db.reservations({ holdsPerUserMax: 1_000 });
});
afterAll(() => db?.dispose());

/** With a suite at 150.00, of which half as many may be sold. */
async function twoTypes(total = 10) {
  const hotelId = await db.hotel({ total });
  await db.sql.query(
    `INSERT INTO room_type (hotel_id, room_type_id, name, free_cancel_hours, late_cancel_percent)
     VALUES ($1, 'suite', 'Suite', 48, 50)`,
    [hotelId],
  );
  await db.sql.query(
    `INSERT INTO room_type_inventory (hotel_id, room_type_id, date, total_inventory)
     SELECT hotel_id, 'suite', date, $2 FROM room_type_inventory WHERE hotel_id = $1`,
    [hotelId, Math.floor(total / 2)],
  );
  await db.sql.query(
    `INSERT INTO room_type_rate SELECT hotel_id, 'suite', date, 15000 FROM room_type_rate
     WHERE hotel_id = $1`,
    [hotelId],
  );
  return hotelId;
}
const reserved = async (hotelId: string, given: Partial<ReserveRequest> = {}): Promise<Reservation> => {
  const outcome = await reservations.reserve(requestFor(hotelId, given));
  if (outcome.kind !== 'reserved') throw new Error(outcome.kind);
  return outcome.reservation;
};
const paid = ({ reservationId, priceMinor, currency }: Reservation) =>
  reservations.confirmPayment({
    reservationId,
    paymentId: `p-${reservationId}`,
    amountMinor: priceMinor,
    currency,
  });

describe('a change of type, rooms and plan', () => {
  test('another type has its own price and terms, and swaps the rooms in one step', async () => {
    const hotelId = await twoTypes();
    const mine = await reserved(hotelId, { roomCount: 2 });
    expect(await reservations.changeStay(mine.reservationId, mine, { roomTypeId: 'suite' })).toMatchObject({
      kind: 'changed',
      reservation: {
        roomTypeId: 'suite',
        priceMinor: 90_000n,
        lateCancelPercent: 50,
        freeCancelUntil: new Date('2027-06-29T13:00:00Z'),
      },
    });
    const { rows } = await db.sql.query(
      `SELECT room_type_id AS type, sum(total_reserved)::integer AS nights FROM room_type_inventory
       WHERE hotel_id = $1 GROUP BY 1 ORDER BY 1`,
      [hotelId],
    );
    expect(rows).toEqual([
      { type: 'double', nights: 0 },
      { type: 'suite', nights: 6 },
    ]);
    const other = { roomTypeId: 'attic' };
    expect((await reservations.changeStay(mine.reservationId, mine, other)).kind).toBe('unknown-room-type');
    await db.prove();
  });

  test('a type that does not sleep all people is refused; fewer rooms have fewer people', async () => {
    const hotelId = await twoTypes();
    await db.sql.query("UPDATE room_type SET capacity = 1 WHERE hotel_id = $1 AND room_type_id = 'suite'", [
      hotelId,
    ]);
    const mine = await reserved(hotelId, { roomCount: 2 });
    const people = (guests: number) =>
      db.sql.query('UPDATE reservation SET guests = $2 WHERE reservation_id = $1', [
        mine.reservationId,
        guests,
      ]);
    await people(4);
    const before = await db.counts(hotelId);
    const small = { roomTypeId: 'suite' };
    const refused = { kind: 'too-many-guests', sleeps: 2 };
    expect(await reservations.changeStay(mine.reservationId, mine, small)).toEqual(refused);
    expect(await reservations.changeStay(mine.reservationId, mine, { ...small, roomCount: 1 })).toEqual({
      ...refused,
      sleeps: 1,
    });
    expect(await db.counts(hotelId)).toEqual(before);
    const enough = { ...small, roomCount: 4 };
    expect(await reservations.changeStay(mine.reservationId, mine, enough)).toMatchObject({
      kind: 'changed',
      reservation: { guests: 4, roomCount: 4 },
    });
    await people(3);
    expect(await reservations.changeStay(mine.reservationId, mine, { roomCount: 2 })).toMatchObject({
      reservation: { guests: 2, roomCount: 2 },
    });
    await db.prove();
  });

  test('what does not fit changes nothing, in either type', async () => {
    const hotelId = await twoTypes(4);
    const mine = await reserved(hotelId, { roomCount: 3 });
    await reserved(hotelId, {
      roomTypeId: 'suite',
      startDate: '2027-07-03',
      endDate: '2027-07-04',
      roomCount: 1,
    });
    const before = await db.counts(hotelId);
    expect(
      await reservations.changeStay(mine.reservationId, mine, { roomTypeId: 'suite', roomCount: 2 }),
    ).toEqual({
      kind: 'insufficient',
      dates: ['2027-07-03'],
    });
    expect(await reservations.changeStay(mine.reservationId, mine, { roomCount: 5 })).toMatchObject({
      kind: 'insufficient',
    });
    expect((await reservations.changeStay(mine.reservationId, mine, { roomCount: 11 })).kind).toBe('invalid');
    expect(await db.counts(hotelId)).toEqual(before);
    expect(await reservations.get(mine.reservationId, mine)).toEqual(mine);
  });

  test('more rooms cost today’s price, and the sold ones keep theirs', async () => {
    const hotelId = await twoTypes();
    const mine = await reserved(hotelId, { roomCount: 2 });
    await db.sql.query(`UPDATE room_type_rate SET price_minor = 16000 WHERE hotel_id = $1`, [hotelId]);
    expect(await reservations.changeStay(mine.reservationId, mine, { roomCount: 3 })).toMatchObject({
      reservation: { roomCount: 3, nightPricesMinor: [12_000n, 12_000n, 12_000n], priceMinor: 108_000n },
    });
    expect(await reservations.changeStay(mine.reservationId, mine, { roomCount: 1 })).toMatchObject({
      reservation: { roomCount: 1, priceMinor: 36_000n },
    });
    await db.prove();
  });

  test('a paid stay that becomes cheaper is refunded by its terms', async () => {
    const hotelId = await twoTypes();
    const mine = await reserved(hotelId, { roomTypeId: 'suite', roomCount: 2 });
    await paid(mine);
    expect(await reservations.changeStay(mine.reservationId, mine, { roomCount: 1 })).toMatchObject({
      reservation: { status: 'paid', priceMinor: 45_000n, refundDueMinor: 45_000n },
    });
    // Free cancellation has ended: half of what is given up is kept.
    const late = db.reservations({ now: () => new Date('2027-06-30T12:00:00Z') });
    expect(await late.changeStay(mine.reservationId, mine, { roomTypeId: 'double' })).toMatchObject({
      reservation: { priceMinor: 30_000n, refundDueMinor: 45_000n + 7_500n, lateCancelPercent: 100 },
    });
    expect((await late.changeStay(mine.reservationId, mine, { roomTypeId: 'suite' })).kind).toBe('dearer');
    await db.prove();
  });

  test('no change makes a firm stay free to cancel', async () => {
    const hotelId = await twoTypes();
    await db.sql.transaction((tx) =>
      putRatePlan(
        tx,
        hotelId,
        'double',
        {
          ...{ planId: 'firm', name: 'Firm', meal: 'none', refundable: false, freeCancelHours: 0 },
          lateCancelPercent: 100,
          valid: [{ from: '2027-01-01', to: '2027-12-31' }],
          price: { kind: 'derived', from: null, percent: 100, amountMinor: 0n },
        },
        '2027-06-01',
      ),
    );
    const mine = await reserved(hotelId, { ratePlanId: 'firm' });
    expect(mine).toMatchObject({ refundable: false });
    await paid(mine);
    const changed = await reservations.changeStay(mine.reservationId, mine, { ratePlanId: null });
    expect(changed).toMatchObject({
      kind: 'changed',
      reservation: {
        ratePlan: null,
        refundable: false,
        lateCancelPercent: 100,
        freeCancelUntil: mine.freeCancelUntil,
      },
    });
    const shorter = { startDate: mine.startDate, endDate: mine.startDate };
    expect(await reservations.changeStay(mine.reservationId, mine, shorter)).toMatchObject({
      reservation: { priceMinor: 10_000n, refundDueMinor: 0n },
    });
    const unknown = { ratePlanId: 'none' };
    expect((await reservations.changeStay(mine.reservationId, mine, unknown)).kind).toBe('unknown-rate-plan');
  });
});

test('random changes at once never sell too much, and every count and price is right', async () => {
  const day = fc.nat(7);
  const step = fc.record({
    what: fc.constantFrom(
      'reserve',
      'change',
      'agree',
      'agree',
      'agree',
      'cancel',
      'pay',
      'pay',
      'pay',
      'expire',
    ),
    who: fc.nat(5),
    from: day,
    nights: fc.integer({ min: 1, max: 3 }),
    type: fc.constantFrom('double', 'suite'),
    rooms: fc.integer({ min: 1, max: 3 }),
  });
  const outcomes = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 60, maxLength: 90 }), async (steps) => {
      const hotelId = await twoTypes(6);
      const ids = Array.from({ length: 6 }, () => crypto.randomUUID());
      const live = async ({ what, who, from, nights, type, rooms }: (typeof steps)[number]) => {
        const reservationId = ids[who]!;
        const startDate = addDays('2027-07-01', from);
        const stay = {
          startDate,
          endDate: addDays(startDate, nights - 1),
          roomTypeId: type,
          roomCount: rooms,
        };
        const staff = { staff: true } as const;
        if (what === 'reserve') return reservations.reserve(requestFor(hotelId, { reservationId, ...stay }));
        if (what === 'change') return reservations.changeStay(reservationId, staff, stay);
        if (what === 'agree') {
          const quote = await reservations.quoteChange(reservationId, staff, stay);
          if (quote.kind !== 'quoted') return quote;
          const { differenceMinor } = quote;
          return reservations.changeStay(reservationId, staff, { ...stay, differenceMinor });
        }
        if (what === 'cancel') return reservations.cancel(reservationId, staff);
        const found = await reservations.get(reservationId, staff);
        if (found === undefined) return { kind: 'unknown' };
        if (found.supplement === null) return what === 'expire' ? { kind: 'nothing' } : paid(found);
        const { id, amountMinor } = found.supplement;
        if (what === 'expire') return reservations.rejectPayment(reservationId, id);
        const { currency } = found;
        const payment = { reservationId, paymentId: `s-${id}`, supplementId: id, amountMinor, currency };
        const { kind } = await reservations.confirmPayment(payment);
        return { kind: `difference ${kind}` };
      };
      // So that few steps are about reservations that do not exist yet.
      for (const [n, reservationId] of ids.slice(0, 4).entries()) {
        const startDate = addDays('2027-07-01', n);
        await reservations.reserve(requestFor(hotelId, { reservationId, startDate, endDate: startDate }));
      }
      for (let at = 0; at < steps.length; at += 8)
        for (const { kind } of await Promise.all(steps.slice(at, at + 8).map(live)))
          outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1);
      const { rows } = await db.sql.query(
        `SELECT reservation_id FROM reservation WHERE hotel_id = $1 AND (
           price_minor <> room_count * (SELECT sum(p) FROM unnest(night_prices_minor) p)
           OR payment_id IS NOT NULL AND status = 'paid' AND paid_minor <> price_minor + refund_granted_minor
           OR paid_minor <> (SELECT coalesce(sum(captured_minor), 0) FROM stay_payment p
             WHERE p.reservation_id = reservation.reservation_id))`,
        [hotelId],
      );
      expect(rows).toEqual([]);
    }),
    { numRuns: 12, seed: 20_271_126 },
  );
  await db.prove();
  for (const kind of ['changed', 'insufficient', 'dearer', 'reserved', 'to-pay', 'difference paid'])
    expect(outcomes.get(kind) ?? 0, kind).toBeGreaterThan(0);
});
