import type { SqlRow, SqlSession } from '#platform/sql/sql.js';

interface Table {
  readonly oid: number;
  readonly name: string;
  /** Numbers of its columns, which do not change when a column is renamed. */
  readonly columns: readonly number[];
  readonly rows: readonly string[];
}

/** All tables with all their rows as text, without the record of migrations. */
export async function tablesOf(sql: SqlSession): Promise<readonly Table[]> {
  const { rows } = await sql.query<Omit<Table, 'rows'> & SqlRow>(
    `SELECT c.oid::integer, relname AS name, array_agg(attnum::integer ORDER BY attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON attrelid = c.oid AND attnum > 0 AND NOT attisdropped
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> 'schema_migration'
     GROUP BY c.oid ORDER BY relname`,
  );
  const tables: Table[] = [];
  for (const table of rows) tables.push({ ...table, rows: await readRows(sql, table) });
  return tables;
}

export const rowsByName = (tables: readonly Table[]) => new Map(tables.map(({ name, rows }) => [name, rows]));

/** Rows that existed `before` and no longer do, by the columns of that time. */
export async function lostRows(sql: SqlSession, before: readonly Table[]): Promise<readonly string[]> {
  const lost: string[] = [];
  for (const table of before) {
    const after = new Set(await readRows(sql, table));
    lost.push(...table.rows.filter((row) => !after.has(row)).map((row) => `${table.name} ${row}`));
  }
  return lost;
}

async function readRows(
  sql: SqlSession,
  { oid, columns }: Omit<Table, 'rows' | 'name'>,
): Promise<readonly string[]> {
  const { rows: names } = await sql.query<{ relation: string; columns: string }>(
    `SELECT attrelid::regclass::text AS relation, string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS columns
     FROM pg_attribute WHERE attrelid = $1 AND attnum = ANY ($2::integer[]) GROUP BY attrelid`,
    [oid, columns],
  );
  const { relation, columns: list } = names[0]!;
  const { rows } = await sql.query<{ row: string }>(
    `SELECT t::text AS row FROM (SELECT ${list} FROM ${relation}) t ORDER BY row`,
  );
  return rows.map(({ row }) => row);
}
