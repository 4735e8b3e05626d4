/** Number and time of a batch, the latter in microseconds since 2000 as PostgreSQL keeps it. */
export interface BatchStamp {
  readonly no: bigint;
  readonly at: bigint;
}

/** A batch; without its time when it is known to be committed, so that no other can have its number. */
export interface KnownBatch {
  readonly no: bigint;
  readonly at: bigint | undefined;
}

export function isBatch(known: KnownBatch | undefined, batch: BatchStamp): boolean {
  return known?.no === batch.no && (known.at === undefined || known.at === batch.at);
}
