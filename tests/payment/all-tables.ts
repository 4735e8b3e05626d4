import type { Sql } from '#platform/sql/sql.js';

/** A digest of the rows of each table, except those that are named. */
export async function allTables(sql: Sql, ...except: string[]): Promise<Readonly<Record<string, string>>> {
  const { rows } = await sql.query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_class c
     WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace ORDER BY name`,
  );
  const digests: Record<string, string> = {};
  for (const { name } of rows.filter((table) => !except.includes(table.name))) {
    const all = await sql.query<{ digest: string }>(
      `SELECT count(*) || ' ' || md5(coalesce(string_agg(t::text, E'\\n' ORDER BY t::text), '')) AS digest FROM ${name} t`,
    );
    digests[name] = all.rows[0]!.digest;
  }
  return digests;
}
