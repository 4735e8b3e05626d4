import type { Sql, SqlTransaction } from '#platform/sql/sql.js';
import { checkTransfer, keyOf } from './check-transfers.js';
import { KnownHeads } from './known-heads.js';
import { post } from './ledger.js';
import { ledgerLimits } from './limits.js';
import { postAlone } from './post-alone.js';
import type { Refusal, Transfer } from './transfer.js';

export type Submitted = { readonly kind: 'posted' | 'replayed' } | ({ readonly kind: 'refused' } & Refusal);

interface Waiting {
  readonly transfer: Transfer;
  readonly resolve: (outcome: Submitted) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Posts transfers of many callers, each in its own right, as few large batches: while one batch commits, the next one gathers. An account
 * that everybody touches is then locked and written once for a batch instead of once for a transfer.
 */
export class PostingQueue {
  readonly #sql: Sql;
  readonly #known = new KnownHeads();
  #waiting: Waiting[] = [];
  #running = false;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /**
   * Resolves when it is committed. Rejects with the database's error when the batch failed; whether it stands is then unknown and the
   * same transfer may be submitted again. Throws at once for what no ledger could hold, or when `queuedMax` transfers wait.
   */
  async submit(transfer: Transfer): Promise<Submitted> {
    checkTransfer(transfer);
    if (this.#waiting.length >= ledgerLimits.queuedMax)
      throw new Error(`${ledgerLimits.queuedMax} transfers wait for the ledger already: try again later.`);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ transfer, resolve, reject });
      if (!this.#running) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#waiting.length > 0) {
      const batch = this.#nextBatch();
      try {
        const transfers = batch.map(({ transfer }) => transfer);
        const outcomes = await this.#post(transfers);
        for (const [index, { resolve }] of batch.entries()) resolve(outcomes[index]!);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#running = false;
  }

  async #post(transfers: readonly Transfer[]): Promise<readonly Submitted[]> {
    const outcome = await postAlone(this.#sql, transfers, this.#known);
    if (outcome.kind === 'posted') return outcome.transfers.map((kind) => ({ kind }));
    return this.#sql.transaction((tx) => postEach(tx, transfers, this.#known));
  }

  #nextBatch(): readonly Waiting[] {
    let legs = 0;
    const end = this.#waiting.findIndex(({ transfer }) => {
      legs += transfer.legs.length;
      return legs * 2 > ledgerLimits.postingsMax;
    });
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
  }
}

/** One who is refused does not keep the others from being posted. */
async function postEach(
  tx: SqlTransaction,
  transfers: readonly Transfer[],
  known: KnownHeads,
): Promise<readonly Submitted[]> {
  // By their place in the call, since two callers may submit one and the same transfer.
  const outcomes: Submitted[] = [];
  for (let open = [...transfers.keys()]; ; open = open.filter((place) => outcomes[place] === undefined)) {
    const wanted = open.map((place) => transfers[place]!);
    const outcome = await post(tx, wanted, { known });
    if (outcome.kind === 'posted') {
      for (const [index, place] of open.entries()) outcomes[place] = { kind: outcome.transfers[index]! };
      return outcomes;
    }
    const refused = new Map(outcome.refusals.map((refusal) => [keyOf(refusal), refusal]));
    // The last one first: where two of the call contradict each other, the earlier one stands.
    for (const place of open.toReversed()) {
      const key = keyOf(transfers[place]!);
      const refusal = refused.get(key);
      if (refusal === undefined) continue;
      outcomes[place] = { kind: 'refused', ...refusal };
      refused.delete(key);
    }
  }
}
