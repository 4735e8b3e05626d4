import type { SqlSession } from '#platform/sql/sql.js';
import type { BatchStamp } from './batch-stamp.js';

/** Number and time of the next batch. */
export interface Tip extends BatchStamp {
  /** The batch before it. */
  readonly last: BatchStamp;
  /**
   * The next batch is later than all before it, by the database's clock and under the lock: if ours is rolled
   * back and another process posts a batch of this number, that one has another time.
   */
  readonly isLater: boolean;
}

/** From here to the commit, posters run one after the other. Later statements see all earlier postings. */
export async function lockChainHead(tx: SqlSession, at: Date | undefined): Promise<Tip> {
  const { rows } = await tx.query<{ no: bigint; at: Buffer; last_at: Buffer }>(
    `SELECT batch_no + 1 AS no, timestamptz_send(greatest(coalesce($1::timestamptz, clock_timestamp()), last_at)) AS at,
       timestamptz_send(last_at) AS last_at
     FROM ledger_chain_head FOR UPDATE`,
    [at ?? null],
  );
  const { no } = rows[0]!;
  const nextAt = rows[0]!.at.readBigInt64BE();
  const lastAt = rows[0]!.last_at.readBigInt64BE();
  return {
    no,
    at: nextAt,
    last: { no: no - 1n, at: lastAt },
    isLater: at === undefined && nextAt !== lastAt,
  };
}
