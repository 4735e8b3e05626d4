import { type AccountId, accountOf, describeAccount, sellerAccount } from '../ledger/accounts.js';
import type { Leg } from '../ledger/transfer.js';
import { formatMoney, type Money } from '../money/money.js';
import type { Finding } from './finding.js';

/** What an entry about a finding may move: this amount, between two of these accounts. */
export interface EntryBounds {
  readonly amount: Money;
  readonly accounts: readonly AccountId[];
}

/**
 * An entry explains its finding and nothing else: it moves what the two sides differ by, between the
 * accounts of the operation and those where differences are kept. No entry reaches our bank account or
 * another seller.
 */
export function entryBoundsOf(finding: Finding): EntryBounds {
  const { currency, operation = '', seller } = finding;
  const account = (name: Parameters<typeof accountOf>[0]) => accountOf(name, currency);
  return {
    amount: { minor: stakeOf(finding), currency },
    accounts: [
      account('cash-psp'),
      account('differences'),
      account('settlement-difference'),
      account('psp-suspense'),
      account('psp-fees'),
      account('psp-fees-due'),
      ...(operation.startsWith('dispute:') ? [account('disputed')] : []),
      ...(seller === undefined ? [] : [sellerAccount(seller, currency)]),
    ],
  };
}

/** How the entry leaves the bounds of its finding; undefined if it does not. */
export function outsideOf(
  { amount, accounts }: EntryBounds,
  entry: Pick<Leg, 'debit' | 'credit' | 'amount'>,
): string | undefined {
  if (entry.amount.currency !== amount.currency)
    return `The finding is in ${amount.currency}, the entry in ${entry.amount.currency}.`;
  if (entry.amount.minor !== amount.minor)
    return `The entry must move exactly ${formatMoney(amount)} ${amount.currency}.`;
  for (const id of [entry.debit, entry.credit])
    if (!accounts.includes(id)) return `${id} is not an account of this finding. Use ${accounts.join(', ')}.`;
  return undefined;
}

/** The amount that only one side has, or the difference of the two amounts. */
function stakeOf({ kind, pspMinor = 0n, ourMinor = 0n }: Finding): bigint {
  switch (kind) {
    case 'missing_at_psp':
      return ourMinor;
    case 'fee_differs':
    case 'fee_unusual':
    case 'amount_differs':
    case 'line_corrected':
    case 'status_differs':
    case 'ledger_differs':
    case 'wallet_differs': {
      const difference = pspMinor > ourMinor ? pspMinor - ourMinor : ourMinor - pspMinor;
      // They may differ in the currency alone.
      return difference === 0n ? pspMinor : difference;
    }
    case 'wrong_day':
    case 'duplicate_line':
    case 'settled_twice':
    case 'currency_differs':
    case 'missing_internally':
    case 'refund_without_charge':
    case 'reference_differs':
    case 'ledger_missing':
    case 'order_missing':
      return pspMinor;
    // No money moved, so no entry explains it: it is dismissed.
    case 'refund_refused':
      return 0n;
  }
}

/** A seller's balance can be paid out, so no person changes it alone. */
export const movesSellersMoney = (entry: {
  readonly debit: AccountId;
  readonly credit: AccountId;
}): boolean => [entry.debit, entry.credit].some((id) => describeAccount(id)?.class === 'seller');
