import { paymentMigrations } from '#payment/migrations.js';
import { parseCurrency } from '#payment/money/currency.js';
import type { Money } from '#payment/money/money.js';
import { openDatabase, type TestDatabase } from '../shared-postgres.js';

/** A database with the tables of payments, removed after `dispose`. */
export const openLedgerDatabase = (): Promise<TestDatabase> => openDatabase('payment', paymentMigrations);

export function eur(minor: bigint | number): Money {
  return { minor: BigInt(minor), currency: parseCurrency('EUR')! };
}
