import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { becomeServers, knowsAllServers } from '#hotel/sharding/hotel-servers.js';
import { type MoveStep, moveHotel, moveSteps, resumeMoves } from '#hotel/sharding/move-hotel.js';
import { sqlState } from '#platform/sql/sql.js';
import { requestFor } from '../hotel/inventory-database.js';
import { openTwoServers, type TwoServers } from './two-servers.js';

let two: TwoServers;
beforeAll(async () => {
  two = await openTwoServers();
  two.relay(async () => {});
});
afterAll(() => two.dispose());

const rowsOf = async (server: string, hotelId: string): Promise<Record<string, string[]>> => {
  const sql = two.servers.get(server)!;
  const { rows: tables } = await sql.query('SELECT name, key FROM hotel_moved_table ORDER BY position');
  const found: Record<string, string[]> = {};
  for (const { name, key } of tables) {
    const ours = `${key} IN (SELECT reservation_id FROM reservation WHERE hotel_id = $1)`;
    const where = key === 'hotel_id' ? 'hotel_id = $1' : key === 'subject' ? `subject = $1 OR ${ours}` : ours;
    const { rows } = await sql.query(
      `SELECT to_jsonb(t)::text AS row FROM ${name as string} t WHERE ${where} ORDER BY 1`,
      [hotelId],
    );
    found[name as string] = rows.map(({ row }) => row as string);
  }
  return found;
};

