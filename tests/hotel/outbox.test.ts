import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { HotelEvent } from '#hotel/outbox/hotel-event.js';
import { OutboxRelay } from '#hotel/outbox/outbox-relay.js';
import { proves } from '#tools/acceptance/proves.js';
import { eventually } from '../eventually.js';
import { type HotelDatabase, openHotelDatabase, requestFor } from './inventory-database.js';

describe('outbox', () => {
  let db: HotelDatabase;

  beforeAll(async () => {
    db = await openHotelDatabase();
  });
  beforeEach(() => db.sql.query('DELETE FROM hotel_outbox'));
  afterAll(() => db?.dispose());

  const waiting = async () =>
    (
      await db.sql.query<{ kind: string; key: string; body: unknown }>(
        'SELECT kind, key, body FROM hotel_outbox ORDER BY event_id',
      )
    ).rows;

  proves('H-120', {
    asked: 'one event for each change, none for refused calls',
    shown: 'a booking, its copy and a refusal make one event with the new counts, two cancellations one',
    control: {
      in: 'hotel/schema/selling-rules.ts',
      change: 'FROM changed GROUP BY hotel_id, room_type_id ORDER',
      to: 'FROM changed GROUP BY hotel_id, room_type_id, date ORDER',
    },
  });
  test('H-120: a committed change makes one event with the new counts, a refused one none', async () => {
    const hotelId = await db.hotel({ total: 1, days: 3 });
    await db.sql.query('DELETE FROM hotel_outbox');
    const reservations = db.reservations();
    const request = requestFor(hotelId);
    await reservations.reserve(request);
    await reservations.reserve(request);
    await reservations.reserve(requestFor(hotelId));
    expect(await waiting()).toEqual([
      {
        kind: 'inventory.changed',
        key: `${hotelId}/double`,
        body: {
          hotelId,
          roomTypeId: 'double',
          dates: ['2027-07-01', '2027-07-02', '2027-07-03'],
          totalInventory: [1, 1, 1],
          totalReserved: [1, 1, 1],
          soldAtMost: [1, 1, 1],
        },
      },
      {
        kind: 'reservation.created',
        key: request.reservationId,
        body: expect.objectContaining({
          status: 'pending_payment',
          priceMinor: '30000',
          userId: request.userId,
        }) as unknown,
      },
    ]);
    await db.sql.query('DELETE FROM hotel_outbox');
    await reservations.cancel(request.reservationId, request);
    await reservations.cancel(request.reservationId, request);
    expect(await waiting()).toMatchObject([
      { kind: 'inventory.changed', body: { totalReserved: [0, 0, 0] } },
      { kind: 'reservation.changed', body: { status: 'cancelled' } },
    ]);
  });

  test('H-120, H-121: events published in order rebuild the counts, despite any fault', async () => {
    const hotelId = await db.hotel({ total: 60, days: 6 });
    const log: HotelEvent[] = [];
    let turns = 0;
    const relay = (holder: string) =>
      new OutboxRelay({
        sql: db.sql,
        holder,
        leaseMs: 300,
        pollMs: 5,
        publish: (events) => {
          turns += 1;
          // The log appends them and the acknowledgement is lost: they are redelivered.
          log.push(...events);
          return turns % 3 === 0 ? Promise.reject(new Error('lost')) : Promise.resolve();
        },
      });
    const [one, other] = [relay('one'), relay('other')];
    one.start();
    other.start();
    const reservations = db.reservations({ batchMax: 4 });
    await Promise.all(
      Array.from({ length: 120 }, async (_, i) => {
        const startDate = `2027-07-0${1 + (i % 4)}`;
        const request = requestFor(hotelId, { startDate, endDate: `2027-07-0${3 + (i % 4)}` });
        await reservations.reserve(request);
        if (i % 3 === 0) await reservations.cancel(request.reservationId, request);
      }),
    );
    await eventually(async () => expect(await waiting()).toEqual([]));
    await one.close();
    await other.close();

    const cache = new Map<string, { readonly id: bigint; readonly reserved: number }>();
    const order = new Map<string, bigint>();
    const seen = new Set<bigint>();
    for (const event of log) {
      if (!seen.has(event.eventId)) {
        // Two transactions on other days of one room type do not wait for each other, so their numbers may be
        // in either order.
        const days = event.kind === 'inventory.changed' ? event.body.dates : [''];
        for (const day of days) {
          const subject = `${event.key} ${day}`;
          expect(event.eventId > (order.get(subject) ?? 0n)).toBe(true);
          order.set(subject, event.eventId);
        }
      }
      seen.add(event.eventId);
      if (event.kind !== 'inventory.changed' || event.body.hotelId !== hotelId) continue;
      for (const [i, date] of event.body.dates.entries()) {
        if ((cache.get(date)?.id ?? 0n) < event.eventId)
          cache.set(date, { id: event.eventId, reserved: event.body.totalReserved[i]! });
      }
    }
    expect(log.length).toBeGreaterThan(seen.size);
    const rebuilt = [...cache].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, { reserved }]) => reserved);
    expect(rebuilt).toEqual(await db.counts(hotelId));
    expect([...seen].filter((id) => id > 0n)).toHaveLength(seen.size);
  });

  test('one process relays; another takes over when it is silent', async () => {
    await db.hotel();
    const took: string[] = [];
    const relay = (holder: string) =>
      new OutboxRelay({
        sql: db.sql,
        holder,
        leaseMs: 600_000,
        publish: async () => {
          took.push(holder);
        },
      });
    const [first, second, third] = [relay('first'), relay('second'), relay('third')];
    expect(await first.relayOnce()).toBeGreaterThan(0);
    await db.hotel();
    expect(await second.relayOnce()).toBe(0);
    // Silent for the length of a lease, by the clock of the database.
    await db.sql.query('UPDATE hotel_outbox_lease SET until = clock_timestamp()');
    expect(await second.relayOnce()).toBeGreaterThan(0);
    expect(took).toEqual(['first', 'second']);
    // A relay that ends releases it.
    await second.close();
    await db.hotel();
    expect(await third.relayOnce()).toBeGreaterThan(0);
    await Promise.all([first.close(), third.close()]);
  });
});
