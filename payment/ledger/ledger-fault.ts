export interface LedgerFault {
  /**
   * `batch`: the seal and the recorded transfers differ. `sequence`, `balance`, `currency`: a posting does
   * not continue its account. `head`: a recorded balance, present or past, differs from the postings.
   * `block`: the index for past balances has other blocks. `chain`: batches differ from the sealed ones, or
   * are missing. `root`: the chain at a batch differs from the published chain head.
   */
  readonly kind: 'batch' | 'sequence' | 'balance' | 'currency' | 'head' | 'block' | 'chain' | 'root';
  /** `batch 17`, or the id of the account. */
  readonly where: string;
  readonly detail: string;
}

/** Hears of each fault. */
export type Report = (kind: LedgerFault['kind'], where: string, detail: string) => void;
