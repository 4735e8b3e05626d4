import type { Sql, SqlSession, SqlTransaction } from '#platform/sql/sql.js';
import { shardingLimits } from './limits.js';
import { type MovedTable, movedTables, ofHotel } from './moved-tables.js';

export interface HotelCopy {
  readonly hotelId: string;
  /** Of the fence at the target; every other writer is refused there. */
  readonly moveId: bigint;
  readonly source: Sql;
  readonly target: Sql;
  /** Called between the statements; it may reject to stop. */
  readonly onBatch: () => Promise<void>;
}

/**
 * Makes the rows of the hotel at the target those of one moment at the source. With `since`, which an earlier
 * call returned, it looks only at rows that have changed after that. Returns where the next call begins.
 */
export function copyHotel(copy: HotelCopy, since?: string): Promise<string> {
  const { source, hotelId } = copy;
  return source.transaction(
    async (snapshot) => {
      const tables = await movedTables(snapshot);
      const { rows } = await snapshot.query(
        'SELECT pg_snapshot_xmin(pg_current_snapshot())::xid::text AS xid',
      );
      for (const table of tables) await copyTable(copy, snapshot, table, since);
      for (const table of tables.toReversed()) await removeOthers(copy, snapshot, table);
      const wrong = [];
      for (const table of tables)
        if ((await count(snapshot, table, hotelId)) !== (await count(copy.target, table, hotelId)))
          wrong.push(table.name);
      if (wrong.length > 0)
        throw new Error(`The copy of the hotel ${hotelId} differs in ${wrong.join(', ')}.`);
      return rows[0]!['xid'] as string;
    },
    { isolation: 'repeatable read', attempts: 1 },
  );
}

/** Deletes all rows of the hotel, those of append-only lists included, where the fence has this move. */
export async function deleteHotelRows(sql: Sql, hotelId: string, moveId: bigint): Promise<void> {
  await asMove(sql, moveId, async (tx) => {
    for (const table of (await movedTables(tx)).toReversed())
      await tx.query(`DELETE FROM ${table.name} t WHERE ${ofHotel(table)}`, [hotelId]);
  });
}

async function copyTable(
  { target, hotelId, moveId, onBatch }: HotelCopy,
  snapshot: SqlSession,
  table: MovedTable,
  since: string | undefined,
): Promise<void> {
  const { name, sort } = table;
  // A transaction that was in progress then may have a lower number than some that were over: those rows are
  // copied twice.
  const changed = since === undefined ? '' : 'AND age(t.xmin) <= age($2::xid)';
  await snapshot.query(
    `DECLARE moved NO SCROLL CURSOR FOR SELECT to_jsonb(t)::text AS row FROM ${name} t
     WHERE ${ofHotel(table)} ${changed} ${sort === null ? '' : `ORDER BY ${sort}`}`,
    [hotelId, ...(since === undefined ? [] : [since])],
  );
  for (;;) {
    const { rows } = await snapshot.query(`FETCH ${shardingLimits.rowsAtOnce} FROM moved`);
    if (rows.length === 0) break;
    await onBatch();
    const json = `[${rows.map((row) => row['row'] as string).join(',')}]`;
    await asMove(target, moveId, (tx) => tx.query(storing(table), [json]));
  }
  await snapshot.query('CLOSE moved');
}

function storing({ name, key, columns, settable, primary }: MovedTable): string {
  const list = columns.join(', ');
  const rows = `INSERT INTO ${name} (${list}) OVERRIDING SYSTEM VALUE
    SELECT ${list} FROM jsonb_populate_recordset(NULL::${name}, $1::jsonb) q`;
  if (primary.length === 0)
    return `${rows} WHERE NOT EXISTS (SELECT FROM ${name} t WHERE t.${key} = q.${key} AND
      ${columns.map((column) => `t.${column} IS NOT DISTINCT FROM q.${column}`).join(' AND ')})`;
  const others = settable.filter((column) => !primary.includes(column));
  if (others.length === 0) return `${rows} ON CONFLICT DO NOTHING`;
  return `${rows} ON CONFLICT (${primary.join(', ')}) DO UPDATE SET
    ${others.map((column) => `${column} = EXCLUDED.${column}`).join(', ')}`;
}

/** What was deleted at the source since it was copied. */
async function removeOthers(
  { target, hotelId, moveId }: HotelCopy,
  snapshot: SqlSession,
  table: MovedTable,
): Promise<void> {
  const { name, primary } = table;
  if (primary.length === 0) return;
  if ((await count(snapshot, table, hotelId)) === (await count(target, table, hotelId))) return;
  const { rows } = await snapshot.query(
    `SELECT coalesce(jsonb_agg(jsonb_build_object(${primary.map((column) => `'${column}', t.${column}`).join(', ')})), '[]')::text AS keys
     FROM ${name} t WHERE ${ofHotel(table)}`,
    [hotelId],
  );
  await asMove(target, moveId, (tx) =>
    tx.query(
      `DELETE FROM ${name} t WHERE ${ofHotel(table)} AND NOT EXISTS (
         SELECT FROM jsonb_populate_recordset(NULL::${name}, $2::jsonb) k
         WHERE ${primary.map((column) => `k.${column} = t.${column}`).join(' AND ')})`,
      [hotelId, rows[0]!['keys'] as string],
    ),
  );
}

async function count(sql: SqlSession, table: MovedTable, hotelId: string): Promise<bigint> {
  const { rows } = await sql.query(`SELECT count(*) AS n FROM ${table.name} t WHERE ${ofHotel(table)}`, [
    hotelId,
  ]);
  return rows[0]!['n'] as bigint;
}

const asMove = <Result>(sql: Sql, moveId: bigint, work: (tx: SqlTransaction) => Promise<Result>) =>
  sql.transaction(async (tx) => {
    await tx.query(`SELECT set_config('meridian.move', $1, true)`, [String(moveId)]);
    return work(tx);
  });
