import { describeAccount } from '#payment/ledger/accounts.js';
import type { Transfer } from '#payment/ledger/transfer.js';

interface Standing {
  readonly transfer: Transfer;
  resolved: boolean;
}

/** A ledger of maps and loops that is obviously correct: one transfer after another, for comparison. */
export class SerialLedger {
  #standing = new Map<string, Standing>();
  #balances = new Map<string, bigint>();
  #reserved = new Map<string, bigint>();

  /** The effects, or `refused` and no effect. */
  post(transfers: readonly Transfer[]): ReadonlyArray<'posted' | 'replayed'> | 'refused' {
    const before = [
      new Map([...this.#standing].map(([key, standing]) => [key, { ...standing }])),
      new Map(this.#balances),
      new Map(this.#reserved),
    ] as const;
    // As in the ledger, a resolved transfer must exist before the call.
    const standingBefore = new Set(this.#standing.keys());
    const effects: Array<'posted' | 'replayed'> = [];
    for (const transfer of transfers) {
      const effect = this.#postOne(transfer, standingBefore);
      if (effect === 'refused') {
        [this.#standing, this.#balances, this.#reserved] = before;
        return 'refused';
      }
      effects.push(effect);
    }
    return effects;
  }

  /** What is posted and what is available, on the account's natural side. */
  balanceOf(account: string): readonly [bigint, bigint] {
    const side = sideOf(account);
    const all = side * (this.#balances.get(account) ?? 0n);
    return [all, all - (this.#reserved.get(account) ?? 0n)];
  }

  #postOne(transfer: Transfer, standingBefore: ReadonlySet<string>): 'posted' | 'replayed' | 'refused' {
    const { subject, operation, phase = 'posted', resolves, legs } = transfer;
    const stands = this.#standing.get(`${subject} ${operation}`);
    if (stands !== undefined) return same(stands.transfer, transfer) ? 'replayed' : 'refused';
    if (resolves !== undefined) {
      const key = `${subject} ${resolves}`;
      const pending = this.#standing.get(key);
      if (pending === undefined || pending.resolved || !standingBefore.has(key)) return 'refused';
      if (pending.transfer.phase !== 'pending' || pending.transfer.legs.length !== legs.length)
        return 'refused';
      for (const [index, { debit, credit, amount }] of legs.entries()) {
        const reserved = pending.transfer.legs[index]!;
        if (reserved.debit !== debit || reserved.credit !== credit || reserved.amount.minor < amount.minor)
          return 'refused';
        this.#reserve(reserved.debit, reserved.credit, -reserved.amount.minor);
      }
      pending.resolved = true;
    }
    for (const { debit, credit, amount, needsFunds = false } of legs) {
      if (phase === 'pending') this.#reserve(debit, credit, amount.minor);
      else if (phase !== 'void') {
        this.#balances.set(debit, (this.#balances.get(debit) ?? 0n) + amount.minor);
        this.#balances.set(credit, (this.#balances.get(credit) ?? 0n) - amount.minor);
      }
      const takes = resolves === undefined;
      if (needsFunds && takes && sideOf(debit) < 0n && this.balanceOf(debit)[1] < 0n) return 'refused';
    }
    this.#standing.set(`${subject} ${operation}`, { transfer, resolved: false });
    return 'posted';
  }

  #reserve(debit: string, credit: string, minor: bigint): void {
    if (sideOf(debit) < 0n) this.#reserved.set(debit, (this.#reserved.get(debit) ?? 0n) + minor);
    if (sideOf(credit) > 0n) this.#reserved.set(credit, (this.#reserved.get(credit) ?? 0n) + minor);
  }
}

function sideOf(account: string): bigint {
  const { type } = describeAccount(account)!;
  return type === 'asset' || type === 'expense' ? 1n : -1n;
}

function same(one: Transfer, other: Transfer): boolean {
  const text = ({ kind, phase = 'posted', resolves, legs }: Transfer) =>
    [
      kind,
      phase,
      resolves,
      ...legs.map(({ debit, credit, amount }) => `${debit} ${credit} ${amount.minor}`),
    ].join();
  return text(one) === text(other);
}
