import type { Migration } from '#platform/sql/sql.js';
import { ledgerMigrations } from './ledger/migrations.js';
import { orderMigrations } from './orders/migrations.js';
import { payoutMigrations } from './payouts/migrations.js';
import { reconciliationMigrations } from './reconciliation/migrations.js';
import { walletMigrations } from './wallet/migrations.js';

/** The history `payment`: 0001–0049 money, 0050–0099 orders. */
export const paymentMigrations: readonly Migration[] = [
  ...ledgerMigrations,
  ...walletMigrations,
  ...payoutMigrations,
  ...reconciliationMigrations,
  ...orderMigrations,
];
