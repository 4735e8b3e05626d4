/** A whole number for each of some merchants or sellers, by their account. */
export type MerchantLimits = ReadonlyMap<string, bigint>;

/** Reads `DE02…=500000,shop-7=0` of a setting; returns a sentence about what is wrong with it. */
export function parseMerchantLimits(setting: string, text: string, least = 0n): MerchantLimits | string {
  const limits = new Map<string, bigint>();
  if (text === '') return limits;
  for (const one of text.split(',')) {
    const [account = '', number = '', ...more] = one.trim().split('=');
    const isNumber = /^(0|[1-9]\d{0,14})$/.test(number) && BigInt(number) >= least;
    if (account === '' || more.length > 0 || !isNumber)
      return `${setting} has ${JSON.stringify(one)}. Use for example shop-7=500000.`;
    if (limits.has(account)) return `${setting} has ${JSON.stringify(account)} twice.`;
    limits.set(account, BigInt(number));
  }
  return limits;
}
