import type { SqlSession } from '#platform/sql/sql.js';

interface TableRows {
  readonly columns: string;
  readonly rows: readonly string[];
}

/** All rows of all tables as text, without the record of migrations. */
export async function rowsOf(sql: SqlSession): Promise<ReadonlyMap<string, TableRows>> {
  const { rows: tables } = await sql.query<{ name: string; columns: string }>(
    `SELECT relname AS name, string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON attrelid = c.oid AND attnum > 0 AND NOT attisdropped
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> 'schema_migration'
     GROUP BY relname ORDER BY relname`,
  );
  const found = new Map<string, TableRows>();
  for (const { name, columns } of tables)
    found.set(name, { columns, rows: await readRows(sql, name, columns) });
  return found;
}

/** Rows that were there `before` and are not there any more, by the columns of that time. */
export async function lostRows(
  sql: SqlSession,
  before: ReadonlyMap<string, TableRows>,
): Promise<readonly string[]> {
  const lost: string[] = [];
  for (const [name, { columns, rows }] of before) {
    const after = new Set(await readRows(sql, name, columns));
    lost.push(...rows.filter((row) => !after.has(row)).map((row) => `${name} ${row}`));
  }
  return lost;
}

async function readRows(sql: SqlSession, name: string, columns: string): Promise<readonly string[]> {
  const { rows } = await sql.query<{ row: string }>(
    `SELECT t::text AS row FROM (SELECT ${columns} FROM ${name}) t ORDER BY row`,
  );
  return rows.map(({ row }) => row);
}