/** A hotel with a row in every table that moves. */
async function fullHotel(): Promise<string> {
  const hotelId = await two.db.hotel();
  const { reservations } = two.process();
  const [old, next] = [requestFor(hotelId), requestFor(hotelId)];
  for (const request of [old, next]) expect((await reservations.reserve(request)).kind).toBe('reserved');
  const id = old.reservationId;
  for (const text of [
    `INSERT INTO room_out_of_order VALUES ('${hotelId}', 'room-2', '2027-07-01', '2027-07-02', 'paint')`,
    `INSERT INTO rate_step VALUES ('${hotelId}', 80, 120)`,
    `INSERT INTO hotel_tax (hotel_id, source, rules) VALUES ('${hotelId}', 'hotel', '[{"kind":"vat","code":"v","name":"V","basisPoints":700}]')`,
    `INSERT INTO rate_plan (hotel_id, room_type_id, plan_id, name, meal, refundable, free_cancel_hours, late_cancel_percent, valid, own_prices)
     VALUES ('${hotelId}', 'double', 'a', 'A', 'none', true, 1, 100, '{[2027-01-01,2027-12-31)}', true)`,
    `INSERT INTO rate_plan_day (hotel_id, room_type_id, plan_id, date, price_minor) VALUES ('${hotelId}', 'double', 'a', '2027-07-01', 5)`,
    `INSERT INTO adult_price VALUES ('${hotelId}', 'double', 1, 90, -5)`,
    `INSERT INTO channel_feed (hotel_id, version) VALUES ('${hotelId}', 7)`,
    `INSERT INTO invoice_number VALUES ('${hotelId}', 1)`,
    `INSERT INTO operator_request VALUES ('olle', '${hotelId}', 'r', '${hotelId}', NULL)`,
    `INSERT INTO waitlist_entry (entry_id, user_id, hotel_id, room_type_id, start_date, end_date, room_count, reservation_id, created_at)
     VALUES ('w-${hotelId}', 'u', '${hotelId}', 'double', '2027-07-01', '2027-07-02', 1, 'wr-${hotelId}', now())`,
    `INSERT INTO group_block (hotel_id, block_id, name, code, start_date, end_date, release_at, request, created_at)
     VALUES ('${hotelId}', 'block', 'Wedding', 'WEDDING', '2027-07-01', '2027-07-02', '2027-06-30', '{}', now())`,
    `INSERT INTO group_block_night VALUES ('${hotelId}', 'block', 'double', '2027-07-01', 0, 1)`,
    `INSERT INTO group_block_reservation VALUES ('${id}', '${hotelId}', 'block')`,
    `INSERT INTO hotel_house_rules VALUES ('${hotelId}', 'inspected', '18:00')`,
    `INSERT INTO channel_pending VALUES ('${hotelId}', 'double', '2027-07-01')`,
    `INSERT INTO channel_endpoint (endpoint_id, hotel_id, url, event_types, secret, waiting, created_at, changed_at)
     VALUES ('we-${hotelId}', '${hotelId}', 'https://c', '{ari.changed}', 's', 1, now(), now())`,
    `INSERT INTO channel_event (event_id, hotel_id, subject, type, body, occurred_at, created_at)
     VALUES ('e-${hotelId}', '${hotelId}', '${hotelId}', 'ari.changed', '{}', now(), now())`,
    `INSERT INTO channel_delivery (endpoint_id, event_no, subject, state, next_attempt_at)
     SELECT 'we-${hotelId}', event_no, subject, 'waiting', now() FROM channel_event WHERE hotel_id = '${hotelId}'`,
    `INSERT INTO channel_attempt (endpoint_id, event_id, type, at, answer, duration_ms)
     VALUES ('we-${hotelId}', 'e-${hotelId}', 'ari.changed', now(), '', 1)`,
    `INSERT INTO channel_request
     VALUES ('cr-${hotelId}', 'we-${hotelId}', '${hotelId}', sha256('1'), '2027-07-01', '2027-07-02', '{double}', 2, 1, now())`,
    `INSERT INTO room_night VALUES ('${hotelId}', 'room-1', '2027-07-01', '${id}')`,
    `INSERT INTO folio_entry (reservation_id, entry_id, name, amount_minor, vat_basis_points, staff_id, reason, at)
     VALUES ('${id}', 'e', 'Bar', 900, 700, 's', 'r', now())`,
    `INSERT INTO folio_entry (reservation_id, entry_id, voids, name, amount_minor, vat_basis_points, staff_id, reason, at)
     SELECT '${id}', 'v', entry_no, 'Bar', -900, 700, 's', 'r', now() FROM folio_entry WHERE reservation_id = '${id}'`,
    `INSERT INTO invoice
     VALUES ('${hotelId}', 1, '${id}', 'invoice', 1, 'SEK', '{}', '[]', '[]', now(), 's')`,
    `INSERT INTO guest_key VALUES ('${id}', 'u', '\\x0102')`,
    `INSERT INTO guest VALUES ('${id}', '\\x03ff')`,
    `INSERT INTO payment_answer VALUES ('p-${hotelId}', '${id}', 'wrong-amount', now())`,
    `INSERT INTO staff_refund (reservation_id, staff_id, amount_minor, currency, at) VALUES ('${id}', 's', 1, 'SEK', now())`,
    `INSERT INTO stay_payment (reservation_id, payment_id, captured_minor) VALUES ('${id}', 'p-${hotelId}', 1)`,
    `INSERT INTO stay_supplement VALUES ('s-${hotelId}', '${id}', 'extras', 1, 'open', now(), NULL, now())`,
    `INSERT INTO staff_action (at, staff_id, action, subject, reason, outcome) VALUES (now(), 's', 'set-rates', '${hotelId}', 'r', 'changed')`,
    `INSERT INTO staff_action (at, staff_id, action, subject, reason) VALUES (now(), 's', 'cancel', '${id}', 'r')`,
  ])
    await two.db.sql.query(text);
  return hotelId;
}

class Killed extends Error {}
const killAt = (step: MoveStep) => ({
  onStep(reached: MoveStep) {
    if (reached === step) throw new Killed(step);
  },
});

