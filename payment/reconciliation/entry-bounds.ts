import { type AccountId, accountOf, describeAccount, sellerAccount } from '../ledger/accounts.js';
import type { Leg } from '../ledger/transfer.js';
import { formatMoney, type Money } from '../money/money.js';
import { adjustmentOf, type Finding, type FindingKind } from './finding.js';

/** What an entry about a finding may move: this amount, between two of these accounts. */
export interface EntryBounds {
  readonly amount: Money;
  readonly accounts: readonly AccountId[];
  /** The only decision with entries that is possible: exactly these. */
  readonly exactly: readonly Leg[] | undefined;
}

/**
 * Each of their entries follows from the line. Of the first, two entries belong together; the second is the
 * only one that reaches our bank account.
 */
const onlyAsProposed: readonly FindingKind[] = ['currency_differs', 'payout_differs'];

/**
 * An entry explains its finding and nothing else: it moves what the two sides differ by, between the
 * accounts of the operation and those where differences are kept. No entry reaches our bank account or
 * another seller.
 */
export function entryBoundsOf(finding: Finding): EntryBounds {
  const { currency, operation = '', seller } = finding;
  const account = (name: Parameters<typeof accountOf>[0]) => accountOf(name, currency);
  if (onlyAsProposed.includes(finding.kind)) {
    const exactly = adjustmentOf(finding);
    return {
      amount: exactly[0]?.amount ?? { minor: 0n, currency },
      accounts: exactly.flatMap(({ debit, credit }) => [debit, credit]),
      exactly,
    };
  }
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
    exactly: undefined,
  };
}

/** How the entries leave the bounds of their finding; undefined if they do not. */
export function outsideOf(
  { amount, accounts, exactly }: EntryBounds,
  entries: readonly Movement[],
): string | undefined {
  if (exactly !== undefined) {
    const isProposal =
      exactly.length === entries.length && exactly.every((leg, at) => textOf(leg) === textOf(entries[at]!));
    if (isProposal) return undefined;
    return exactly.length === 0
      ? 'No entry explains this finding. Dismiss it.'
      : `Only the proposal can be posted: ${exactly.map(textOf).join(' and ')}.`;
  }
  const [entry, converted] = entries;
  if (converted !== undefined) return 'Only a finding in two currencies has a second entry.';
  if (entry === undefined) return undefined;
  if (entry.amount.currency !== amount.currency)
    return `The finding is in ${amount.currency}, the entry in ${entry.amount.currency}.`;
  if (entry.amount.minor !== amount.minor)
    return `The entry must move exactly ${formatMoney(amount)} ${amount.currency}.`;
  for (const id of [entry.debit, entry.credit])
    if (!accounts.includes(id)) return `${id} is not an account of this finding. Use ${accounts.join(', ')}.`;
  return undefined;
}

type Movement = Pick<Leg, 'debit' | 'credit' | 'amount'>;

const textOf = ({ debit, credit, amount }: Movement): string =>
  `${formatMoney(amount)} ${amount.currency} from ${credit} to ${debit}`;

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
    case 'missing_internally':
    case 'refund_without_charge':
    case 'reference_differs':
    case 'ledger_missing':
    case 'order_missing':
      return pspMinor;
    case 'currency_differs':
    case 'payout_differs':
    // No money moved, so no entry explains it: it is dismissed.
    case 'payout_missing':
    case 'payout_repeated':
    case 'payout_part_differs':
    case 'refund_refused':
    case 'capture_differs':
      return 0n;
  }
}

/** A seller's balance can be paid out, so no person changes it alone. */
export const movesSellersMoney = (entry: {
  readonly debit: AccountId;
  readonly credit: AccountId;
}): boolean => [entry.debit, entry.credit].some((id) => describeAccount(id)?.class === 'seller');
