/** What we keep of each payment of a seller. */
export interface FeeTerms {
  /** Hundredths of a percent of the captured amount. */
  readonly basisPoints: number;
  /** For each payment, in minor units. */
  readonly fixedMinor: bigint;
}

/**
 * The fee of a captured amount, in whole minor units: the part rounded half up, then the fixed amount, and
 * never more than was captured. `application_fee` in the database computes the same.
 */
export function feeOf(terms: FeeTerms | undefined, capturedMinor: bigint): bigint {
  if (terms === undefined) return 0n;
  const fee = terms.fixedMinor + (capturedMinor * BigInt(terms.basisPoints) + 5_000n) / 10_000n;
  return fee < capturedMinor ? fee : capturedMinor;
}

/**
 * What of the fee goes back to the seller with a refund. Of all refunds together it is the fee's share of the
 * refunded amount, rounded down, so parts never add up to more than the whole, and a complete refund returns
 * the complete fee. Minor units.
 */
export function feeReturned(
  feeMinor: bigint,
  capturedMinor: bigint,
  { beforeMinor, amountMinor }: { readonly beforeMinor: bigint; readonly amountMinor: bigint },
): bigint {
  if (feeMinor === 0n) return 0n;
  const upTo = (refundedMinor: bigint): bigint => (feeMinor * refundedMinor) / capturedMinor;
  return upTo(beforeMinor + amountMinor) - upTo(beforeMinor);
}
