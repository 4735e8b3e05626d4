export interface SettlementPeriod {
  /** Unix milliseconds, whole seconds. */
  readonly fromMs: number;
  /** The first instant after the period. */
  readonly toMs: number;
}

/** One settled operation; `docs/formats/settlement-file.md` describes the fields. */
export interface PspSettlementLine {
  readonly kind: 'charge' | 'refund' | 'dispute' | 'dispute_won' | 'payout' | 'payout_returned';
  /** The payment order's id; the provider's id of a payout, or of what is not ours. */
  readonly nonce: string;
  /** The nonce of a charge, payout or refund, or the provider's id of a dispute. */
  readonly operation: string;
  readonly reference: string;
  readonly amountMinor: bigint;
  readonly feeMinor: bigint;
  readonly currency: string;
  readonly succeeded: boolean;
  readonly atMs: number;
  /** The line only says that this payout contains the operation, which has a line of its own. */
  readonly payout?: string;
}
