import { type AccountId, describeAccount } from '#payment/ledger/accounts.js';
import type { Leg, Transfer } from '#payment/ledger/transfer.js';

/** The balance of an account: the sums of what its postings moved and reserved, and their number. */
export interface Sums {
  readonly balance: bigint;
  readonly pendingDebit: bigint;
  readonly pendingCredit: bigint;
  readonly postings: bigint;
}

const nothing: Sums = { balance: 0n, pendingDebit: 0n, pendingCredit: 0n, postings: 0n };

/**
 * A ledger that stores its input and adds it up: no chain heads, no batches, no blocks. Returns the expected
 * outcome of a call and the expected balances.
 */
export class PlainLedger {
  readonly #standing = new Map<string, Transfer>();
  readonly #resolved = new Set<string>();
  #sums: ReadonlyMap<AccountId, Sums> = new Map();

  /** A copy of its state; later calls do not change it. */
  get sums(): ReadonlyMap<AccountId, Sums> {
    return this.#sums;
  }

  /** The outcome of the call; posted completely or not at all. */
  post(call: readonly Transfer[]): ReadonlyArray<'posted' | 'replayed'> | 'refused' {
    const effects: Array<'posted' | 'replayed'> = [];
    const fresh = new Map<string, Transfer>();
    for (const transfer of call) {
      const key = keyOf(transfer.subject, transfer.operation);
      const stands = this.#standing.get(key) ?? fresh.get(key);
      if (stands !== undefined && textOf(stands) !== textOf(transfer)) return 'refused';
      effects.push(stands === undefined ? 'posted' : 'replayed');
      if (stands === undefined) fresh.set(key, transfer);
    }
    const resolved = new Set<string>();
    const sums = new Map(this.#sums);
    for (const transfer of fresh.values()) {
      const pending = this.#pendingOf(transfer, resolved);
      if (pending === 'none') return 'refused';
      if (!add(sums, transfer, pending)) return 'refused';
    }
    for (const [key, transfer] of fresh) this.#standing.set(key, transfer);
    for (const key of resolved) this.#resolved.add(key);
    this.#sums = sums;
    return effects;
  }

  stands(transfer: Transfer): boolean {
    return this.#standing.has(keyOf(transfer.subject, transfer.operation));
  }

  /**
   * The resolved transfer existed before the call, has the same legs with at least the amount, and was not
   * resolved.
   */
  #pendingOf({ subject, resolves, legs }: Transfer, resolved: Set<string>): Transfer | undefined | 'none' {
    if (resolves === undefined) return undefined;
    const key = keyOf(subject, resolves);
    const pending = this.#standing.get(key);
    if (pending?.phase !== 'pending' || this.#resolved.has(key) || resolved.has(key)) return 'none';
    const fits = (leg: Leg, n: number): boolean => {
      const { debit, credit, amount } = pending.legs[n] ?? {};
      return debit === leg.debit && credit === leg.credit && amount!.minor >= leg.amount.minor;
    };
    if (pending.legs.length !== legs.length || !legs.every(fits)) return 'none';
    resolved.add(key);
    return pending;
  }
}

/** False if the balance would be negative and the account refuses overdraft. */
function add(sums: Map<AccountId, Sums>, transfer: Transfer, pending: Transfer | undefined): boolean {
  const { phase = 'posted', legs } = transfer;
  let allowed = true;
  for (const [n, { debit, credit, amount, needsFunds = false }] of legs.entries()) {
    const moved = phase === 'posted' || phase === 'post' ? amount.minor : 0n;
    const reserved = phase === 'pending' ? amount.minor : -(pending?.legs[n]?.amount.minor ?? 0n);
    const change = (id: AccountId, isDebit: boolean): void => {
      const before = sums.get(id) ?? nothing;
      const after = {
        balance: before.balance + (isDebit ? moved : -moved),
        pendingDebit: before.pendingDebit + (isDebit ? reserved : 0n),
        pendingCredit: before.pendingCredit + (isDebit ? 0n : reserved),
        postings: before.postings + 1n,
      };
      sums.set(id, after);
      const left = availableOf(id, after);
      if ((describeAccount(id)!.overdraftRefused || (isDebit && needsFunds)) && left < 0n)
        allowed &&= left >= availableOf(id, before);
    };
    change(debit, true);
    change(credit, false);
  }
  return allowed;
}

/** On its natural side, less the reserved amount there. */
export function availableOf(id: AccountId, { balance, pendingDebit, pendingCredit }: Sums): bigint {
  const { type } = describeAccount(id)!;
  return type === 'asset' || type === 'expense' ? balance - pendingCredit : -balance - pendingDebit;
}

const keyOf = (subject: string, operation: string): string => `${subject}\n${operation}`;

const textOf = ({ kind, phase = 'posted', resolves, legs }: Transfer): string =>
  [
    kind,
    phase,
    resolves,
    ...legs.map((leg) => [leg.debit, leg.credit, leg.amount.minor, leg.kind ?? kind]),
  ].join();
