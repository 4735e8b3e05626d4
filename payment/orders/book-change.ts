import type { SqlSession } from '#platform/sql/sql.js';
import { type PaymentOrderChanged, paymentChange, paymentStatusNumber } from '#schemas/messages.js';
import { paymentOrderLifecycle } from '#schemas/topics.js';
import { sellerAccount } from '../ledger/accounts.js';
import { post } from '../ledger/ledger.js';
import { captureOf, disputeOf, refundOf } from '../ledger/payment-transfers.js';
import type { Transfer } from '../ledger/transfer.js';
import { parseCurrency } from '../money/currency.js';
import { tell } from '../outbox/outbox.js';
import { advanceWallets } from '../wallet/wallet.js';
import { finishEvent } from './finish-event.js';
import { readOrder } from './order.js';

export type Booked =
  | { readonly kind: 'booked' }
  /** The change moves no money. */
  | { readonly kind: 'nothing to book' }
  /** What must come first is not there yet. */
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
  switch (change.kind) {
    case paymentChange.succeeded:
    case paymentChange.capturedLate:
      return captureOf(about);
    case paymentChange.refunded:
      return refundOf({ ...about, refundId: change.subjectId });
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

/** Posts a change to the ledger and says so on the order, in one transaction; the same change again has no effect. */
export async function bookInLedger(
  tx: SqlSession,
  change: PaymentOrderChanged,
  nowMs: number,
): Promise<Booked> {
  const transfer = transferOf(change);
  if (transfer === undefined) return { kind: 'nothing to book' };
  const outcome = await post(tx, [transfer]);
  if (outcome.kind === 'refused')
    return { kind: 'refused', reason: outcome.refusals.map(({ detail }) => detail).join(' ') };
  if (change.kind === paymentChange.refunded)
    await tx.query('UPDATE payment_refunds SET ledger_updated = true WHERE refund_id = $1', [
      change.subjectId,
    ]);
  else if (isCapture(change)) await flag(tx, change, 'ledger_updated', nowMs);
  return { kind: 'booked' };
}

/** Brings the seller's wallet to where the ledger stands. A capture that the ledger does not have yet is waited for. */
export async function bookInWallet(
  tx: SqlSession,
  change: PaymentOrderChanged,
  nowMs: number,
): Promise<Booked> {
  const transfer = transferOf(change);
  const currency = parseCurrency(change.currency);
  if (transfer === undefined || currency === undefined) return { kind: 'nothing to book' };
  if (!(await isBooked(tx, change)))
    return { kind: 'not yet', reason: `The ledger has not booked ${change.eventId} yet.` };
  await advanceWallets(tx, [sellerAccount(change.sellerAccount, currency)]);
  if (isCapture(change)) await flag(tx, change, 'wallet_updated', nowMs);
  return { kind: 'booked' };
}

const isCapture = ({ kind }: PaymentOrderChanged): boolean =>
  kind === paymentChange.succeeded || kind === paymentChange.capturedLate;

async function isBooked(tx: SqlSession, change: PaymentOrderChanged): Promise<boolean> {
  if (change.kind === paymentChange.refunded) {
    const { rows } = await tx.query<{ readonly booked: boolean }>(
      'SELECT ledger_updated AS booked FROM payment_refunds WHERE refund_id = $1',
      [change.subjectId],
    );
    return rows[0]?.booked === true;
  }
  if (!isCapture(change)) return true;
  return (await readOrder(tx, change.paymentOrderId))?.ledgerUpdated === true;
}

/** The flags never go back. The last of the two ends the payment event and tells that the money has arrived everywhere. */
async function flag(
  tx: SqlSession,
  change: PaymentOrderChanged,
  column: 'ledger_updated' | 'wallet_updated',
  nowMs: number,
): Promise<void> {
  const { rows } = await tx.query<{ readonly version: bigint; readonly settled: boolean }>(
    `UPDATE payment_orders SET ${column} = true, version = version + 1, changed_at = $2
     WHERE payment_order_id = $1 AND NOT ${column} RETURNING version, ledger_updated AND wallet_updated AS settled`,
    [change.paymentOrderId, new Date(nowMs)],
  );
  const [row] = rows;
  if (row?.settled !== true) return;
  await finishEvent(tx, change.checkoutId);
  if (change.status !== paymentStatusNumber.SUCCESS) return;
  await tell(tx, paymentOrderLifecycle.name, change.paymentOrderId, {
    ...change,
    eventId: `${change.paymentOrderId}:${row.version}`,
    kind: paymentChange.settled,
    sequence: Number(row.version),
    reason: 'settled',
    subjectId: '',
    occurredMs: nowMs,
  });
}
