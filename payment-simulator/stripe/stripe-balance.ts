import type { RecordLine, SimulatedPayment } from '../record.js';
import { stripeChargeJson, stripeDisputeJson, stripeRefundJson } from './stripe-objects.js';

type Json = Record<string, unknown>;

/** 1.4 % and 25 of the smallest unit, as a fee that is not zero. */
export const stripeFee = (amount: number): number => Math.min(amount, Math.floor((amount * 14) / 1_000) + 25);
const disputeFee = 1_500;

const dayS = 86_400;

/** A charge two days later, at the beginning of the day; what reduces the balance at once. */
export const availableOn = (category: string, created: number): number =>
  category === 'charge' ? (Math.floor(created / dayS) + 2) * dayS : created;

/** What moved the balance, oldest first, without payouts. */
export function balanceTransactions(record: readonly RecordLine[]): readonly Json[] {
  const captured = new Map<string, SimulatedPayment>();
  const transactions: Json[] = [];
  const add = (
    line: RecordLine,
    category: string,
    amount: number,
    fee: number,
    currency: string,
    source: Json,
  ) =>
    transactions.push({
      id: `txn_${line.seq}`,
      object: 'balance_transaction',
      amount,
      fee,
      net: amount - fee,
      currency: currency.toLowerCase(),
      created: Math.floor(line.atMs / 1_000),
      available_on: availableOn(category, Math.floor(line.atMs / 1_000)),
      exchange_rate: null,
      reporting_category: category,
      type: category.startsWith('dispute') ? 'adjustment' : category,
      source,
    });
  for (const line of record) {
    if (line.kind === 'payment' && line.payment.stripe !== undefined) {
      const { payment } = line;
      if (payment.status !== 'captured' || captured.has(payment.nonce)) continue;
      captured.set(payment.nonce, payment);
      const amount = Number(payment.capturedMinor);
      add(line, 'charge', amount, stripeFee(amount), payment.currency, stripeChargeJson(payment));
    } else if (line.kind === 'refund' && captured.has(line.refund.paymentNonce)) {
      const { refund } = line;
      if (refund.status !== 'refunded') continue;
      add(line, 'refund', -Number(refund.amountMinor), 0, refund.currency, stripeRefundJson(refund));
    } else if (line.kind === 'dispute' && captured.has(line.dispute.paymentNonce)) {
      const { dispute } = line;
      const amount = Number(dispute.amountMinor);
      const source = stripeDisputeJson(dispute);
      if (dispute.status === 'opened') add(line, 'dispute', -amount, disputeFee, dispute.currency, source);
      if (dispute.status === 'won') add(line, 'dispute_reversal', amount, 0, dispute.currency, source);
    }
  }
  return transactions;
}
