import type { SqlSession } from '#platform/sql/sql.js';
import type { AccountId } from './accounts.js';
import { textArray } from './array-literal.js';
import { openAccounts } from './open-accounts.js';
import type { Head } from './place-transfers.js';
import type { Transfer } from './transfer.js';

/**
 * The balances of all accounts of the transfers, from the cache where it has them, else from the database.
 * New accounts are opened.
 */
export async function headsOf(
  tx: SqlSession,
  transfers: readonly Transfer[],
  known: ReadonlyMap<AccountId, Head>,
): Promise<ReadonlyMap<AccountId, Head>> {
  // A copy, because another call of the same poster may discard the cache.
  const heads = new Map<AccountId, Head>();
  const unknown = new Set<AccountId>();
  const look = (id: AccountId) => {
    const head = known.get(id);
    if (head === undefined) unknown.add(id);
    else heads.set(id, head);
  };
  for (const { legs } of transfers)
    for (const { debit, credit } of legs) {
      look(debit);
      look(credit);
    }
  if (unknown.size === 0) return heads;
  await readHeads(tx, [...unknown], heads);
  const unopened = [...unknown].filter((id) => !heads.has(id));
  if (unopened.length > 0) {
    await openAccounts(tx, unopened);
    await readHeads(tx, unopened, heads);
  }
  return heads;
}

const columns = [
  'account_no',
  'side',
  'overdraft_refused',
  'sequence',
  'balance',
  'pending_debit',
  'pending_credit',
];

/** One row of arrays, in the order of the ids: a driver takes far longer for a thousand rows. */
async function readHeads(
  tx: SqlSession,
  ids: readonly AccountId[],
  into: Map<AccountId, Head>,
): Promise<void> {
  const { rows } = await tx.query<Record<string, string>>(
    `SELECT ${columns.map((name) => `array_agg(h.${name} ORDER BY u.n)::text AS ${name}`).join()}
     FROM unnest($1::text[]) WITH ORDINALITY u(id, n)
     LEFT JOIN LATERAL (SELECT * FROM ledger_trial_balance h WHERE h.id = u.id OFFSET 0) h ON true`,
    [textArray(ids)],
  );
  const [numbers, sides, refused, sequences, balances, debits, credits] = columns.map((name) =>
    rows[0]![name]!.slice(1, -1).split(','),
  ) as [string[], string[], string[], string[], string[], string[], string[]];
  for (const [n, id] of ids.entries()) {
    if (numbers[n] === 'NULL') continue;
    into.set(id, {
      accountNo: Number(numbers[n]),
      side: BigInt(sides[n]!),
      overdraftRefused: refused[n] === 't',
      sequence: Number(sequences[n]),
      balance: BigInt(balances[n]!),
      pendingDebit: BigInt(debits[n]!),
      pendingCredit: BigInt(credits[n]!),
    });
  }
}
