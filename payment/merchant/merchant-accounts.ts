import { type Sql, type SqlSession, sqlState } from '#platform/sql/sql.js';

/** A seller account, and the merchant whose tokens read it. */
export interface MerchantAccount {
  readonly sellerAccount: string;
  readonly merchantId: string;
  readonly assignedBy: string;
  readonly assignedAt: Date;
  readonly reason: string;
}

export interface Assignment {
  readonly merchantId: string;
  readonly sellerAccount: string;
  readonly who: string;
  readonly why: string;
  readonly now: Date;
  /** Accounts that the merchant may have. */
  readonly most: number;
}

/** `full`: the merchant has as many accounts as one may have. */
export type Assigned = 'assigned' | 'repeated' | 'of another merchant' | 'full';

/** A seller account belongs to one merchant at a time; it must be removed before it is given to another. */
export async function assignAccount(sql: Sql, assignment: Assignment): Promise<Assigned> {
  const { merchantId, sellerAccount, who, why, now, most } = assignment;
  try {
    return await sql.transaction(async (tx) => {
      await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`merchant ${merchantId}`]);
      const accounts = await accountsOf(tx, merchantId);
      if (accounts.includes(sellerAccount)) return 'repeated';
      if (accounts.length >= most) return 'full';
      await tx.query(
        `INSERT INTO merchant_account (seller_account, merchant_id, assigned_by, assigned_at, reason)
         VALUES ($1, $2, $3, $4, $5)`,
        [sellerAccount, merchantId, who, now, why],
      );
      return 'assigned';
    });
  } catch (error) {
    if (sqlState(error) !== '23505') throw error;
    return 'of another merchant';
  }
}

/** The record of the assignment stays. False if nobody has the account. */
export async function removeAccount(
  session: SqlSession,
  { sellerAccount, who, why, now }: Omit<Assignment, 'merchantId' | 'most'>,
): Promise<boolean> {
  const { rowCount } = await session.query(
    `UPDATE merchant_account SET removed_by = $2, removed_at = $3, removal_reason = $4
     WHERE seller_account = $1 AND removed_at IS NULL`,
    [sellerAccount, who, now, why],
  );
  return rowCount === 1;
}

/** In the order of their names. */
export async function accountsOf(session: SqlSession, merchantId: string): Promise<readonly string[]> {
  const { rows } = await session.query<{ readonly seller_account: string }>(
    `SELECT seller_account FROM merchant_account WHERE merchant_id = $1 AND removed_at IS NULL
     ORDER BY seller_account`,
    [merchantId],
  );
  return rows.map((row) => row.seller_account);
}

/** In the order of their assignments, those after `after`. */
export async function listAccounts(
  session: SqlSession,
  { after, limit }: { readonly after: bigint; readonly limit: number },
): Promise<ReadonlyArray<MerchantAccount & { readonly assignmentNo: bigint }>> {
  const { rows } = await session.query<{
    readonly assignment_no: bigint;
    readonly seller_account: string;
    readonly merchant_id: string;
    readonly assigned_by: string;
    readonly assigned_at: Date;
    readonly reason: string;
  }>(
    `SELECT * FROM merchant_account WHERE removed_at IS NULL AND assignment_no > $1
     ORDER BY assignment_no LIMIT $2`,
    [after, limit],
  );
  return rows.map((row) => ({
    assignmentNo: row.assignment_no,
    sellerAccount: row.seller_account,
    merchantId: row.merchant_id,
    assignedBy: row.assigned_by,
    assignedAt: row.assigned_at,
    reason: row.reason,
  }));
}
