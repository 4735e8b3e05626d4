import type { Migration, Sql } from '#platform/sql/sql.js';

/** A ledger in its own schema; `change` edits its tables and functions before they are created. */
export async function ledgerIn(
  sql: Sql,
  schema: string,
  migrations: readonly Migration[],
  change: (ddl: string) => string = (ddl) => ddl,
): Promise<Sql> {
  const within: Sql = {
    ...sql,
    query: (text, values) => within.transaction((tx) => tx.query(text, values)),
    copyIn: (statement, work) => sql.copyIn(`SET LOCAL search_path TO ${schema}; ${statement}`, work),
    transaction: (work, options) =>
      sql.transaction(async (tx) => {
        await tx.query(`SET LOCAL search_path TO ${schema}`);
        return work(tx);
      }, options),
  };
  await sql.query(`CREATE SCHEMA ${schema}`);
  await within.query(change(migrations.map(({ sql: ddl }) => ddl).join('')));
  return within;
}

/** Starts another block from here on each time that this many transfers are full. */
export async function inBlocksOf(ledger: Sql, transfers: number): Promise<void> {
  await ledger.query(
    `CREATE OR REPLACE FUNCTION ledger_block_transfers() RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT ${transfers}::bigint'`,
  );
}
