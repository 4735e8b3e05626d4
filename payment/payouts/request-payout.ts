import type { Sql, SqlTransaction } from '#platform/sql/sql.js';
import type { Money } from '../money/money.js';
import { createPayout } from './create-payouts.js';
import { type Payout, payoutOf } from './payout.js';

export interface PayoutRequest {
  readonly caller: string;
  readonly key: string;
  readonly fingerprint: Uint8Array;
  readonly payoutId: string;
  readonly sellerAccount: string;
  readonly amount: Money;
  readonly reason: string;
  readonly now: Date;
}

export type PayoutRequested =
  | { readonly kind: 'accepted'; readonly payout: Payout }
  | { readonly kind: 'replayed'; readonly payout: Payout; readonly mismatch: boolean }
  | { readonly kind: 'conflict' | 'insufficient' };

const operation = 'POST /v1/payouts';

/** A refusal releases the key, so that the caller can correct the request. */
class Refused extends Error {
  readonly outcome: 'conflict' | 'insufficient';

  constructor(outcome: 'conflict' | 'insufficient') {
    super(outcome);
    this.outcome = outcome;
  }
}

/**
 * Key, pay-out and reservation in one transaction: the key's unique constraint makes the second of two equal
 * requests wait and replay.
 */
export async function requestPayout(sql: Sql, request: PayoutRequest): Promise<PayoutRequested> {
  try {
    return await sql.transaction((tx) => store(tx, request));
  } catch (error) {
    if (error instanceof Refused) return { kind: error.outcome };
    throw error;
  }
}

async function store(tx: SqlTransaction, request: PayoutRequest): Promise<PayoutRequested> {
  const { caller, key, fingerprint, payoutId, sellerAccount, amount, reason, now } = request;
  const { rowCount } = await tx.query(
    `INSERT INTO payment_requests (caller, operation, idempotency_key, fingerprint, resource_id, created_at, answered_at)
     VALUES ($1, $2, $3, $4, $5, $6, $6) ON CONFLICT DO NOTHING`,
    [caller, operation, key, fingerprint, payoutId, now],
  );
  if (rowCount === 0) {
    const { rows } = await tx.query<{ fingerprint: Uint8Array; resource_id: string }>(
      'SELECT fingerprint, resource_id FROM payment_requests ' +
        'WHERE caller = $1 AND operation = $2 AND idempotency_key = $3',
      [caller, operation, key],
    );
    const payout = (await payoutOf(tx, rows[0]!.resource_id))!;
    return { kind: 'replayed', payout, mismatch: Buffer.compare(rows[0]!.fingerprint, fingerprint) !== 0 };
  }
  const created = await createPayout(tx, {
    payoutId,
    sellerAccount,
    amount,
    reason,
    requestedBy: caller,
    now,
  });
  switch (created.kind) {
    case 'created':
      return { kind: 'accepted', payout: created.payout };
    case 'existing':
      return { kind: 'replayed', payout: created.payout, mismatch: false };
    case 'conflict':
    case 'insufficient':
      throw new Refused(created.kind);
  }
}
