import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { paymentMigrations } from '#payment/migrations.js';
import { parseCurrency } from '#payment/money/currency.js';
import type { Money } from '#payment/money/money.js';
import { openSql } from '#platform/sql/open-sql.js';
import type { Sql } from '#platform/sql/sql.js';

/** An embedded PostgreSQL with the tables of the room `payment`, gone after `dispose`. */
export async function openLedgerDatabase(): Promise<{ readonly sql: Sql; dispose(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'meridian-ledger-'));
  const sql = await openSql(`embedded:${folder}`);
  await sql.migrate('payment', paymentMigrations);
  return {
    sql,
    dispose: async () => {
      await sql.close();
      await rm(folder, { recursive: true });
    },
  };
}

export function eur(minor: bigint | number): Money {
  return { minor: BigInt(minor), currency: parseCurrency('EUR')! };
}
