import type { UpgradeStep } from '#platform/sql/sql.js';

/** Entries on sellers need a second person; what was decided before stays as it is. */
export const secondPersonForSellers: UpgradeStep = {
  name: '0082-second-person-for-entries-on-sellers',
  sql: `
-- Not of what was decided before.
ALTER TABLE finance_decision ADD CONSTRAINT sellers_need_a_second_person
  CHECK (needs_second OR coalesce(debit, '') NOT LIKE 'seller:%' AND coalesce(credit, '') NOT LIKE 'seller:%')
  NOT VALID;
`,
};
