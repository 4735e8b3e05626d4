import type { SqlSession, SqlTransaction } from '#platform/sql/sql.js';
import { type PaymentOrderChanged, paymentChange, paymentStatusNumber } from '#schemas/messages.js';
import { paymentOrderLifecycle } from '#schemas/topics.js';
import type { AccountCache } from '../ledger/account-cache.js';
import { sellerAccount } from '../ledger/accounts.js';
import { keyOf } from '../ledger/check-transfers.js';
import { post } from '../ledger/ledger.js';
import { captureOf, disputeOf, refundOf } from '../ledger/payment-transfers.js';
import type { Transfer } from '../ledger/transfer.js';
import { parseCurrency } from '../money/currency.js';
import { addAllToOutbox } from '../outbox/outbox.js';
import { advanceWallets } from '../wallet/wallet.js';
import { finishEvents } from './finish-event.js';

export type Booked =
  | { readonly kind: 'booked' }
  /** The change moves no money. */
  | { readonly kind: 'nothing to book' }
  /** A prerequisite is missing so far. */
  | { readonly kind: 'not yet'; readonly reason: string }
  /** The ledger refuses it for good. */
  | { readonly kind: 'refused'; readonly reason: string };

/** The transfer that a change of an order means, or nothing. Pure. */
export function transferOf(change: PaymentOrderChanged): Transfer | undefined {
  const currency = parseCurrency(change.currency);
  if (currency === undefined) return undefined;
  const about = {
    paymentOrderId: change.paymentOrderId,
    seller: change.sellerAccount,
    amount: { minor: BigInt(change.amountMinor), currency },
    cause: `${change.eventId} ${change.pspReference}`.trim().slice(0, 160),
  };
  const fee = { minor: BigInt(change.feeMinor ?? 0), currency };
  switch (change.kind) {
    case paymentChange.succeeded:
    case paymentChange.capturedLate:
      return captureOf({ ...about, commission: fee });
    case paymentChange.refunded:
      return refundOf({ ...about, refundId: change.subjectId, commission: fee });
    case paymentChange.disputeOpened:
      return disputeOf({ ...about, disputeId: change.subjectId, state: 'opened' });
    case paymentChange.disputeWon:
      return disputeOf({ ...about, disputeId: change.subjectId, state: 'won' });
    case paymentChange.disputeLost:
      return disputeOf({ ...about, disputeId: change.subjectId, state: 'lost' });
    default:
      return undefined;
  }
}

/**
 * Posts changes to the ledger and marks their orders as posted, in one transaction; the same changes again
 * have no effect. If the ledger refuses one, the others are not posted: the answer is `refused` for the
 * refused ones and nothing is done, so call again without them.
 */
export async function bookInLedger(
  tx: SqlTransaction,
  changes: readonly PaymentOrderChanged[],
  nowMs: number,
  known?: AccountCache,
): Promise<readonly Booked[]> {
  const transfers = changes.map(transferOf);
  const moving = transfers.filter((transfer) => transfer !== undefined);
  const outcome = await post(tx, moving, known === undefined ? {} : { known });
  if (outcome.kind === 'refused') {
    const reasons = new Map(outcome.refusals.map((refusal) => [keyOf(refusal), refusal.detail]));
    return transfers.map((transfer): Booked => {
      const reason = transfer && reasons.get(keyOf(transfer));
      if (reason !== undefined) return { kind: 'refused', reason };
      return transfer === undefined
        ? { kind: 'nothing to book' }
        : { kind: 'not yet', reason: 'Another one was refused.' };
    });
  }
  const refunds = changes
    .filter(({ kind }) => kind === paymentChange.refunded)
    .map(({ subjectId }) => subjectId);
  if (refunds.length > 0)
    await tx.query('UPDATE payment_refunds SET ledger_updated = true WHERE refund_id = ANY ($1::text[])', [
      refunds,
    ]);
  await flag(tx, changes.filter(isCapture), 'ledger_updated', nowMs);
  return transfers.map((transfer) => ({ kind: transfer === undefined ? 'nothing to book' : 'booked' }));
}

