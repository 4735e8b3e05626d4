import type { FinanceAccountBody } from '#schemas/http/finance-payments.js';

type Side = Pick<FinanceAccountBody, 'type' | 'balance'>;

interface Evenness {
  /** Of assets and expenses. */
  readonly total: string;
  /** What they exceed liabilities and revenue by. */
  readonly difference: string;
  readonly isEven: boolean;
}

/** Compares both sides of the books of one currency exactly; all amounts have the same number of decimals. */
export function evenness(balances: readonly Side[]): Evenness {
  const decimals = balances[0]?.balance.split('.')[1]?.length ?? 0;
  const sumOf = (types: readonly string[]): bigint =>
    balances
      .filter(({ type }) => types.includes(type))
      .reduce((sum, { balance }) => sum + BigInt(balance.replace('.', '')), 0n);
  const [debits, credits] = [sumOf(['asset', 'expense']), sumOf(['liability', 'revenue'])];
  return {
    total: decimalText(debits, decimals),
    difference: decimalText(debits - credits, decimals),
    isEven: debits === credits,
  };
}

function decimalText(minor: bigint, decimals: number): string {
  const sign = minor < 0n ? '-' : '';
  const digits = String(minor < 0n ? -minor : minor).padStart(decimals + 1, '0');
  if (decimals === 0) return sign + digits;
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
