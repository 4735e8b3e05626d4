import type { Migration } from '#platform/sql/sql.js';
import { ledgerMigrations } from './ledger/migrations.js';
import { orderMigrations } from './orders/migrations.js';
import { payoutMigrations } from './payouts/migrations.js';
import { reconciliationMigrations } from './reconciliation/migrations.js';
import { walletMigrations } from './wallet/migrations.js';

/**
 * The history `payment`: made as 0001–0049 money, 0050–0069 orders; from 0070 on in the order in which they
 * came.
 */
export const paymentMigrations: readonly Migration[] = [
  ...ledgerMigrations,
  ...walletMigrations,
  ...payoutMigrations,
  ...reconciliationMigrations,
  ...orderMigrations,
].toSorted((one, other) => (one.name < other.name ? -1 : 1));
