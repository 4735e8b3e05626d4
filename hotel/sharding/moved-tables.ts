import type { SqlRow, SqlSession } from '#platform/sql/sql.js';

/** A table with rows of hotels. */
export interface MovedTable extends SqlRow {
  readonly name: string;
  readonly key: string;
  readonly sort: string | null;
  /** All but generated ones, quoted. */
  readonly columns: readonly string[];
  /** Those of them that an update may set. */
  readonly settable: readonly string[];
  /** Of the primary key, quoted; empty where there is none. */
  readonly primary: readonly string[];
}

/** What moves with a hotel, in the order in which rows are added. */
export async function movedTables(sql: SqlSession): Promise<readonly MovedTable[]> {
  const { rows } = await sql.query<MovedTable>(
    `SELECT m.name, m.key, m.sort,
       ARRAY(SELECT quote_ident(attname) FROM pg_attribute WHERE attrelid = m.name::regclass
         AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum) AS columns,
       ARRAY(SELECT quote_ident(attname) FROM pg_attribute WHERE attrelid = m.name::regclass
         AND attnum > 0 AND NOT attisdropped AND attgenerated = '' AND attidentity = '') AS settable,
       ARRAY(SELECT quote_ident(a.attname) FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid
         AND a.attnum = ANY (i.indkey) WHERE i.indrelid = m.name::regclass AND i.indisprimary
         ORDER BY a.attnum) AS primary
     FROM hotel_moved_table m ORDER BY m.position`,
  );
  return rows;
}

/** Rows of the table as `t` that belong to the hotel `$1`. */
export function ofHotel({ key }: MovedTable): string {
  if (key === 'hotel_id') return 't.hotel_id = $1';
  const ours = `t.${key} IN (SELECT r.reservation_id FROM reservation r WHERE r.hotel_id = $1)`;
  return key === 'subject' ? `(t.subject = $1 OR ${ours})` : ours;
}
