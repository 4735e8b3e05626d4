import type { UpgradeStep } from '#platform/sql/sql.js';
import { ledgerPosting } from '../schema/ledger-posting.js';
import { ledgerReads } from '../schema/ledger-reads.js';
import { ledgerTables } from '../schema/ledger-tables.js';
import { wallet } from '../schema/wallet.js';

/** Functions name tables and columns in their text, so they are written again as the baseline has them. */
const functions = [ledgerPosting, ledgerReads, wallet]
  .flatMap((sql) => sql.match(/^CREATE FUNCTION .*?\$\$;$/gms) ?? [])
  .map((text) => text.replace('CREATE', 'CREATE OR REPLACE'));
const comments = ledgerTables.match(/^COMMENT ON .*?';$/gms) ?? [];

/** The ledger in the terms of docs/glossary.md. */
export const standardNames: UpgradeStep = {
  name: '0100-standard-names',
  sql: `
LOCK TABLE ledger_tip IN ACCESS EXCLUSIVE MODE;
ALTER TABLE ledger_tip RENAME TO ledger_chain_head;
ALTER INDEX ledger_tip_is_one RENAME TO ledger_chain_head_is_one;
ALTER TABLE ledger_state RENAME TO ledger_account_balance;
ALTER TABLE ledger_account_balance RENAME CONSTRAINT stands_somewhere TO ledger_account_balance_pkey;
ALTER TABLE ledger_account_balance RENAME COLUMN stood_batch TO history_batch;
ALTER TABLE ledger_account_balance RENAME COLUMN room TO padding;
ALTER TABLE ledger_standing RENAME TO ledger_balance_history;
ALTER TABLE ledger_balance_history RENAME CONSTRAINT stood_once TO ledger_balance_history_pkey;
ALTER TABLE ledger_transfer RENAME COLUMN place TO batch_sequence;
ALTER VIEW ledger_head RENAME TO ledger_trial_balance;
ALTER FUNCTION ledger_opens_head RENAME TO ledger_opens_balance;
ALTER TRIGGER opens_head ON ledger_account RENAME TO opens_balance;
${[...functions, ...comments].join('\n')}
`,
};