/**
 * Updates the sellers' wallets from the ledger. Only for changes that `areInLedger`: the flag of a capture
 * says that the wallet has it, too.
 */
export async function bookInWallet(
  tx: SqlSession,
  changes: readonly PaymentOrderChanged[],
  nowMs: number,
): Promise<void> {
  const accounts = changes.map(({ sellerAccount: seller, currency }) =>
    sellerAccount(seller, parseCurrency(currency)!),
  );
  await advanceWallets(tx, [...new Set(accounts)]);
  await flag(tx, changes.filter(isCapture), 'wallet_updated', nowMs);
}

const isCapture = ({ kind }: PaymentOrderChanged): boolean =>
  kind === paymentChange.succeeded || kind === paymentChange.capturedLate;

/**
 * Whether the ledger has a capture or a refund; other changes need not wait for it. The ledger is
 * append-only, so no lock is needed.
 */
export async function areInLedger(
  session: SqlSession,
  changes: readonly PaymentOrderChanged[],
): Promise<readonly boolean[]> {
  const captures = changes.filter(isCapture);
  const refunds = changes.filter(({ kind }) => kind === paymentChange.refunded);
  if (captures.length === 0 && refunds.length === 0) return changes.map(() => true);
  const { rows } = await session.query<{ readonly id: string }>(
    `SELECT payment_order_id AS id FROM payment_orders WHERE payment_order_id = ANY ($1::text[]) AND ledger_updated
     UNION ALL
     SELECT refund_id FROM payment_refunds WHERE refund_id = ANY ($2::text[]) AND ledger_updated`,
    [captures.map(({ paymentOrderId }) => paymentOrderId), refunds.map(({ subjectId }) => subjectId)],
  );
  const found = new Set(rows.map(({ id }) => id));
  const isThere = (change: PaymentOrderChanged): boolean => {
    if (isCapture(change)) return found.has(change.paymentOrderId);
    return change.kind !== paymentChange.refunded || found.has(change.subjectId);
  };
  return changes.map(isThere);
}

/**
 * The flags are never reset. The second of the two ends the payment event and announces that the money has
 * arrived everywhere.
 */
async function flag(
  tx: SqlSession,
  changes: readonly PaymentOrderChanged[],
  column: 'ledger_updated' | 'wallet_updated',
  nowMs: number,
): Promise<void> {
  if (changes.length === 0) return;
  const byId = new Map(changes.map((change) => [change.paymentOrderId, change]));
  // In one order, so that ledger and wallet, which flag the same orders, do not wait for each other.
  const { rows } = await tx.query<{
    readonly id: string;
    readonly version: bigint;
    readonly settled: boolean;
  }>(
    `WITH mine AS (
       SELECT payment_order_id FROM payment_orders WHERE payment_order_id = ANY ($1::text[]) AND NOT ${column}
       ORDER BY payment_order_id FOR UPDATE)
     UPDATE payment_orders o SET ${column} = true, version = version + 1, changed_at = $2
     FROM mine WHERE o.payment_order_id = mine.payment_order_id
     RETURNING o.payment_order_id AS id, o.version, o.ledger_updated AND o.wallet_updated AS settled`,
    [[...byId.keys()], new Date(nowMs)],
  );
  const settled = rows.filter((row) => row.settled).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  await finishEvents(
    tx,
    settled.map(({ id }) => byId.get(id)!.checkoutId),
  );
  const events = settled
    .map(({ id, version }) => ({ change: byId.get(id)!, version: Number(version) }))
    .filter(({ change }) => change.status === paymentStatusNumber.SUCCESS)
    .map(({ change, version }) => ({
      key: change.paymentOrderId,
      message: {
        ...change,
        eventId: `${change.paymentOrderId}:${version}`,
        kind: paymentChange.settled,
        sequence: version,
        reason: 'settled',
        subjectId: '',
        occurredMs: nowMs,
      },
    }));
  await addAllToOutbox(tx, paymentOrderLifecycle.name, events);
}
