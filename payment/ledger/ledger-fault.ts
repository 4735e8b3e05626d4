export interface LedgerFault {
  /**
   * `batch`: what the seal says and what stands differ. `sequence`, `balance`, `currency`: a posting does not
   * continue its account. `head`: where an account is said to stand, now or before some batch, differs from
   * its postings. `block`: the blocks by which the past is looked up begin elsewhere. `chain`: the batches
   * are not those that were sealed, or some are gone. `root`: the chain at a batch is not what was published
   * then.
   */
  readonly kind: 'batch' | 'sequence' | 'balance' | 'currency' | 'head' | 'block' | 'chain' | 'root';
  /** `batch 17`, or the id of the account. */
  readonly where: string;
  readonly detail: string;
}

/** Hears of each fault. */
export type Report = (kind: LedgerFault['kind'], where: string, detail: string) => void;
