import type { SqlSession } from '#platform/sql/sql.js';
import { type HotelServers, home } from './hotel-servers.js';

export type MoveOutcome =
  /** `pausedMs`: how long nobody could change the hotel; undefined when an earlier run began the pause. */
  | { readonly kind: 'moved'; readonly from: string; readonly pausedMs: number | undefined }
  | { readonly kind: 'there' | 'unknown-hotel' | 'unknown-server' }
  /** It is on its way to another server; finish that first. */
  | { readonly kind: 'moving'; readonly to: string };

export interface Move {
  readonly hotelId: string;
  readonly moveId: bigint;
  readonly from: string;
  readonly to: string;
  readonly isSwitched: boolean;
}

/**
 * A new run of the move: a new one, or the next run of one that was begun. No transaction waits for another
 * server.
 */
export async function begin(servers: HotelServers, hotelId: string, to: string): Promise<Move | MoveOutcome> {
  const directory = servers.get(home)!;
  for (;;) {
    const from = await serverOf(directory, hotelId);
    const source = servers.get(from);
    if (source === undefined) return { kind: 'unknown-server' };
    const { rows } = await source.query('SELECT FROM hotel WHERE hotel_id = $1', [hotelId]);
    const begun = await directory.transaction(async (tx) => {
      await tx.query('LOCK TABLE hotel_place, hotel_move IN SHARE ROW EXCLUSIVE MODE');
      return (
        (await takeOver(tx, hotelId, to)) ??
        // Only a place that is still the one that was looked at says anything.
        ((await serverOf(tx, hotelId)) === from
          ? await start(tx, hotelId, from, to, rows.length > 0)
          : undefined)
      );
    });
    if (begun !== undefined) return begun;
  }
}

async function serverOf(directory: SqlSession, hotelId: string): Promise<string> {
  const { rows } = await directory.query('SELECT server FROM hotel_place WHERE hotel_id = $1', [hotelId]);
  return (rows[0]?.['server'] as string | undefined) ?? home;
}

/** The move that an earlier run began, if there is one. */
async function takeOver(
  tx: SqlSession,
  hotelId: string,
  to: string,
): Promise<Move | MoveOutcome | undefined> {
  const { rows } = await tx.query(
    `UPDATE hotel_move SET move_id = CASE WHEN to_server = $2 THEN nextval('hotel_place_version') ELSE move_id END,
       alive_at = CASE WHEN to_server = $2 THEN clock_timestamp() ELSE alive_at END
     WHERE hotel_id = $1 RETURNING *`,
    [hotelId, to],
  );
  const [old] = rows;
  if (old === undefined) return undefined;
  if (old['to_server'] !== to) return { kind: 'moving', to: old['to_server'] as string };
  return {
    hotelId,
    moveId: old['move_id'] as bigint,
    from: old['from_server'] as string,
    to,
    isSwitched: old['step'] === 'switched',
  };
}

async function start(
  tx: SqlSession,
  hotelId: string,
  from: string,
  to: string,
  isKnown: boolean,
): Promise<Move | MoveOutcome> {
  if (!isKnown) return { kind: 'unknown-hotel' };
  if (from === to) return { kind: 'there' };
  const { rows } = await tx.query(
    `INSERT INTO hotel_move (hotel_id, move_id, from_server, to_server, step, alive_at)
     VALUES ($1, nextval('hotel_place_version'), $2, $3, 'copying', clock_timestamp()) RETURNING move_id`,
    [hotelId, from, to],
  );
  return { hotelId, moveId: rows[0]!['move_id'] as bigint, from, to, isSwitched: false };
}
