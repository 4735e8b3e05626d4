import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { HotelEvent } from '#hotel/outbox/hotel-event.js';
import { moveHotel, moveSteps } from '#hotel/sharding/move-hotel.js';
import { SqlUnavailable } from '#platform/sql/sql.js';
import { newReservationId } from '#schemas/reservation-id.js';
import type { UserId } from '#schemas/units.js';
import { requestFor } from '../hotel/inventory-database.js';
import { openDatabase, openOwnDatabase } from '../shared-postgres.js';
import { openTwoServers, type TwoServers } from './two-servers.js';

/** `OWN_SERVERS=1`: two servers of PostgreSQL; else two databases of the one that a run shares. */
const own = process.env['OWN_SERVERS'] === '1';
const moves = Number(process.env['MOVES'] ?? 4);
vi.setConfig({ testTimeout: 120_000 + moves * 15_000 });
const seed = Number(process.env['SEED'] ?? 1);

let two: TwoServers;
beforeAll(async () => {
  two = await openTwoServers(own ? openOwnDatabase : openDatabase);
}, 120_000);
afterAll(() => two.dispose());

function seeded(start: number): () => number {
  let state = start;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

class Killed extends Error {}
const rooms = 12;
const cap = 13;
/** As many rooms of a hotel may stay sold: where all are, nobody books on the server it moves to. */
const keptAtMost = 6;

test('bookings while the hotel moves back and forth, with kills: each once, events in order', async () => {
  const random = seeded(seed);
  // Apart from what guests draw in any order, so that each run has the same kills.
  const fate = seeded(seed + 1);
  const events: Array<{ readonly server: string; readonly event: HotelEvent }> = [];
  two.relay(async (server, batch) => {
    for (const event of batch) events.push({ server, event });
  });
  const moved = await two.db.hotel({ total: rooms });
  const stays = await two.db.hotel({ total: rooms });
  const processes = Array.from({ length: 3 }, () => two.process().reservations);
  const status = new Map<string, string>();
  let isOver = false;
  let unavailable = 0;
  let asked = 0;
  const kept = new Map<string, number>();

  const guest = async (turn: number) => {
    const reservations = processes[turn % processes.length]!;
    while (!isOver) {
      const hotelId = turn % 4 === 3 ? stays : moved;
      const request = requestFor(hotelId, {
        userId: `guest-${turn}` as UserId,
        // Half of the ids name their hotel.
        ...(random() < 0.5 ? { reservationId: newReservationId(hotelId) } : {}),
      });
      const id = request.reservationId;
      const act = async <Outcome>(work: () => Promise<Outcome>): Promise<Outcome> => {
        for (;;) {
          try {
            return await work();
          } catch (error) {
            if (!(error instanceof SqlUnavailable) || isOver) throw error;
            unavailable += 1;
            await delay(1);
          }
        }
      };
      const reserved = await act(() => reservations.reserve(request));
      if (hotelId === moved) asked += 1;
      if (reserved.kind === 'reserved' || reserved.kind === 'repeated') {
        status.set(id, 'pending_payment');
        const { priceMinor: amountMinor, currency } = reserved.reservation;
        // From another process than the one that reserved.
        const other = processes[(turn + 1) % processes.length]!;
        const seen = await act(() => other.get(id, { staff: true }));
        expect(seen?.status).toBe('pending_payment');
        if (random() < 0.4) {
          const paid = await act(() =>
            other.confirmPayment({ reservationId: id, paymentId: `p-${id}`, amountMinor, currency }),
          );
          expect(['paid', 'paid-before']).toContain(paid.kind);
          status.set(id, 'paid');
        }
        const isKept = random() > 0.93 && (kept.get(hotelId) ?? 0) < keptAtMost;
        if (isKept) kept.set(hotelId, (kept.get(hotelId) ?? 0) + 1);
        else {
          expect(['changed', 'unchanged']).toContain(
            (await act(() => other.cancel(id, { staff: true }))).kind,
          );
          status.set(id, 'cancelled');
        }
      } else expect(['insufficient', 'busy']).toContain(reserved.kind);
      await delay(random() * 10);
    }
  };
  const guests = Array.from({ length: 12 }, (_, turn) => guest(turn));
  // Rejects as soon as one of them found a defect.
  const stopped = Promise.all(guests);

  let kills = 0;
  const pauses: number[] = [];
  onTestFinished(() => {
    isOver = true;
  });
  for (let move = 0; move < moves; move += 1) {
    const to = move % 2 === 0 ? 'b' : 'main';
    for (;;) {
      const dies = fate() < 0.6 ? moveSteps[Math.floor(fate() * moveSteps.length)] : undefined;
      try {
        const outcome = await moveHotel(
          {
            ...two.moves,
            onStep(step) {
              if (step === dies) throw new Killed(step);
            },
          },
          moved,
          to,
        );
        expect(['moved', 'there']).toContain(outcome.kind);
        if (outcome.kind === 'moved' && outcome.pausedMs !== undefined) pauses.push(outcome.pausedMs);
        break;
      } catch (error) {
        if (!(error instanceof Killed)) throw error;
        kills += 1;
      }
    }
    // On a slow machine the next move would come before anybody has booked here, at the hotel that moved.
    const before = asked;
    const isSeen = () => events.some(({ server }) => server === to);
    while (asked < before + 12 || !isSeen()) await Promise.race([delay(10), stopped]);
  }
  isOver = true;
  await stopped;

  const stored = await two.prove();
  expect([...status.keys()].filter((id) => !stored.has(id))).toEqual([]);
  expect(stored.size).toBe(status.size);
  const { reservations } = two.process();
  const held = { [moved]: 0, [stays]: 0 };
  for (const [id, expected] of status) {
    const found = await reservations.get(id, { staff: true });
    expect(found?.status).toBe(expected);
    if (expected !== 'cancelled') held[found!.hotelId]! += 1;
  }
  // Sold and free are all rooms: exactly so many more can be sold.
  for (const hotelId of [moved, stays]) {
    for (let left = cap - held[hotelId]!; left > 0; left -= 1)
      expect((await reservations.reserve(requestFor(hotelId))).kind).toBe('reserved');
    expect((await reservations.reserve(requestFor(hotelId))).kind).toBe('insufficient');
  }
  await expect
    .poll(async () => {
      const left = await Promise.all(
        [...two.servers.values()].map((sql) => sql.query('SELECT FROM hotel_outbox LIMIT 1')),
      );
      return left.every(({ rows }) => rows.length === 0);
    })
    .toBe(true);

  // By key, numbers rise, none comes twice, and each change of a reservation has its event.
  const newest = new Map<string, bigint>();
  const path = new Map<string, string[]>();
  for (const { event } of events) {
    const { key, eventId, body } = event;
    expect(eventId, key).toBeGreaterThan(newest.get(key) ?? 0n);
    newest.set(key, eventId);
    if (event.kind !== 'inventory.changed')
      path.set(key, [...(path.get(key) ?? []), (body as { readonly status: string }).status]);
  }
  for (const [id, expected] of status) {
    const steps = path.get(id) ?? [];
    expect(steps[0]).toBe('pending_payment');
    expect(steps.at(-1)).toBe(expected);
    expect(new Set(steps).size).toBe(steps.length);
  }
  expect(new Set(events.map(({ server }) => server))).toEqual(new Set(['main', 'b']));
  expect(kills).toBeGreaterThan(0);
  console.log(
    JSON.stringify({
      booked: status.size,
      moves,
      kills,
      unavailable,
      longestPauseMs: Math.round(Math.max(0, ...pauses)),
    }),
  );
});

test('without fences, a program that does not know of the move loses a booking', async () => {
  const hotelId = await two.db.hotel();
  // It has read the directory, and does not read it again.
  const { placement, reservations } = two.process({ staleMs: 600_000 });
  await placement.refresh();
  for (const table of ['reservation', 'room_type_inventory'])
    for (const event of ['insert', 'update', 'delete'])
      await two.db.sql.query(`DROP TRIGGER fence_${event} ON ${table}`);
  const request = requestFor(hotelId);
  let late: Promise<unknown> | undefined;
  await moveHotel(
    {
      ...two.moves,
      onStep(step) {
        if (step === 'leave') late = reservations.reserve(request);
      },
    },
    hotelId,
    'b',
  );
  expect(await late).toMatchObject({ kind: 'reserved' });
  const { reservations: other } = two.process();
  expect(await other.get(request.reservationId, { staff: true })).toBeUndefined();
});
