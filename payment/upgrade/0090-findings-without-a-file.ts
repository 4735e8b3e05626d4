import type { UpgradeStep } from '#platform/sql/sql.js';

/** A refused refund is a finding of no settlement file. */
export const findingsWithoutAFile: UpgradeStep = {
  name: '0090-findings-without-a-file',
  sql: 'ALTER TABLE reconciliation_finding ALTER COLUMN file_no DROP NOT NULL;',
};
