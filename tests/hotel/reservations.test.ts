import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hotelLimits } from '#hotel/limits.js';
import type { PostgresReservations } from '#hotel/reservations/postgres-reservations.js';
import type { Reservation } from '#hotel/reservations/reservation.js';
import type { ReserveRequest } from '#hotel/reservations/reservations.js';
import { guards } from '#hotel/reservations/reserve-batch.js';
import type { UserId } from '#schemas/units.js';
import { proves } from '#tools/acceptance/proves.js';
import { documentedMoves } from './documented-moves.js';
import { type HotelDatabase, openHotelDatabase, requestFor } from './inventory-database.js';

const staff = { staff: true } as const;

describe('reservations', () => {
  let db: HotelDatabase;
  let reservations: PostgresReservations;

  beforeAll(async () => {
    db = await openHotelDatabase();
    reservations = db.reservations();
  });
  afterAll(async () => {
    await db?.prove();
    await db?.dispose();
  });

  const reserved = async (request: ReserveRequest): Promise<Reservation> => {
    const outcome = await reservations.reserve(request);
    if (outcome.kind !== 'reserved') throw new Error(`${outcome.kind} instead of reserved`);
    return outcome.reservation;
  };
  const paid = async (reservation: Reservation) =>
    reservations.confirmPayment({
      reservationId: reservation.reservationId,
      paymentId: `pay-${reservation.reservationId}`,
      amountMinor: reservation.priceMinor,
      currency: reservation.currency,
    });

  proves('H-052', {
    asked: '1 to 3 July raises exactly three days',
    shown: '0 4 4 4 0 for five days',
    control: {
      in: 'hotel/schema/reserve-one-by-plan.ts',
      change:
        'version = version + 1\n          WHERE hotel_id = of_hotel AND room_type_id = of_type AND date BETWEEN first_day AND last_day',
      to: 'version = version + 1\n          WHERE hotel_id = of_hotel AND room_type_id = of_type AND date >= first_day AND date < last_day',
    },
  });
  test('H-052, H-056, H-057: both days are inclusive; each night rises by the rooms requested', async () => {
    const hotelId = await db.hotel({ firstDay: '2027-06-30', days: 5 });
    const request = requestFor(hotelId, { roomCount: 4 });
    const reservation = await reserved(request);
    expect(await db.counts(hotelId)).toEqual([0, 4, 4, 4, 0]);
    expect(reservation).toMatchObject({ ...request, status: 'pending_payment', priceMinor: 120_000n });
    expect(reservation.nightPricesMinor).toEqual([10_000n, 10_000n, 10_000n]);
  });

  test('H-051: a stay that ends on its first day is one night', async () => {
    const hotelId = await db.hotel();
    await reserved(requestFor(hotelId, { endDate: '2027-07-01' }));
    expect((await db.counts(hotelId)).slice(0, 2)).toEqual([1, 0]);
  });

  proves('H-003', {
    asked: 'a database role without the function of the service cannot insert a reservation',
    shown:
      'a role without rights: INSERT, UPDATE and the function refused; no table, no function lends rights',
    control: {
      in: 'hotel/schema/reserve-by-plan.ts',
      change: 'RETURNS SETOF reserve_result LANGUAGE plpgsql SET',
      to: 'RETURNS SETOF reserve_result LANGUAGE plpgsql SECURITY DEFINER SET',
    },
  });
  test('H-003: a role without rights of the service cannot store a reservation or count rooms', async () => {
    const hotelId = await db.hotel({ days: 3 });
    await db.sql.query('CREATE ROLE stranger');
    const asStranger = (statement: string) =>
      db.sql.transaction(async (tx) => {
        await tx.query('SET LOCAL ROLE stranger');
        await tx.query(statement);
      });
    for (const statement of [
      `INSERT INTO reservation (reservation_id) VALUES ('by the back door')`,
      `UPDATE room_type_inventory SET total_reserved = 1`,
      `SELECT * FROM reserve_by_row_locks(ARRAY['r'], ARRAY['u'], ARRAY['${hotelId}'], ARRAY['double'], ARRAY['2027-07-01'::date],
         ARRAY['2027-07-01'::date], ARRAY[1], ARRAY['x'], now(), interval '15 min', 5)`,
    ])
      await expect(asStranger(statement), statement).rejects.toMatchObject({ code: '42501' });
    expect(await db.counts(hotelId)).toEqual([0, 0, 0]);
    // Nor by any other table or view, and no function runs with the rights of its owner.
    const { rows: open } = await db.sql.query(
      `SELECT c.relname FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v')
         AND has_table_privilege('stranger', c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, TRIGGER')`,
    );
    const { rows: lending } = await db.sql.query(
      `SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosecdef`,
    );
    expect([open, lending]).toEqual([[], []]);
    await db.sql.query('DROP ROLE stranger');
  });

  proves('H-006', {
    asked: 'up to 10 % above the rooms, and no more',
    shown: 'nine sizes: the last that fits is sold, the next refused',
    control: {
      in: 'hotel/schema/selling-rules.ts',
      change: 'RETURN least(overbooking_percent * total_inventory',
      to: 'RETURN least((overbooking_percent + 10) * total_inventory',
    },
  });
  proves('H-071', {
    asked: '0→0, 1→1, 5→5, 9→9, 10→11, 15→16, 20→22, 99→108, 100→110',
    shown: 'all nine, on three nights',
    control: {
      in: 'hotel/schema/selling-rules.ts',
      change: 'RETURN least(overbooking_percent * total_inventory',
      to: 'RETURN least((overbooking_percent + 10) * total_inventory',
    },
  });
  test('H-006, H-071: the cap is 110 % of the rooms, rounded down', async () => {
    const cap = { 0: 0, 1: 1, 5: 5, 9: 9, 10: 11, 15: 16, 20: 22, 99: 108, 100: 110 };
    for (const [total, most] of Object.entries(cap)) {
      const hotelId = await db.hotel({ total: Number(total), days: 3 });
      const outcomes = await Promise.all(
        Array.from({ length: most + 1 }, () => reservations.reserve(requestFor(hotelId))),
      );
      expect(outcomes.map(({ kind }) => kind)).toEqual([
        ...Array<string>(most).fill('reserved'),
        'insufficient',
      ]);
      expect(await db.counts(hotelId)).toEqual([most, most, most]);
    }
  });

  proves('H-056', {
    asked: 'with 2 free and N=3 nothing is booked',
    shown: '9 of 10 sold, so 2 are free: 3 are refused, no row changes and there is no reservation',
    control: {
      in: 'hotel/schema/reserve-one-by-plan.ts',
      change: 'IF days.found = nights AND days.rooms_left >= rooms AND',
      to: 'rooms := least(rooms, days.rooms_left);\n      IF days.found = nights AND days.rooms_left >= rooms AND',
    },
  });
  test('H-056, H-072, H-073, H-130: one full night refuses the stay and changes no row', async () => {
    const hotelId = await db.hotel({ total: 10, days: 3 });
    await reserved(requestFor(hotelId, { startDate: '2027-07-02', endDate: '2027-07-02', roomCount: 9 }));
    const dump = () =>
      db.sql.query('SELECT *, xmin::text FROM room_type_inventory WHERE hotel_id = $1 ORDER BY date', [
        hotelId,
      ]);
    const before = await dump();
    const request = requestFor(hotelId, { roomCount: 3 });
    expect(await reservations.reserve(request)).toEqual({ kind: 'insufficient', dates: ['2027-07-02'] });
    expect((await dump()).rows).toEqual(before.rows);
    expect(await reservations.get(request.reservationId, staff)).toBeUndefined();
  });

  proves('H-066', {
    asked: 'a range past the last filled date is refused and books nothing',
    shown: 'two of three nights filled, or none, with rates: refused, counts 0, nothing stored',
    control: {
      in: 'hotel/schema/reserve-one-by-plan.ts',
      change: 'days.found = nights AND ',
      to: '',
    },
  });
  test('H-066: a range beyond the last filled day books nothing', async () => {
    const hotelId = await db.hotel({ days: 2 });
    // Nothing but the missing rows of the inventory may refuse the stay.
    await db.sql.query(
      `INSERT INTO room_type_rate (hotel_id, room_type_id, date, price_minor)
       SELECT $1, 'double', d::date, 10000 FROM unnest(ARRAY['2027-07-03', '2029-07-01', '2029-07-02']) d`,
      [hotelId],
    );
    const part = requestFor(hotelId);
    expect.soft(await reservations.reserve(part)).toEqual({ kind: 'not-bookable', dates: ['2027-07-03'] });
    const nowhere = requestFor(hotelId, { startDate: '2029-07-01', endDate: '2029-07-02' });
    expect.soft(await reservations.reserve(nowhere)).toEqual({
      kind: 'not-bookable',
      dates: ['2029-07-01', '2029-07-02'],
    });
    expect(await db.counts(hotelId)).toEqual([0, 0]);
    for (const { reservationId } of [part, nowhere])
      expect(await reservations.get(reservationId, staff)).toBeUndefined();
  });

  test('H-015: a night without a rate is refused, never sold for nothing', async () => {
    const hotelId = await db.hotel();
    await db.sql.query(`DELETE FROM room_type_rate WHERE hotel_id = $1 AND date = '2027-07-02'`, [hotelId]);
    expect(await reservations.reserve(requestFor(hotelId))).toEqual({
      kind: 'no-rate',
      dates: ['2027-07-02'],
    });
  });

  test('H-053, H-054: distinguishes unknown hotels and types of another hotel from full ones', async () => {
    const [one, other] = [await db.hotel(), await db.hotel()];
    await db.sql.query(`INSERT INTO room_type (hotel_id, room_type_id, name) VALUES ($1, 'suite', 'S')`, [
      other,
    ]);
    const kindOf = async (given: Partial<ReserveRequest>) =>
      (await reservations.reserve(requestFor(one, given))).kind;
    expect(await kindOf({ hotelId: `x' OR 1=1 --` })).toBe('unknown-hotel');
    expect(await kindOf({ roomTypeId: 'suite' })).toBe('unknown-room-type');
  });

  test.each<[string, Partial<ReserveRequest>]>([
    ['H-050: 30 February', { startDate: '2028-02-30', endDate: '2028-03-01' }],
    ['H-050: 29 February of a common year', { startDate: '2027-02-29', endDate: '2027-03-01' }],
    ['H-050: one digit', { startDate: '2027-7-1' }],
    ['H-050: a moment', { startDate: '2027-07-01T00:00Z' }],
    ['H-051: the end before the start', { startDate: '2027-07-04' }],
    ['10,000 nights', { endDate: '2054-11-15' }],
    ['H-055: no room', { roomCount: 0 }],
    ['H-055: half a room', { roomCount: 1.5 }],
    ['H-142: too many rooms', { roomCount: 11 }],
    ['H-057: a long id', { reservationId: 'x'.repeat(65) }],
    ['H-057: an id with NUL', { reservationId: 'a\0b' }],
    ['H-057: half a character', { reservationId: '\ud800' }],
  ])('rejects the form of %s', async (_what, given) => {
    expect(await reservations.reserve(requestFor('hotel-1', given))).toMatchObject({ kind: 'invalid' });
  });

  test('H-050: 29 February is a night in leap years', async () => {
    const hotelId = await db.hotel({ firstDay: '2028-02-28', days: 3 });
    const stay = { startDate: '2028-02-28', endDate: '2028-03-01' };
    expect((await reserved(requestFor(hotelId, stay))).nightPricesMinor).toHaveLength(3);
    expect(await db.counts(hotelId)).toEqual([1, 1, 1]);
  });

  test('H-050, F39: today is the day of the hotel, across daylight saving', async () => {
    const [auckland, honolulu, stockholm] = [
      await db.hotel({ firstDay: '2027-06-01', timeZone: 'Pacific/Auckland' }),
      await db.hotel({ firstDay: '2027-06-01', timeZone: 'Pacific/Honolulu' }),
      await db.hotel({ firstDay: '2027-03-27', timeZone: 'Europe/Stockholm' }),
    ];
    const before = db.clock.now;
    const tonight = async (hotelId: string, now: string, day: string) => {
      db.clock.now = new Date(now);
      return (await reservations.reserve(requestFor(hotelId, { startDate: day, endDate: day }))).kind;
    };
    try {
      // 2 June in Auckland, still 1 June in Honolulu.
      expect(await tonight(auckland, '2027-06-01T12:30:00Z', '2027-06-01')).toBe('past');
      expect(await tonight(honolulu, '2027-06-02T09:59:59Z', '2027-06-01')).toBe('reserved');
      expect(await tonight(honolulu, '2027-06-02T10:00:00Z', '2027-06-01')).toBe('past');
      // Clocks go forward on 28 March 2027; the day ends at 22:00 UTC instead of 23:00.
      expect(await tonight(stockholm, '2027-03-27T22:59:59Z', '2027-03-27')).toBe('reserved');
      expect(await tonight(stockholm, '2027-03-27T23:00:00Z', '2027-03-27')).toBe('past');
      expect(await tonight(stockholm, '2027-03-28T21:59:59Z', '2027-03-28')).toBe('reserved');
      expect(await tonight(stockholm, '2027-03-28T22:00:00Z', '2027-03-28')).toBe('past');
    } finally {
      db.clock.now = before;
    }
  });

  proves('H-016', {
    asked: 'both rows of a booking have one transaction id',
    shown: 'one xmin of three days of counts and the reservation: of one alone, and of each of 20 at once',
    control: {
      in: 'hotel/reservations/reserve-batch.ts',
      change: '  return outcomeOf(rows[0]!);',
      to: "  await deps.sql.query(\n    'UPDATE room_type_inventory SET version = version + 1 WHERE hotel_id = $1 AND date BETWEEN $2 AND $3',\n    [hotelId, startDate, endDate],\n  );\n  return outcomeOf(rows[0]!);",
    },
  });
  test('H-016: counts and reservation of one booking are one transaction', async () => {
    // One alone, and twenty at once, which share transactions.
    for (const bookings of [1, 20]) {
      const hotels = await Promise.all(Array.from({ length: bookings }, () => db.hotel({ days: 3 })));
      const made = await Promise.all(hotels.map((hotelId) => reserved(requestFor(hotelId))));
      for (const { hotelId, reservationId } of made) {
        const { rows } = await db.sql.query(
          `SELECT xmin::text, count(*)::int AS rows FROM (
             SELECT xmin FROM room_type_inventory WHERE hotel_id = $1
             UNION ALL SELECT xmin FROM reservation WHERE reservation_id = $2) written GROUP BY 1`,
          [hotelId, reservationId],
        );
        expect(rows).toEqual([{ xmin: expect.any(String), rows: 4 }]);
      }
    }
  });

  proves('H-060', {
    asked: 'a second row of hotel, type and day fails in the database',
    shown: '23505, with other rooms and with another version; another day, type or hotel is another row',
    control: {
      in: 'hotel/schema/inventory.ts',
      change: 'PRIMARY KEY (hotel_id, room_type_id, date)',
      to: 'PRIMARY KEY (hotel_id, room_type_id, date, version)',
    },
  });
  test('H-060: hotel, type and day identify a row of the inventory', async () => {
    const [hotelId, other] = [await db.hotel({ days: 2 }), await db.hotel({ days: 0 })];
    const insert = (hotel: string, type: string, day: string, version: number) =>
      db.sql.query(
        `INSERT INTO room_type_inventory (hotel_id, room_type_id, date, total_inventory, version)
         VALUES ($1, $2, $3, 5, $4)`,
        [hotel, type, day, version],
      );
    for (const version of [0, 1])
      await expect(insert(hotelId, 'double', '2027-07-02', version)).rejects.toMatchObject({ code: '23505' });
    await insert(hotelId, 'double', '2027-07-03', 0);
    await insert(hotelId, 'suite', '2027-07-02', 0);
    await insert(other, 'double', '2027-07-02', 0);
    expect(await db.counts(hotelId)).toHaveLength(4);
  });

  proves('H-067', {
    asked: 'a raw duplicate of an id fails',
    shown: '23505, for the same hotel and for another',
    control: {
      in: 'hotel/schema/taxes.ts',
      change: 'DECLARE\n  ours record;\nBEGIN\n',
      to: 'DECLARE\n  ours record;\nBEGIN\n  IF EXISTS (SELECT FROM reservation r WHERE r.reservation_id = NEW.reservation_id) THEN\n    RETURN NULL;\n  END IF;\n',
    },
  });
  test('H-067: the database itself enforces one reservation per id', async () => {
    const hotelId = await db.hotel();
    const { reservationId } = await reserved(requestFor(hotelId));
    const copied = `hotel_id, room_type_id, start_date, end_date, room_count, night_prices_minor, price_minor,
      currency, hold_expires_at, free_cancel_until, late_cancel_percent, request, created_at, updated_at`;
    const insert = `INSERT INTO reservation (reservation_id, user_id, ${copied})
      SELECT reservation_id, 'other', ${copied} FROM reservation WHERE reservation_id = $1`;
    await expect(db.sql.query(insert, [reservationId])).rejects.toMatchObject({ code: '23505' });
    const elsewhere = insert.replace("SELECT reservation_id, 'other', hotel_id", "SELECT $1, 'other', $2");
    await expect(db.sql.query(elsewhere, [reservationId, await db.hotel()])).rejects.toMatchObject({
      code: '23505',
    });
  });

  proves('H-087', {
    asked: 'a raw UPDATE beyond the cap fails',
    shown: '12 of 10 fails, 11 does not; after rooms are removed no increase',
    control: {
      in: 'hotel/schema/selling-rules.ts',
      change: '100 * NEW.total_reserved > NEW.overbooking_percent * NEW.total_inventory',
      to: '90 * NEW.total_reserved > NEW.overbooking_percent * NEW.total_inventory',
    },
  });
  test('H-087: a raw increase beyond the cap fails, a removal of rooms does not', async () => {
    const hotelId = await db.hotel({ total: 10, days: 1 });
    const set = (what: string) =>
      db.sql.query(`UPDATE room_type_inventory SET ${what} WHERE hotel_id = $1`, [hotelId]);
    await expect(set('total_reserved = 12')).rejects.toMatchObject({ code: '23514' });
    await set('total_reserved = 11');
    await set('total_inventory = 5');
    await set('total_reserved = 10');
    await expect(set('total_reserved = 11')).rejects.toMatchObject({ code: '23514' });
    await set('total_reserved = 0');
  });

  describe('idempotency', () => {
    test('H-076: the same submission again returns the reservation of the first', async () => {
      const hotelId = await db.hotel({ days: 3 });
      const request = requestFor(hotelId);
      const both = await Promise.all([reservations.reserve(request), reservations.reserve(request)]);
      expect(both.map(({ kind }) => kind)).toEqual(['reserved', 'repeated']);
      expect(both[1]).toMatchObject({ reservation: (both[0] as { reservation: Reservation }).reservation });
      expect(await db.counts(hotelId)).toEqual([1, 1, 1]);
    });

    test('H-077: 100 submissions of one id from many processes make one reservation', async () => {
      const hotelId = await db.hotel({ days: 3 });
      const request = requestFor(hotelId);
      // Each has its own batcher, as separate processes would.
      const processes = Array.from({ length: 10 }, () => db.reservations());
      const outcomes = await Promise.all(
        Array.from({ length: 100 }, (_, i) => processes[i % 10]!.reserve(request)),
      );
      expect(outcomes.filter(({ kind }) => kind === 'reserved')).toHaveLength(1);
      expect(outcomes.filter(({ kind }) => kind === 'repeated')).toHaveLength(99);
      expect(new Set(outcomes.map((o) => ('reservation' in o ? o.reservation.sequence : 0n))).size).toBe(1);
      expect(await db.counts(hotelId)).toEqual([1, 1, 1]);
    });

    test('H-078: the same id with another body is refused and leaves the first as it is', async () => {
      const hotelId = await db.hotel({ days: 4 });
      const request = requestFor(hotelId);
      await reserved(request);
      for (const other of [{ roomCount: 2 }, { endDate: '2027-07-04' }, { roomTypeId: 'suite' }]) {
        expect(await reservations.reserve({ ...request, ...other })).toEqual({ kind: 'differs' });
      }
      expect(await db.counts(hotelId)).toEqual([1, 1, 1, 0]);
    });

    test("H-079: another user's reservation id is refused without details, also concurrently", async () => {
      const hotelId = await db.hotel({ days: 3 });
      const request = requestFor(hotelId);
      const stranger = { ...request, userId: 'stranger' as UserId };
      const both = await Promise.all([reservations.reserve(request), reservations.reserve(stranger)]);
      expect(both.map(({ kind }) => kind)).toEqual(['reserved', 'taken']);
      expect(both[1]).toEqual({ kind: 'taken' });
      expect(await db.counts(hotelId)).toEqual([1, 1, 1]);
    });

    test('H-081: a refused submission is evaluated again when it is sent again', async () => {
      const hotelId = await db.hotel({ total: 1, days: 3 });
      const first = await reserved(requestFor(hotelId));
      const request = requestFor(hotelId);
      expect((await reservations.reserve(request)).kind).toBe('insufficient');
      expect.soft(await reservations.get(request.reservationId, staff)).toBeUndefined();
      await reservations.cancel(first.reservationId, { userId: first.userId });
      expect(await db.counts(hotelId)).toEqual([0, 0, 0]);
      expect((await reservations.reserve(request)).kind).toBe('reserved');
      expect(await db.counts(hotelId)).toEqual([1, 1, 1]);
    });

    test("H-082: a cancelled reservation's id returns the cancelled one, a new id books", async () => {
      const hotelId = await db.hotel({ days: 3 });
      const request = requestFor(hotelId);
      await reserved(request);
      await reservations.cancel(request.reservationId, request);
      expect(await reservations.reserve(request)).toMatchObject({
        kind: 'repeated',
        reservation: { reservationId: request.reservationId, status: 'cancelled' },
      });
      expect(await db.counts(hotelId)).toEqual([0, 0, 0]);
      await reserved({ ...request, reservationId: randomUUID() });
      expect(await db.counts(hotelId)).toEqual([1, 1, 1]);
    });

    test('one user has at most five unpaid reservations, also with concurrent submissions', async () => {
      const hotelId = await db.hotel();
      const userId = `user-${randomUUID()}` as UserId;
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, () => reservations.reserve(requestFor(hotelId, { userId }))),
      );
      expect(outcomes.filter(({ kind }) => kind === 'reserved')).toHaveLength(5);
      expect(outcomes.filter(({ kind }) => kind === 'too-many-holds')).toHaveLength(3);
      const held = outcomes.find((o) => o.kind === 'reserved')! as { reservation: Reservation };
      await paid(held.reservation);
      expect((await reservations.reserve(requestFor(hotelId, { userId }))).kind).toBe('reserved');
    });
  });

  test.each(guards)(
    'of a hundred concurrent submissions one user gets at most five unpaid, guarded by %s',
    async (guard) => {
      const hotels = await Promise.all(Array.from({ length: 4 }, () => db.hotel({ total: 200 })));
      const processes = [db.reservations({ guard }), db.reservations({ guard })];
      const users = ['first', 'second'].map((name) => `${name}-${randomUUID()}` as UserId);
      const kinds = await Promise.all(
        Array.from({ length: 200 }, async (_, at) => {
          const userId = users[at % 2]!;
          const request = requestFor(hotels[(at >> 1) % 4]!, { userId });
          const { kind } = await processes[(at >> 3) % 2]!.reserve(request);
          return `${userId} ${kind}`;
        }),
      );
      for (const userId of users) {
        expect(kinds.filter((kind) => kind === `${userId} reserved`)).toHaveLength(
          hotelLimits.holdsPerUserMax,
        );
        // Under the version guard a call may have met too many others; it then asks the caller to send the
        // request again.
        const refused = kinds.filter((kind) => /too-many-holds|busy/.test(kind) && kind.startsWith(userId));
        expect(refused).toHaveLength(100 - hotelLimits.holdsPerUserMax);
      }
    },
    60_000,
  );

  test('H-038: users see their own, newest first, page by page, while others book', async () => {
    const hotelId = await db.hotel({ total: 100 });
    const users = ['a', 'b', 'c'].map((name) => `${name}-${randomUUID()}` as UserId);
    const open = db.reservations({ holdsPerUserMax: 1_000 });
    const made = users.flatMap((userId) => Array.from({ length: 23 }, () => requestFor(hotelId, { userId })));
    await Promise.all(made.map((request) => open.reserve(request)));
    for (const userId of users) {
      const seen: Reservation[] = [];
      for (;;) {
        const before = seen.at(-1);
        const page = await open.list(userId, { limit: 7, ...(before === undefined ? {} : { before }) });
        if (page.length === 0) break;
        seen.push(...page);
        await open.reserve(requestFor(hotelId));
      }
      expect(seen.every((one) => one.userId === userId)).toBe(true);
      expect(new Set(seen.map((one) => one.reservationId))).toEqual(
        new Set(made.filter((one) => one.userId === userId).map((one) => one.reservationId)),
      );
      expect(seen.map((one) => one.sequence)).toEqual(
        seen.map((one) => one.sequence).toSorted((a, b) => Number(b - a)),
      );
    }
  });

  test('H-039, H-041: another user neither sees nor cancels it', async () => {
    const hotelId = await db.hotel({ days: 3 });
    const { reservationId } = await reserved(requestFor(hotelId));
    const stranger = { userId: 'stranger' as UserId };
    expect(await reservations.get(reservationId, stranger)).toBeUndefined();
    expect(await reservations.get('a\0', stranger)).toBeUndefined();
    expect(await reservations.cancel(reservationId, stranger)).toEqual({ kind: 'unknown' });
    expect(await reservations.get(reservationId, staff)).toMatchObject({ status: 'pending_payment' });
    expect(await db.counts(hotelId)).toEqual([1, 1, 1]);
  });

  describe('payment', () => {
    proves('H-017', {
      asked: 'the same success twice: paid once, then nothing changes',
      shown: 'the same payment twice, another payment once more: the reservation stays equal',
      control: {
        in: 'hotel/reservations/settle-payment.ts',
        change: 'accepted.some((one) => one.paymentId === paymentId)',
        to: 'accepted.length > 99',
      },
    });
    test('H-004, H-017: only the exact price pays, and once', async () => {
      const hotelId = await db.hotel();
      const reservation = await reserved(requestFor(hotelId, { roomCount: 2 }));
      const { reservationId } = reservation;
      const payment = { reservationId, paymentId: 'p1', amountMinor: 60_000n, currency: 'SEK' };
      for (const wrong of [
        { paymentId: 'p-less', amountMinor: 59_999n },
        { paymentId: 'p-more', amountMinor: 60_001n },
        { paymentId: 'p-euro', currency: 'EUR' },
      ]) {
        expect(await reservations.confirmPayment({ ...payment, ...wrong })).toMatchObject({
          kind: 'refund',
          reason: 'wrong-amount',
          reservation: { status: 'pending_payment' },
        });
      }
      expect(await reservations.confirmPayment(payment)).toMatchObject({
        kind: 'paid',
        reservation: { status: 'paid', paidMinor: 60_000n },
      });
      const before = await reservations.get(reservationId, staff);
      expect((await reservations.confirmPayment(payment)).kind).toBe('paid-before');
      expect(await reservations.get(reservationId, staff)).toEqual(before);
      expect(await reservations.confirmPayment({ ...payment, paymentId: 'p2' })).toMatchObject({
        kind: 'refund',
        reason: 'paid-already',
      });
      expect(await reservations.get(reservationId, staff)).toEqual(before);
    });

    test('H-017: concurrent payments share a transaction, and each gets its own answer', async () => {
      const hotelId = await db.hotel();
      const [one, two, three, four] = [
        await reserved(requestFor(hotelId)),
        await reserved(requestFor(hotelId)),
        await reserved(requestFor(hotelId)),
        await reserved(requestFor(hotelId)),
      ];
      const pay = ({ reservationId, priceMinor: amountMinor }: Reservation, over: object = {}) =>
        reservations.confirmPayment({
          ...{ reservationId, paymentId: `at-once-${reservationId}`, amountMinor, currency: 'SEK' },
          ...over,
        });
      const outcomes = await Promise.all([
        pay(one),
        pay(one),
        pay(two),
        pay(three),
        pay(three, { paymentId: `other-${three.reservationId}` }),
        pay(four, { amountMinor: 1n }),
        pay(four, { reservationId: 'nobody' }),
        pay(four, { reservationId: 'no\0body' }),
      ]);
      const said = outcomes.map((outcome) => (outcome.kind === 'refund' ? outcome.reason : outcome.kind));
      expect(said.slice(0, 3).toSorted()).toEqual(['paid', 'paid', 'paid-before']);
      expect(said.slice(3, 5).toSorted()).toEqual(['paid', 'paid-already']);
      expect(said.slice(5)).toEqual(['wrong-amount', 'unknown', 'unknown']);
      const { rows } = await db.sql.query<{ reservations: bigint; transactions: bigint }>(
        `SELECT count(*) AS reservations, count(DISTINCT xmin::text) AS transactions FROM reservation WHERE hotel_id = $1 AND status = 'paid'`,
        [hotelId],
      );
      expect(rows).toEqual([{ reservations: 3n, transactions: 1n }]);
    });

    proves('H-068', {
      asked: 'one price for hotel, type and date; the price at creation pays, whatever the rates are then',
      shown: 'a second price of a night is 23505; rates changed after the booking: its price stays and pays',
      control: {
        in: 'hotel/reservations/locked-reservation.ts',
        change: "'SELECT * FROM reservation WHERE reservation_id = ANY ($1)'",
        to: '`SELECT v.*, (SELECT sum(r.price_minor)::bigint * v.room_count FROM room_type_rate r\n       WHERE (r.hotel_id, r.room_type_id) = (v.hotel_id, v.room_type_id)\n         AND r.date BETWEEN v.start_date AND v.end_date) AS price_minor\n     FROM reservation v WHERE v.reservation_id = ANY ($1)`',
      },
    });
    test('H-068: the price is that of the moment of booking', async () => {
      const hotelId = await db.hotel();
      const reservation = await reserved(requestFor(hotelId));
      await expect(
        db.sql.query(
          `INSERT INTO room_type_rate (hotel_id, room_type_id, date, price_minor)
           VALUES ($1, 'double', '2027-07-01', 99999)`,
          [hotelId],
        ),
      ).rejects.toMatchObject({ code: '23505' });
      await db.sql.query('UPDATE room_type_rate SET price_minor = 99999 WHERE hotel_id = $1', [hotelId]);
      expect((await paid(reservation)).kind).toBe('paid');
      expect(await reservations.get(reservation.reservationId, staff)).toMatchObject({ priceMinor: 30_000n });
    });

    proves('H-102', {
      asked: 'failure or expiry releases exactly once',
      shown: 'one rejected twice, one expired by two instances of the service at once: 3, 2, 1 reserved',
      control: {
        in: 'hotel/reservations/settle-payment.ts',
        change: "WHERE status = 'pending_payment' AND hold_expires_at",
        to: 'WHERE hold_expires_at',
      },
    });
    test('H-102: a failed payment or an expired hold releases the rooms exactly once', async () => {
      const hotelId = await db.hotel({ days: 3 });
      const rejected = await reserved(requestFor(hotelId));
      const runOut = await reserved(requestFor(hotelId));
      const kept = await reserved(requestFor(hotelId));
      await paid(kept);
      expect(await db.counts(hotelId)).toEqual([3, 3, 3]);
      expect((await reservations.rejectPayment(rejected.reservationId)).kind).toBe('changed');
      expect((await reservations.rejectPayment(rejected.reservationId)).kind).toBe('unchanged');
      expect(await db.counts(hotelId)).toEqual([2, 2, 2]);
      const before = db.clock.now;
      db.clock.now = new Date(before.getTime() + 15 * 60_000);
      // All unpaid reservations of the tests above expire too: more than one turn ends.
      const { rows: waiting } = await db.sql.query<{ held: bigint }>(
        `SELECT count(*) AS held FROM reservation WHERE status = 'pending_payment' AND hold_expires_at <= $1`,
        [db.clock.now],
      );
      const untilNone = async (process: PostgresReservations): Promise<number> => {
        const count = await process.expireHolds();
        return count === 0 ? 0 : count + (await untilNone(process));
      };
      const ended = await Promise.all([untilNone(reservations), untilNone(db.reservations())]);
      expect(ended[0] + ended[1]).toBe(Number(waiting[0]!.held));
      expect(await reservations.expireHolds()).toBe(0);
      db.clock.now = before;
      expect(await db.counts(hotelId)).toEqual([1, 1, 1]);
      expect(await reservations.get(runOut.reservationId, staff)).toMatchObject({ status: 'expired' });
      expect(await reservations.get(kept.reservationId, staff)).toMatchObject({ status: 'paid' });
    });

    test('a payment after the hold books the rooms again if they are free, else it is refunded', async () => {
      const hotelId = await db.hotel({ total: 1, days: 3 });
      const late = await reserved(requestFor(hotelId));
      const before = db.clock.now;
      db.clock.now = new Date(before.getTime() + 16 * 60_000);
      await reservations.expireHolds();
      const quick = await reserved(requestFor(hotelId));
      expect(await paid(late)).toMatchObject({
        kind: 'refund',
        reason: 'no-rooms-left',
        reservation: { status: 'expired' },
      });
      await reservations.cancel(quick.reservationId, quick);
      // The money of that payment is being refunded: the first answer stays the answer.
      expect(await paid(late)).toMatchObject({ kind: 'refund', reason: 'no-rooms-left' });
      const second = { paymentId: 'second', amountMinor: late.priceMinor, currency: late.currency };
      const confirm = () => reservations.confirmPayment({ reservationId: late.reservationId, ...second });
      for (const outcome of await Promise.all([confirm(), confirm(), confirm()]))
        expect(outcome).toMatchObject({ kind: 'reseated', reservation: { status: 'paid' } });
      expect(await db.counts(hotelId)).toEqual([1, 1, 1]);
      db.clock.now = before;
    });
  });

  describe('cancelling', () => {
    test('H-005, H-041, H-089: every night falls by its rooms once, even if two cancel at once', async () => {
      const hotelId = await db.hotel({ firstDay: '2027-06-30', days: 5 });
      await reserved(requestFor(hotelId));
      const mine = await reserved(requestFor(hotelId, { roomCount: 3 }));
      const outcomes = await Promise.all(
        Array.from({ length: 5 }, () => reservations.cancel(mine.reservationId, mine)),
      );
      expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['changed', ...Array(4).fill('unchanged')]);
      expect(await db.counts(hotelId)).toEqual([0, 1, 1, 1, 0]);
      expect(await reservations.get(mine.reservationId, mine)).toMatchObject({ status: 'cancelled' });
    });

    test('D17: free until the day before check-in in the hotel, then the penalty is kept', async () => {
      const hotelId = await db.hotel();
      await db.sql.query('UPDATE room_type SET late_cancel_percent = 33 WHERE hotel_id = $1', [hotelId]);
      const [early, late] = [await reserved(requestFor(hotelId)), await reserved(requestFor(hotelId))];
      await paid(early);
      await paid(late);
      // Check-in is 1 July 15:00 in Stockholm, UTC+2.
      expect(early.freeCancelUntil).toEqual(new Date('2027-06-30T13:00:00Z'));
      const before = db.clock.now;
      db.clock.now = new Date('2027-06-30T13:00:00Z');
      expect(await reservations.cancel(early.reservationId, early)).toMatchObject({
        reservation: { refundDueMinor: 30_000n },
      });
      db.clock.now = new Date('2027-06-30T13:00:01Z');
      expect(await reservations.cancel(late.reservationId, late)).toMatchObject({
        reservation: { refundDueMinor: 20_100n, paidMinor: 30_000n },
      });
      db.clock.now = before;
      expect(await reservations.confirmRefund(early.reservationId)).toMatchObject({
        kind: 'changed',
        reservation: { status: 'refunded' },
      });
      expect((await reservations.confirmRefund(early.reservationId)).kind).toBe('unchanged');
    });

    test('some of the rooms are released and their part of the price is refunded', async () => {
      const hotelId = await db.hotel({ days: 3 });
      const reservation = await reserved(requestFor(hotelId, { roomCount: 3 }));
      await paid(reservation);
      expect(await reservations.cancel(reservation.reservationId, reservation, { rooms: 2 })).toMatchObject({
        kind: 'changed',
        reservation: { status: 'paid', roomCount: 1, priceMinor: 30_000n, refundDueMinor: 60_000n },
      });
      expect(await db.counts(hotelId)).toEqual([1, 1, 1]);
      for (const rooms of [1, 0, 5, 0.5]) {
        const outcome = await reservations.cancel(reservation.reservationId, reservation, { rooms });
        expect(outcome.kind).toBe('refused');
      }
      // The first request still refers to this reservation.
      const again = requestFor(hotelId, { ...reservation, roomCount: 3 });
      expect((await reservations.reserve(again)).kind).toBe('repeated');
    });
  });

  describe('change of dates', () => {
    test('swaps the nights in one step and prices only the new ones', async () => {
      const hotelId = await db.hotel({ days: 5 });
      const reservation = await reserved(requestFor(hotelId, { roomCount: 2 }));
      await db.sql.query('UPDATE room_type_rate SET price_minor = 20000 WHERE hotel_id = $1', [hotelId]);
      const dates = { startDate: '2027-07-02', endDate: '2027-07-05' };
      expect(await reservations.changeStay(reservation.reservationId, reservation, dates)).toMatchObject({
        kind: 'changed',
        reservation: {
          ...dates,
          nightPricesMinor: [10_000n, 10_000n, 20_000n, 20_000n],
          priceMinor: 120_000n,
        },
      });
      expect(await db.counts(hotelId)).toEqual([0, 2, 2, 2, 2]);
      expect((await reservations.changeStay(reservation.reservationId, reservation, dates)).kind).toBe(
        'unchanged',
      );
    });

    test('a swap that does not fit changes nothing, even if its own nights are full', async () => {
      const hotelId = await db.hotel({ total: 1, days: 4 });
      const mine = await reserved(requestFor(hotelId));
      await reserved(requestFor(hotelId, { startDate: '2027-07-04', endDate: '2027-07-04' }));
      const to = (startDate: string, endDate: string) =>
        reservations.changeStay(mine.reservationId, mine, { startDate, endDate });
      expect(await to('2027-07-02', '2027-07-04')).toEqual({ kind: 'insufficient', dates: ['2027-07-04'] });
      expect(await to('2027-07-03', '2027-07-05')).toEqual({ kind: 'not-bookable', dates: ['2027-07-05'] });
      expect(await to('2027-05-01', '2027-07-01')).toMatchObject({ kind: 'invalid' });
      expect(await to('2027-05-01', '2027-05-01')).toEqual({ kind: 'past' });
      expect(await db.counts(hotelId)).toEqual([1, 1, 1, 1]);
      expect((await to('2027-07-02', '2027-07-03')).kind).toBe('changed');
      expect(await db.counts(hotelId)).toEqual([0, 1, 1, 1]);
    });

    test('a fully paid reservation may become cheaper, not more expensive', async () => {
      const hotelId = await db.hotel({ days: 5 });
      const reservation = await reserved(requestFor(hotelId));
      await paid(reservation);
      const to = (startDate: string, endDate: string) =>
        reservations.changeStay(reservation.reservationId, reservation, { startDate, endDate });
      expect((await to('2027-07-01', '2027-07-04')).kind).toBe('dearer');
      expect(await db.counts(hotelId)).toEqual([1, 1, 1, 0, 0]);
      expect(await to('2027-07-03', '2027-07-04')).toMatchObject({
        kind: 'changed',
        reservation: { status: 'paid', priceMinor: 20_000n, refundDueMinor: 10_000n },
      });
      expect(await db.counts(hotelId)).toEqual([0, 0, 1, 1, 0]);
    });
  });

  proves('H-101', {
    asked: 'only along the documented graph, all pairs',
    shown:
      'each of 90 pairs is accepted or refused as docs/hotel-states.md says; the row is as it was after a refusal',
    control: {
      in: 'hotel/schema/reservations.ts',
      change: 'IF NOT EXISTS (SELECT FROM reservation_status_move WHERE',
      to: 'IF false AND EXISTS (SELECT FROM reservation_status_move WHERE',
    },
  });
  test('H-101: every undocumented transition of a reservation is refused and changes nothing', async () => {
    // Of its own: the moves are made without what belongs to them.
    const own = await openHotelDatabase();
    const request = requestFor(await own.hotel());
    expect((await own.reservations().reserve(request)).kind).toBe('reserved');
    const { reservationId } = request;
    const statuses = (
      await own.sql.query<{ s: string }>(`SELECT unnest(enum_range(NULL::reservation_status)) AS s`)
    ).rows.map((row) => row.s);
    const documented = new Set(
      (
        await own.sql.query<{ m: string }>(
          `SELECT from_status || '>' || to_status AS m FROM reservation_status_move`,
        )
      ).rows.map((row) => row.m),
    );
    expect(documented).toEqual(documentedMoves('Reservation'));
    expect(statuses).toHaveLength(10);
    const row = async () =>
      (
        await own.sql.query('SELECT *, xmin::text FROM reservation WHERE reservation_id = $1', [
          reservationId,
        ])
      ).rows;
    const set = 'UPDATE reservation SET status = $2::reservation_status WHERE reservation_id = $1';
    for (const from of statuses) {
      for (const to of statuses.filter((status) => status !== from)) {
        // The initial status is set without the guard; the transition under test is not.
        await own.sql.transaction(async (tx) => {
          await tx.query('SET LOCAL session_replication_role = replica');
          await tx.query(set, [reservationId, from]);
        });
        const before = await row();
        const move = own.sql.query(set, [reservationId, to]).then(() => 'moved');
        if (documented.has(`${from}>${to}`)) {
          expect([from, to, await move]).toEqual([from, to, 'moved']);
          expect(await row()).toMatchObject([{ status: to }]);
        } else {
          await expect(move).rejects.toThrow(`A reservation does not go from ${from} to ${to}.`);
          expect(await row()).toEqual(before);
        }
      }
    }
    await own.dispose();
  });

  proves('H-101', {
    asked: 'a property test tries all pairs under concurrency',
    shown:
      'from each of ten statuses all nine others at once, in ten orders: those that succeed are documented',
    control: {
      in: 'hotel/schema/reservations.ts',
      change: 'IF NOT EXISTS (SELECT FROM reservation_status_move WHERE',
      to: 'IF false AND EXISTS (SELECT FROM reservation_status_move WHERE',
    },
  });
  test('H-101: of all moves of one reservation at once, only documented ones in a row succeed', async () => {
    // Of its own: the moves are made without what belongs to them.
    const own = await openHotelDatabase();
    const all = own.reservations();
    const hotelId = await own.hotel({ total: 100 });
    const { rows } = await own.sql.query<{ f: string; t: string; allowed: boolean }>(
      `SELECT f, t, EXISTS (SELECT FROM reservation_status_move m WHERE m.from_status = f AND m.to_status = t) AS allowed
       FROM unnest(enum_range(NULL::reservation_status)) f, unnest(enum_range(NULL::reservation_status)) t WHERE f <> t`,
    );
    const starts = [...new Set(rows.map(({ f }) => f))];
    /** Without the guard. */
    const place = (reservationId: string, status: string) =>
      own.sql.transaction(async (tx) => {
        await tx.query(`SET LOCAL session_replication_role = replica`);
        await tx.query(`UPDATE reservation SET status = $2::reservation_status WHERE reservation_id = $1`, [
          reservationId,
          status,
        ]);
      });
    const outcome = await all.reserve(requestFor(hotelId));
    if (outcome.kind !== 'reserved') throw new Error(outcome.kind);
    const { reservationId } = outcome.reservation;
    const ordersOf = (start: string) => {
      const others = starts.filter((to) => to !== start);
      const all = { minLength: others.length, maxLength: others.length };
      return fc
        .sample(fc.shuffledSubarray(others, all), { numRuns: 10, seed: 101 })
        .map((moves) => ({ start, moves }));
    };
    for (const { start, moves } of starts.flatMap(ordersOf)) {
      await place(reservationId, start);
      // They wait for each other at the row: each begins where the one before it ended.
      const outcomes = await Promise.allSettled(
        moves.map((to) =>
          own.sql.query(
            `UPDATE reservation SET status = $2::reservation_status WHERE reservation_id = $1 RETURNING status`,
            [reservationId, to],
          ),
        ),
      );
      for (const one of outcomes)
        if (one.status === 'rejected')
          expect(String(one.reason)).toMatch(/A reservation does not go from \w+ to \w+\./);
      const reached = moves.filter((_, at) => outcomes[at]!.status === 'fulfilled');
      const { rows: now } = await own.sql.query<{ status: string }>(
        'SELECT status FROM reservation WHERE reservation_id = $1',
        [reservationId],
      );
      const isRow = (from: string, left: readonly string[]): boolean =>
        left.length === 0
          ? from === now[0]!.status
          : left.some(
              (to) =>
                rows.some(({ f, t, allowed }) => f === from && t === to && allowed) &&
                isRow(
                  to,
                  left.filter((other) => other !== to),
                ),
            );
      expect([start, reached, isRow(start, reached)]).toEqual([start, reached, true]);
      // One of them is tried while the reservation is still where it started.
      if (rows.some(({ f, allowed }) => f === start && allowed)) expect(reached).not.toEqual([]);
    }
    await own.dispose();
  });
});
