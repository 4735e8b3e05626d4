import type { Money } from '../money/money.js';
import { accountOf, sellerAccount } from './accounts.js';
import type { Leg, Transfer } from './transfer.js';

/**
 * What every transfer about a payment order needs; `cause` is the webhook id, or another source of the
 * change.
 */
interface AboutOrder {
  readonly paymentOrderId: string;
  readonly seller: string;
  readonly amount: Money;
  readonly cause?: string;
}

const causeOf = ({ cause }: AboutOrder): { readonly cause?: string } =>
  cause === undefined ? {} : { cause };

/**
 * The PSP took the buyer's money: it owes it to us and we owe it to the seller, less our `commission`.
 * `pspFee` is what the PSP will withhold; the settlement file is checked against it.
 */
export function captureOf(
  about: AboutOrder & { readonly pspFee?: Money; readonly commission?: Money },
): Transfer {
  const { paymentOrderId, seller, amount, pspFee, commission } = about;
  const { currency } = amount;
  const legs: Leg[] = [
    { debit: accountOf('cash-psp', currency), credit: sellerAccount(seller, currency), amount },
  ];
  if (pspFee !== undefined && pspFee.minor > 0n)
    legs.push({
      debit: accountOf('psp-fees', currency),
      credit: accountOf('psp-fees-due', currency),
      amount: pspFee,
      kind: 'fee',
    });
  if (commission !== undefined && commission.minor > 0n)
    legs.push({
      debit: sellerAccount(seller, currency),
      credit: accountOf('commission', currency),
      amount: commission,
      kind: 'fee',
    });
  return { subject: paymentOrderId, operation: 'capture', kind: 'capture', legs, ...causeOf(about) };
}

/** The PSP gave `amount` back to the buyer, and we give this part of our `commission` back to the seller. */
export function refundOf(
  about: AboutOrder & { readonly refundId: string; readonly commission?: Money },
): Transfer {
  const { paymentOrderId, seller, amount, refundId, commission } = about;
  const { currency } = amount;
  const legs: Leg[] = [
    { debit: sellerAccount(seller, currency), credit: accountOf('cash-psp', currency), amount },
  ];
  if (commission !== undefined && commission.minor > 0n)
    legs.push({
      debit: accountOf('commission', currency),
      credit: sellerAccount(seller, currency),
      amount: commission,
      kind: 'fee',
    });
  return {
    subject: paymentOrderId,
    operation: `refund:${refundId}`,
    kind: 'refund',
    legs,
    ...causeOf(about),
  };
}

/**
 * The buyer's bank disputes the charge: `opened` withdraws the money, `won` brings it back, `lost` takes it
 * from the seller. `won` and `lost` are posted after `opened`; the ledger refuses them as overdrawn before
 * it.
 */
export function disputeOf(
  about: AboutOrder & { readonly disputeId: string; readonly state: 'opened' | 'won' | 'lost' },
): Transfer {
  const { paymentOrderId, seller, amount, disputeId, state } = about;
  const cash = accountOf('cash-psp', amount.currency);
  const disputed = accountOf('disputed', amount.currency);
  const sides = {
    opened: { debit: disputed, credit: cash },
    won: { debit: cash, credit: disputed },
    lost: { debit: sellerAccount(seller, amount.currency), credit: disputed },
  }[state];
  return {
    subject: paymentOrderId,
    operation: `dispute:${disputeId}:${state}`,
    kind: `dispute_${state}`,
    legs: [{ ...sides, amount }],
    ...causeOf(about),
  };
}
