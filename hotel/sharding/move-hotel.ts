import { setTimeout as delay } from 'node:timers/promises';
import type { Sql, SqlSession } from '#platform/sql/sql.js';
import { begin, type Move, type MoveOutcome } from './begin-move.js';
import { copyHotel, deleteHotelRows } from './copy-hotel.js';
import { type HotelServers, home } from './hotel-servers.js';
import { shardingLimits } from './limits.js';

export interface MoveDeps {
  readonly servers: HotelServers;
  readonly staleMs?: number;
  readonly graceMs?: number;
  readonly drainMs?: number;
  /** Called before each step; a test stops here. */
  readonly onStep?: (step: MoveStep) => void;
}

export const moveSteps = [
  'copy',
  'catch up',
  'pause',
  'drain',
  'copy the rest',
  'switch',
  'leave',
  'open',
  'delete',
  'end',
] as const;
export type MoveStep = (typeof moveSteps)[number];

/**
 * Moves a hotel to another server while it is booked: copies it, catches up, pauses changes of this hotel,
 * copies the rest, switches the directory in one transaction, and deletes the old rows. It may be killed at
 * any moment: the next run continues, and an older run that is still alive is refused by the databases.
 */
export async function moveHotel(deps: MoveDeps, hotelId: string, to: string): Promise<MoveOutcome> {
  if (!deps.servers.has(to)) return { kind: 'unknown-server' };
  const begun = await begin(deps.servers, hotelId, to);
  if ('kind' in begun) return begun;
  const step = (name: MoveStep) => deps.onStep?.(name);
  const fromMs = begun.isSwitched ? undefined : await bring(deps, begun, step);
  const pausedMs = await finish(deps, begun, step, fromMs);
  return { kind: 'moved', from: begun.from, pausedMs };
}

/** Continues the moves whose program has been silent. Returns how many it finished. */
export async function resumeMoves(
  deps: MoveDeps,
  silentMs: number = shardingLimits.silentMs,
): Promise<number> {
  const { rows } = await deps.servers
    .get(home)!
    .query(
      'SELECT hotel_id, to_server FROM hotel_move WHERE alive_at < clock_timestamp() - make_interval(secs => $1)',
      [silentMs / 1_000],
    );
  for (const row of rows) await moveHotel(deps, row['hotel_id'] as string, row['to_server'] as string);
  return rows.length;
}

/** Up to the switch. What an earlier run copied is copied again. Returns when the pause began. */
async function bring(deps: MoveDeps, move: Move, step: (name: MoveStep) => void): Promise<number> {
  const { hotelId, moveId, from, to } = move;
  const directory = deps.servers.get(home)!;
  const source = deps.servers.get(from)!;
  const target = deps.servers.get(to)!;
  const onBatch = () => stillMine(directory, move);
  await setFence(source, move, 'open');
  await place(directory, move, from, false);
  await setFence(target, move, 'arriving');
  await deleteHotelRows(target, hotelId, moveId);
  const copy = { hotelId, moveId, source, target, onBatch };
  step('copy');
  let since = await copyHotel(copy);
  step('catch up');
  since = await copyHotel(copy, since);
  const fromMs = performance.now();
  try {
    step('pause');
    await place(directory, move, from, true);
    step('drain');
    await setFence(source, move, 'draining');
    await drained(source, hotelId, deps.drainMs ?? shardingLimits.drainMs);
    await setFence(source, move, 'leaving');
    step('copy the rest');
    await copyHotel(copy, since);
    // Ids from before there were several servers that do not name their hotel.
    if (from === home)
      await source.query(
        `INSERT INTO reservation_place (reservation_id, hotel_id) SELECT reservation_id, hotel_id FROM reservation
         WHERE hotel_id = $1 AND hotel_named_by(reservation_id) IS NULL ORDER BY 1 ON CONFLICT DO NOTHING`,
        [hotelId],
      );
    await raiseNumbers(source, target);
    step('switch');
    await directory.transaction(async (tx) => {
      await changePlace(tx, move, to, true);
      await tx.query(`UPDATE hotel_move SET step = 'switched' WHERE hotel_id = $1`, [hotelId]);
    });
  } catch (error) {
    // If the switch may have happened, only the next run can know.
    const { rows } = await directory.query('SELECT step FROM hotel_move WHERE hotel_id = $1', [hotelId]);
    if (rows[0]?.['step'] === 'copying') {
      await setFence(source, move, 'open');
      await place(directory, move, from, false);
    }
    throw error;
  }
  return fromMs;
}

