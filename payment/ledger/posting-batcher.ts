import { Batcher } from '#platform/batcher/batcher.js';
import type { Sql, SqlTransaction } from '#platform/sql/sql.js';
import { AccountCache } from './account-cache.js';
import { checkTransfer, keyOf } from './check-transfers.js';
import { post } from './ledger.js';
import { ledgerLimits } from './limits.js';
import { postInOneRoundTrip } from './post-in-one-round-trip.js';
import type { Refusal, Transfer } from './transfer.js';

export type Submitted = { readonly kind: 'posted' | 'replayed' } | ({ readonly kind: 'refused' } & Refusal);

/**
 * Posts transfers of many callers, each in its own right, as few large batches: while one batch commits, the
 * next one collects. An account that every caller touches is then locked and written once per batch instead
 * of once per transfer.
 */
export class PostingBatcher {
  readonly #sql: Sql;
  readonly #known = new AccountCache();
  readonly #batcher: Batcher<Transfer, Submitted>;

  constructor(sql: Sql) {
    this.#sql = sql;
    this.#batcher = new Batcher((transfers) => this.#post(transfers), {
      atOnce: 1,
      batchMax: ledgerLimits.postingsMax,
      weightOf: ({ legs }) => legs.length * 2,
      queuedMax: ledgerLimits.queuedMax,
      failsTogether: true,
    });
  }

  /**
   * Resolves when it is committed. Rejects with the database's error when the batch failed; whether it was
   * posted is then unknown and the same transfer may be submitted again. Rejects at once what no ledger could
   * hold, and with `BatcherFull` when `queuedMax` transfers wait.
   */
  async submit(transfer: Transfer): Promise<Submitted> {
    checkTransfer(transfer);
    return this.#batcher.call(transfer);
  }

  async #post(transfers: readonly Transfer[]): Promise<readonly Submitted[]> {
    const outcome = await postInOneRoundTrip(this.#sql, transfers, this.#known);
    if (outcome.kind === 'posted') return outcome.transfers.map((kind) => ({ kind }));
    return this.#sql.transaction((tx) => postEach(tx, transfers, this.#known));
  }
}

/** If a transfer is refused, the others are still posted. */
async function postEach(
  tx: SqlTransaction,
  transfers: readonly Transfer[],
  known: AccountCache,
): Promise<readonly Submitted[]> {
  // By index in the call, because two callers may submit the same transfer.
  const outcomes: Submitted[] = [];
  for (let open = [...transfers.keys()]; ; open = open.filter((place) => outcomes[place] === undefined)) {
    const wanted = open.map((place) => transfers[place]!);
    const outcome = await post(tx, wanted, { known });
    if (outcome.kind === 'posted') {
      for (const [index, place] of open.entries()) outcomes[place] = { kind: outcome.transfers[index]! };
      return outcomes;
    }
    const refused = new Map(outcome.refusals.map((refusal) => [keyOf(refusal), refusal]));
    // From last to first: if two transfers of the call contradict each other, the earlier one wins.
    for (const place of open.toReversed()) {
      const key = keyOf(transfers[place]!);
      const refusal = refused.get(key);
      if (refusal === undefined) continue;
      outcomes[place] = { kind: 'refused', ...refusal };
      refused.delete(key);
    }
  }
}
