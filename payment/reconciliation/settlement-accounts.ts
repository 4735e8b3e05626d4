import { parseCurrency } from '../money/currency.js';

/** Our accounts at providers by their name in settlement files; undefined: in every currency. */
export type SettlementAccounts = ReadonlyMap<string, ReadonlySet<string> | undefined>;

/** Reads `psp,other:EUR+USD`; returns a sentence about what is wrong with it. */
export function parseSettlementAccounts(text: string): SettlementAccounts | string {
  const accounts = new Map<string, ReadonlySet<string> | undefined>();
  for (const account of text.split(',')) {
    const [provider = '', currencies, ...more] = account.trim().split(':');
    if (!/^[a-z0-9-]{1,32}$/.test(provider) || more.length > 0)
      return `SETTLEMENT_ACCOUNTS has ${JSON.stringify(account)}. Use for example psp,other:EUR+USD.`;
    const codes = currencies?.split('+');
    const wrong = codes?.find((code) => parseCurrency(code) === undefined);
    if (wrong !== undefined) return `SETTLEMENT_ACCOUNTS has ${JSON.stringify(wrong)}, which is no currency.`;
    accounts.set(provider, codes === undefined ? undefined : new Set(codes));
  }
  return accounts;
}