describe('a move of a hotel', () => {
  test('takes every row of it along, and back, unchanged', async () => {
    const hotelId = await fullHotel();
    const before = await rowsOf('main', hotelId);
    expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([]);
    expect(await moveHotel(two.moves, hotelId, 'b')).toMatchObject({ kind: 'moved', from: 'main' });
    expect(await rowsOf('b', hotelId)).toEqual(before);
    expect(Object.values(await rowsOf('main', hotelId)).flat()).toEqual([]);
    expect(await moveHotel(two.moves, hotelId, 'b')).toEqual({ kind: 'there' });
    expect(await moveHotel(two.moves, hotelId, 'main')).toMatchObject({ kind: 'moved', from: 'b' });
    expect(await rowsOf('main', hotelId)).toEqual(before);
  });

  test('knows all tables with rows of hotels', async () => {
    const { rows } = await two.db.sql.query(
      `SELECT DISTINCT table_name FROM information_schema.columns c JOIN pg_class k ON k.relname = c.table_name
       WHERE column_name IN ('hotel_id', 'reservation_id') AND NOT k.relispartition AND k.relkind IN ('r', 'p')
         AND table_name NOT IN ('hotel_place', 'reservation_place', 'hotel_move', 'hotel_fence', 'user_hold')
         AND table_name NOT IN (SELECT name FROM hotel_moved_table)`,
    );
    expect(rows).toEqual([]);
  });

  test.each(moveSteps)('killed before the step "%s", it is continued by another program', async (step) => {
    const hotelId = await fullHotel();
    const before = await rowsOf('main', hotelId);
    const { reservations } = two.process();
    await expect(moveHotel({ ...two.moves, ...killAt(step) }, hotelId, 'b')).rejects.toThrow(Killed);
    expect(await resumeMoves(two.moves, -60_000)).toBe(1);
    expect(await rowsOf('b', hotelId)).toEqual(before);
    expect(Object.values(await rowsOf('main', hotelId)).flat()).toEqual([]);
    expect((await reservations.reserve(requestFor(hotelId))).kind).toBe('reserved');
    await two.prove();
  });

  test('a row that changes, comes or goes while it is copied has its last state', async () => {
    const hotelId = await fullHotel();
    const { reservations } = two.process();
    const [kept, gone] = [requestFor(hotelId), requestFor(hotelId)];
    await reservations.reserve(gone);
    const changes: Array<Promise<unknown>> = [];
    await moveHotel(
      {
        ...two.moves,
        onStep(step) {
          if (step !== 'catch up') return;
          changes.push(
            reservations.reserve(kept),
            reservations.cancel(gone.reservationId, { staff: true }),
            two.db.sql.query('DELETE FROM room_night WHERE hotel_id = $1', [hotelId]),
            two.db.sql.query('DELETE FROM rate_step WHERE hotel_id = $1', [hotelId]),
            two.db.sql.query('UPDATE room_type SET name = $2 WHERE hotel_id = $1', [hotelId, 'Suite']),
          );
        },
      },
      hotelId,
      'b',
    );
    await Promise.all(changes);
    const after = await rowsOf('b', hotelId);
    expect([after['room_night'], after['rate_step']]).toEqual([[], []]);
    expect(after['room_type']![0]).toContain('Suite');
    const status = async (id: string) => (await reservations.get(id, { staff: true }))?.status;
    expect(await status(kept.reservationId)).toBe('pending_payment');
    expect(await status(gone.reservationId)).toBe('cancelled');
    await two.prove();
  });

  test('an older run that is still alive changes nothing any more', async () => {
    const hotelId = await fullHotel();
    let newer: Promise<unknown> | undefined;
    const older = moveHotel(
      {
        ...two.moves,
        onStep(step) {
          if (step === 'copy the rest') newer = moveHotel(two.moves, hotelId, 'b');
        },
      },
      hotelId,
      'b',
    );
    await Promise.allSettled([older]);
    await newer;
    const { reservations } = two.process();
    expect((await reservations.reserve(requestFor(hotelId))).kind).toBe('reserved');
    expect(Object.values(await rowsOf('main', hotelId)).flat()).toEqual([]);
    await two.prove();
  });

  test('unknown hotels and servers, and a second destination, are refused', async () => {
    const hotelId = await two.db.hotel();
    expect(await moveHotel(two.moves, 'nowhere', 'b')).toEqual({ kind: 'unknown-hotel' });
    expect(await moveHotel(two.moves, hotelId, 'c')).toEqual({ kind: 'unknown-server' });
    await expect(moveHotel({ ...two.moves, ...killAt('copy') }, hotelId, 'b')).rejects.toThrow(Killed);
    expect(await moveHotel(two.moves, hotelId, 'main')).toEqual({ kind: 'moving', to: 'b' });
    await resumeMoves(two.moves, -60_000);
  });
});

