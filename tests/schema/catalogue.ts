import type { SqlSession } from '#platform/sql/sql.js';

/** The content of the schema `public`, one line for each object and for each of its parts that can differ. */
const parts = {
  relations: `
    SELECT concat_ws(' ', relkind, relname, relpersistence, array_to_string(reloptions, ','), relispartition,
      pg_get_expr(relpartbound, oid), pg_get_partkeydef(oid), obj_description(oid, 'pg_class'))
    FROM pg_class WHERE relnamespace = 'public'::regnamespace`,
  // Columns that were dropped leave gaps in the numbers, so the order is counted.
  columns: `
    SELECT concat_ws(' ', c.relname, row_number() OVER (PARTITION BY c.oid ORDER BY a.attnum), a.attname,
      format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attgenerated, l.collname, a.attstorage,
      pg_get_expr(d.adbin, d.adrelid), col_description(c.oid, a.attnum))
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
    LEFT JOIN pg_collation l ON l.oid = a.attcollation
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'c')`,
  // NOT NULL is compared with the columns; PostgreSQL itself names its constraints, and some versions have
  // none.
  constraints: `
    SELECT concat_ws(' ', conrelid::regclass, contypid::regtype, conname, pg_get_constraintdef(oid))
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype <> 'n'`,
  indexes: `
    SELECT pg_get_indexdef(indexrelid) FROM pg_index
    JOIN pg_class c ON c.oid = indexrelid WHERE c.relnamespace = 'public'::regnamespace`,
  views: `
    SELECT concat_ws(' ', relname, pg_get_viewdef(oid)) FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'v'`,
  triggers: `
    SELECT concat_ws(' ', tgenabled, pg_get_triggerdef(t.oid)) FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid
    WHERE c.relnamespace = 'public'::regnamespace AND NOT tgisinternal`,
  functions: `
    SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prokind = 'f'`,
  aggregates: `
    SELECT concat_ws(' ', p.oid::regprocedure, aggtransfn, aggtranstype::regtype, agginitval) FROM pg_proc p
    JOIN pg_aggregate a ON a.aggfnoid = p.oid WHERE pronamespace = 'public'::regnamespace`,
  types: `
    SELECT concat_ws(' ', typname, typtype, format_type(typbasetype, typtypmod), typnotnull, typdefault,
      (SELECT string_agg(enumlabel, ',' ORDER BY enumsortorder) FROM pg_enum WHERE enumtypid = t.oid))
    FROM pg_type t WHERE typnamespace = 'public'::regnamespace AND typtype IN ('e', 'd', 'c')`,
  sequences: `
    SELECT concat_ws(' ', sequencename, data_type, start_value, min_value, max_value, increment_by, cycle)
    FROM pg_sequences WHERE schemaname = 'public'`,
};

export type Catalogue = Readonly<Record<keyof typeof parts, readonly string[]>>;

export async function catalogueOf(sql: SqlSession): Promise<Catalogue> {
  const found: Partial<Record<keyof typeof parts, readonly string[]>> = {};
  for (const [part, query] of Object.entries(parts)) {
    const { rows } = await sql.query<{ line: string }>(`SELECT line FROM (${query}) q(line) ORDER BY line`);
    found[part as keyof typeof parts] = rows.map(({ line }) => line);
  }
  return found as Catalogue;
}
