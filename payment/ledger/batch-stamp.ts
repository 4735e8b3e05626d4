/** Number and time of a batch, the latter in microseconds since 2000 as PostgreSQL keeps it. */
export interface BatchStamp {
  readonly no: bigint;
  readonly at: bigint;
}

/** A batch. Its time is absent if the batch is known to be committed, because its number is then unique. */
export interface KnownBatch {
  readonly no: bigint;
  readonly at: bigint | undefined;
}

export function isBatch(known: KnownBatch | undefined, batch: BatchStamp): boolean {
  return known?.no === batch.no && (known.at === undefined || known.at === batch.at);
}
