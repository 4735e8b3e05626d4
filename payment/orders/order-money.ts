import type { SqlSession } from '#platform/sql/sql.js';

/** The amounts of one payment order: captured, refunded, disputed. */
export interface OrderMoney {
  /** Of two reads, the one with the higher version is newer. */
  readonly version: number;
  readonly capturedMinor: bigint;
  /** Refunds that were paid out or are on their way. */
  readonly refundingMinor: bigint;
  /** Of these, what was paid out. */
  readonly refundedMinor: bigint;
  /** What the buyer's bank took back, for a while or for good. */
  readonly disputedMinor: bigint;
  /** What can still be refunded. */
  readonly leftMinor: bigint;
  /** Of `refundingMinor`, the refunds that were named. */
  readonly namedMinor: bigint;
}

/**
 * Reads in one snapshot; undefined if the order does not exist. `refundIds` are the refunds that `namedMinor`
 * counts.
 */
export async function readOrderMoney(
  session: SqlSession,
  paymentOrderId: string,
  refundIds: readonly string[] = [],
): Promise<OrderMoney | undefined> {
  const { rows } = await session.query<{
    readonly version: bigint;
    readonly captured: bigint;
    readonly refunding: bigint;
    readonly refunded: bigint;
    readonly disputed: bigint;
    readonly named: bigint;
  }>(
    `SELECT o.version, o.captured_minor AS captured, o.refunding_minor AS refunding,
       o.refunded_minor AS refunded,
       (SELECT coalesce(sum(d.amount_minor), 0)::bigint FROM payment_disputes d
        WHERE d.payment_order_id = o.payment_order_id AND d.dispute_status <> 'WON') AS disputed,
       (SELECT coalesce(sum(r.amount_minor), 0)::bigint FROM payment_refunds r
        WHERE r.refund_id = ANY ($2::text[]) AND r.payment_order_id = o.payment_order_id
          AND r.refund_status <> 'FAILED') AS named
     FROM payment_orders o WHERE o.payment_order_id = $1`,
    [paymentOrderId, refundIds],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const left = row.captured - row.refunding - row.disputed;
  return {
    version: Number(row.version),
    capturedMinor: row.captured,
    refundingMinor: row.refunding,
    refundedMinor: row.refunded,
    disputedMinor: row.disputed,
    // After a refund the bank may take back the whole charge: then more was returned than captured.
    leftMinor: left > 0n ? left : 0n,
    namedMinor: row.named,
  };
}
