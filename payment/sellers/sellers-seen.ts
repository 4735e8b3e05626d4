/** Whose rows a caller may see: those of these seller accounts, or of all. */
export type SellersSeen = readonly string[] | 'all';

/** For a condition that NULL makes true: `$1::text[] IS NULL OR seller_account = ANY ($1::text[])`. */
export const sellersOrNull = (sellers: SellersSeen): readonly string[] | null =>
  sellers === 'all' ? null : sellers;
