import type { SqlSession } from '#platform/sql/sql.js';
import { type AccountId, describeAccount } from './accounts.js';

/**
 * Opens the accounts that are not open yet, as the chart describes them. Throws for an id that the chart does
 * not have.
 */
export async function openAccounts(tx: SqlSession, ids: readonly AccountId[]): Promise<void> {
  const described = ids.map((id) => {
    const account = describeAccount(id);
    if (account === undefined) throw new Error(`The chart of accounts does not have ${id}.`);
    return { id, ...account };
  });
  await tx.query(
    // Sorted, so that two calls that open the same accounts do not wait for each other.
    `INSERT INTO ledger_account (id, type, currency, overdraft_refused)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::boolean[]) u(id, type, currency, refused) ORDER BY id
     ON CONFLICT (id) DO NOTHING`,
    [
      described.map(({ id }) => id),
      described.map(({ type }) => type),
      described.map(({ currency }) => currency),
      described.map(({ overdraftRefused }) => overdraftRefused),
    ],
  );
}
