import type { AccountId } from './accounts.js';
import { type BatchStamp, isBatch, type KnownBatch } from './batch-stamp.js';
import { ledgerLimits } from './limits.js';
import type { Head } from './place-transfers.js';

type CachedAccount = { -readonly [Field in keyof Head]: Head[Field] };

/**
 * Account balances and sequences as one poster remembers them from the previous batch. The cache is valid as
 * long as the ledger's last batch is the one that it was read at. When another process has posted, or our own
 * transaction was rolled back, the last batch has another number or another time, and everything is
 * discarded. A wrong cache would do no harm: the validation trigger in the database accepts only a posting
 * that continues its account, and a refused poster discards its cache.
 */
export class AccountCache {
  readonly #heads = new Map<AccountId, CachedAccount>();
  #batch: KnownBatch | undefined;
  #isAlone = true;

  /** True for an account that was open at that batch; its balance may have changed since. */
  has(id: AccountId): boolean {
    return this.#heads.has(id);
  }

  /** The batch after which `heads` was read. */
  get batch(): KnownBatch | undefined {
    return this.#batch;
  }

  /**
   * False after another process has posted, until our own batch is the last one again. Until then,
   * speculation rarely succeeds.
   */
  get isAlone(): boolean {
    return this.#isAlone;
  }

  /** The balances at that batch; they may have changed since. */
  get heads(): ReadonlyMap<AccountId, Head> {
    return this.#heads;
  }

  /** What is known if this is the last batch; read while the chain head is locked. */
  at(batch: BatchStamp): ReadonlyMap<AccountId, Head> {
    if (isBatch(this.#batch, batch)) this.#isAlone = true;
    else this.#heads.clear();
    return this.#heads;
  }

  /**
   * Where `learn` will write each of them. This is most of its work, and it can run while the server works.
   */
  placesOf(heads: ReadonlyMap<AccountId, Head>): ReadonlyArray<CachedAccount | undefined> {
    const places: Array<CachedAccount | undefined> = [];
    for (const id of heads.keys()) places.push(this.#heads.get(id));
    return places;
  }

  /** Called while the chain head is locked, before or after the commit. */
  learn(
    batch: KnownBatch,
    heads: ReadonlyMap<AccountId, Head>,
    places: ReadonlyArray<CachedAccount | undefined> = this.placesOf(heads),
  ): void {
    const isFull = this.#heads.size > ledgerLimits.cachedAccountsMax;
    if (isFull) this.#heads.clear();
    let n = 0;
    for (const [id, head] of heads) {
      const before = isFull ? undefined : places[n];
      n += 1;
      if (before === undefined) this.#heads.set(id, { ...head });
      else {
        // Overwritten in place, because a long-lived object is expensive and a batch has hundreds.
        before.sequence = head.sequence;
        before.balance = head.balance;
        before.pendingDebit = head.pendingDebit;
        before.pendingCredit = head.pendingCredit;
      }
    }
    this.#batch = batch;
  }

  /** Another process has posted. */
  meet(): void {
    this.#isAlone = false;
    this.forget();
  }

  forget(): void {
    this.#heads.clear();
    this.#batch = undefined;
  }
}
