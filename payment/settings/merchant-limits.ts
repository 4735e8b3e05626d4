/** Minor units of one order above which a person decides, by the seller's account. */
export type MerchantLimits = ReadonlyMap<string, bigint>;

/** Reads `DE02…=500000,shop-7=0`; returns a sentence about what is wrong with it. */
export function parseMerchantLimits(text: string): MerchantLimits | string {
  const limits = new Map<string, bigint>();
  if (text === '') return limits;
  for (const one of text.split(',')) {
    const [seller = '', minor = '', ...more] = one.trim().split('=');
    if (seller === '' || more.length > 0 || !/^(0|[1-9]\d{0,14})$/.test(minor))
      return `PAYMENT_REVIEW_ABOVE_OF has ${JSON.stringify(one)}. Use for example shop-7=500000.`;
    if (limits.has(seller)) return `PAYMENT_REVIEW_ABOVE_OF has ${JSON.stringify(seller)} twice.`;
    limits.set(seller, BigInt(minor));
  }
  return limits;
}
