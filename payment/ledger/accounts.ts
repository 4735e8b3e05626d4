import { type Currency, parseCurrency } from '../money/currency.js';
import { ledgerLimits } from './limits.js';

/** Asset and expense grow by debits, liability and revenue by credits. */
export type AccountType = 'asset' | 'liability' | 'revenue' | 'expense';

/**
 * Id of an account: its class, for sellers their bank account, and the currency. `cash-psp:EUR`,
 * `seller:DE02…:EUR`.
 */
export type AccountId = string;

interface AccountClass {
  readonly type: AccountType;
  /** The account may never go below zero on its natural side, for any poster. */
  readonly overdraftRefused: boolean;
  /** One account for each owner, not one for all. */
  readonly owned: boolean;
}

/**
 * The chart of accounts. A seller may fall below zero: refunds and disputes are facts that the PSP has
 * settled already, and a ledger that refused them would be wrong. Our own decisions (a payout) require funds
 * by `needsFunds` of the transfer.
 */
export const accountClasses = {
  /** Captured and neither refunded nor moved to our bank: the PSP owes it to us. */
  'cash-psp': { type: 'asset', overdraftRefused: false, owned: false },
  /** Our bank account; pay-outs leave from here and the bank may lend. */
  'cash-bank': { type: 'asset', overdraftRefused: false, owned: false },
  /** Withdrawn by the PSP until a dispute is decided. */
  disputed: { type: 'asset', overdraftRefused: true, owned: false },
  /** What we owe a merchant: their wallet. */
  seller: { type: 'liability', overdraftRefused: false, owned: true },
  /** PSP fees that the settlement will withhold. */
  'psp-fees-due': { type: 'liability', overdraftRefused: false, owned: false },
  'psp-fees': { type: 'expense', overdraftRefused: false, owned: false },
  /** Our commission. */
  commission: { type: 'revenue', overdraftRefused: false, owned: false },
  /**
   * Settled twice, or for a reason that is not known yet: an asset, and the liability that we may have to
   * return.
   */
  'settlement-difference': { type: 'asset', overdraftRefused: false, owned: false },
  'psp-suspense': { type: 'liability', overdraftRefused: false, owned: false },
  /** Between two settlement days. */
  'psp-cut-off': { type: 'asset', overdraftRefused: false, owned: false },
  /** What finance writes off or finds. */
  differences: { type: 'expense', overdraftRefused: false, owned: false },
} as const satisfies Readonly<Record<string, AccountClass>>;

export type AccountClassName = keyof typeof accountClasses;
type OwnedClass = 'seller';

export function accountOf(name: Exclude<AccountClassName, OwnedClass>, currency: Currency): AccountId {
  return `${name}:${currency}`;
}

/** `seller` is the seller's bank account as the payment order names it. */
export function sellerAccount(seller: string, currency: Currency): AccountId {
  return `seller:${seller}:${currency}`;
}

export interface AccountDescription {
  readonly class: AccountClassName;
  readonly owner: string | undefined;
  readonly currency: Currency;
  readonly type: AccountType;
  readonly overdraftRefused: boolean;
}

/** The same few thousand ids are used repeatedly, two for each leg. */
const described = new Map<AccountId, AccountDescription>();

/** Undefined when the id names no account of the chart. */
export function describeAccount(id: AccountId): AccountDescription | undefined {
  const known = described.get(id);
  if (known !== undefined) return known;
  const account = parseAccount(id);
  if (account === undefined) return undefined;
  if (described.size >= ledgerLimits.describedAccountsMax) described.clear();
  described.set(id, account);
  return account;
}

function parseAccount(id: AccountId): AccountDescription | undefined {
  // In well-formed Unicode: the database would replace half a surrogate pair by another character.
  if (id.length > ledgerLimits.accountIdLengthMax || /[\p{Cc}\p{Cs}]/u.test(id)) return undefined;
  const first = id.indexOf(':');
  const last = id.lastIndexOf(':');
  const name = id.slice(0, first);
  const currency = parseCurrency(id.slice(last + 1));
  if (!Object.hasOwn(accountClasses, name) || currency === undefined) return undefined;
  const found: AccountClass = accountClasses[name as AccountClassName];
  const owner = first === last ? undefined : id.slice(first + 1, last);
  if (found.owned !== (owner !== undefined) || owner === '') return undefined;
  const { type, overdraftRefused } = found;
  return { class: name as AccountClassName, owner, currency, type, overdraftRefused };
}