describe('the fence', () => {
  const refused = async (work: Promise<unknown>) => sqlState(await work.catch((error: unknown) => error));

  test('refuses a writer that does not know of the move, in every table', async () => {
    const hotelId = await fullHotel();
    await expect(moveHotel({ ...two.moves, ...killAt('delete') }, hotelId, 'b')).rejects.toThrow(Killed);
    const { rows: tables } = await two.db.sql.query('SELECT name, key FROM hotel_moved_table');
    const open: string[] = [];
    for (const { name, key } of tables) {
      if (name === 'reservation_status_history') continue;
      const ours = `${key} IN (SELECT reservation_id FROM reservation WHERE hotel_id = '${hotelId}')`;
      const where =
        key === 'hotel_id' ? `hotel_id = '${hotelId}'` : key === 'subject' ? `subject = '${hotelId}'` : ours;
      // Append-only lists refuse it by a rule of their own.
      const state = await refused(
        two.db.sql.query(`UPDATE ${name as string} SET ${key} = ${key} WHERE ${where}`),
      );
      if (state !== 'MH010' && state !== 'MH005') open.push(name as string);
    }
    expect(open).toEqual([]);
    const { reservations } = two.process({ staleMs: 60_000 });
    expect((await reservations.reserve(requestFor(hotelId))).kind).toBe('reserved');
    await resumeMoves(two.moves, -60_000);
    await two.prove();
  });

  test('append-only lists are moved by a move alone', async () => {
    const hotelId = await fullHotel();
    const asMove = (id: string) =>
      two.db.sql.transaction(async (tx) => {
        await tx.query(`SELECT set_config('meridian.move', $1, true)`, [id]);
        await tx.query('DELETE FROM staff_action WHERE subject = $1', [hotelId]);
      });
    expect(await refused(two.db.sql.query('DELETE FROM staff_action WHERE subject = $1', [hotelId]))).toBe(
      'MH005',
    );
    expect(await refused(asMove('999999999'))).toBe('MH005');
    // The id of another hotel's move opens nothing of this one.
    const other = await two.db.hotel();
    await moveHotel(two.moves, other, 'b');
    const { rows } = await two.db.sql.query(
      'SELECT move_id::text AS id FROM hotel_fence WHERE hotel_id = $1',
      [other],
    );
    expect(await refused(asMove(rows[0]!['id'] as string))).toBe('MH010');
  });

  test('a transaction whose snapshot is older than the fence is refused', async () => {
    const hotelId = await two.db.hotel();
    const change = two.db.sql.transaction(
      async (tx) => {
        await tx.query('SELECT FROM hotel');
        await moveHotel({ ...two.moves, ...killAt('switch') }, hotelId, 'b').catch(() => {});
        await two.db.sql.query(`UPDATE hotel_fence SET state = 'gone' WHERE hotel_id = $1`, [hotelId]);
        return tx.query('UPDATE room_type SET name = name WHERE hotel_id = $1', [hotelId]);
      },
      { isolation: 'repeatable read', attempts: 1 },
    );
    expect(await refused(change)).toBe('40001');
    await resumeMoves(two.moves, -60_000);
  });

  test('a program waits for a short pause, and says that it is busy after a long one', async () => {
    const hotelId = await two.db.hotel();
    await expect(moveHotel({ ...two.moves, ...killAt('leave') }, hotelId, 'b')).rejects.toThrow(Killed);
    const { reservations } = two.process({ waitMs: 60 });
    const request = requestFor(hotelId);
    await expect(reservations.reserve(request)).rejects.toThrow('is being moved');
    const { reservations: patient } = two.process();
    const [outcome] = await Promise.all([patient.reserve(request), resumeMoves(two.moves, -60_000)]);
    expect(outcome.kind).toBe('reserved');
  });
});

describe('without a program that publishes events', () => {
  let alone: TwoServers;
  beforeAll(async () => {
    alone = await openTwoServers();
  });
  afterAll(() => alone.dispose());

  test('a move ends with a sentence, and the hotel stays where it can be booked', async () => {
    const hotelId = await alone.db.hotel();
    const moves = { ...alone.moves, drainMs: 50 };
    await expect(moveHotel(moves, hotelId, 'b')).rejects.toThrow('Start a program that serves hotels');
    const { reservations } = alone.process();
    expect((await reservations.reserve(requestFor(hotelId))).kind).toBe('reserved');
    await alone.prove();
  });

  test('a server has one name for good', async () => {
    const servers = new Map([
      ['main', alone.db.sql],
      ['c', alone.b],
    ]);
    await expect(becomeServers(servers)).rejects.toThrow(
      'The address of the hotel server c is that of the server b.',
    );
    await expect(knowsAllServers(new Map([['main', alone.db.sql]]))).rejects.toThrow('Set HOTEL_SHARDS.');
    await expect(knowsAllServers(alone.servers)).resolves.toBeUndefined();
  });
});