/** After the switch; returns the length of the pause. */
async function finish(
  deps: MoveDeps,
  move: Move,
  step: (name: MoveStep) => void,
  fromMs: number | undefined,
): Promise<number | undefined> {
  const { hotelId, moveId, from, to } = move;
  const directory = deps.servers.get(home)!;
  const source = deps.servers.get(from)!;
  // Until then others may still read at the source, so nothing may change at the target.
  await delay(deps.staleMs ?? shardingLimits.staleMs);
  step('leave');
  await setFence(source, move, 'gone');
  step('open');
  await setFence(deps.servers.get(to)!, move, 'open');
  await place(directory, move, to, false);
  const pausedMs = fromMs === undefined ? undefined : performance.now() - fromMs;
  await delay(deps.graceMs ?? shardingLimits.graceMs);
  step('delete');
  await deleteHotelRows(source, hotelId, moveId);
  step('end');
  await directory.query('DELETE FROM hotel_move WHERE hotel_id = $1 AND move_id = $2', [hotelId, moveId]);
  return pausedMs;
}

/** Waits for those who are changing the hotel. Rejects when a newer run has set a fence. */
async function setFence(sql: Sql, { hotelId, moveId }: Move, state: string): Promise<void> {
  await sql.transaction(async (tx) => {
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 166))', [hotelId]);
    const { rowCount } = await tx.query(
      `INSERT INTO hotel_fence (hotel_id, move_id, state) VALUES ($1, $2, $3)
       ON CONFLICT (hotel_id) DO UPDATE SET move_id = $2, state = $3 WHERE hotel_fence.move_id <= $2`,
      [hotelId, moveId, state],
    );
    if (rowCount === 0) throw superseded(hotelId);
    await tx.query('UPDATE hotel_server SET fences = fences + 1');
  });
}

const place = (directory: Sql, move: Move, server: string, isPaused: boolean) =>
  directory.transaction((tx) => changePlace(tx, move, server, isPaused));

/** One after the other, so that a reader who has seen a version has seen all lower ones. */
async function changePlace(tx: SqlSession, move: Move, server: string, isPaused: boolean): Promise<void> {
  await tx.query('LOCK TABLE hotel_place IN SHARE ROW EXCLUSIVE MODE');
  await stillMine(tx, move);
  await tx.query(
    `INSERT INTO hotel_place (hotel_id, server, is_paused, version) VALUES ($1, $2, $3, nextval('hotel_place_version'))
     ON CONFLICT (hotel_id) DO UPDATE SET server = $2, is_paused = $3, version = EXCLUDED.version`,
    [move.hotelId, server, isPaused],
  );
}

/** In a transaction, no other run begins before its end. */
async function stillMine(sql: SqlSession, { hotelId, moveId }: Move): Promise<void> {
  const { rowCount } = await sql.query(
    'UPDATE hotel_move SET alive_at = clock_timestamp() WHERE hotel_id = $1 AND move_id = $2',
    [hotelId, moveId],
  );
  if (rowCount === 0) throw superseded(hotelId);
}

const superseded = (hotelId: string) => new Error(`Another run moves the hotel ${hotelId}; this one ends.`);

/** No event of the hotel is left: the relay of the target would overtake it. */
async function drained(source: Sql, hotelId: string, drainMs: number): Promise<void> {
  const untilMs = performance.now() + drainMs;
  for (;;) {
    const { rows } = await source.query(`SELECT FROM hotel_outbox WHERE body ->> 'hotelId' = $1 LIMIT 1`, [
      hotelId,
    ]);
    if (rows.length === 0) return;
    if (performance.now() > untilMs)
      throw new Error(
        `Events of the hotel ${hotelId} are not published in ${drainMs} ms, so it was not moved. ` +
          'Start a program that serves hotels, then move it again.',
      );
    await delay(shardingLimits.lookMs);
  }
}

/** What happens later has higher numbers; readers drop events that are not above the highest they know. */
async function raiseNumbers(source: Sql, target: Sql): Promise<void> {
  const { rows } = await source.query('SELECT of_sequence, last FROM hotel_numbers()');
  await target.query('SELECT raise_hotel_numbers($1, $2)', [
    rows.map((row) => row['of_sequence'] as string),
    rows.map((row) => row['last'] as bigint),
  ]);
}
