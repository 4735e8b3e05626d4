import type { TaxRule } from './tax-rule.js';

/** What a stay is taxed on. */
export interface TaxedStay {
  /** `YYYY-MM-DD` of the first night. */
  readonly startDate: string;
  /** Of one room in each night. */
  readonly nightPricesMinor: readonly bigint[];
  readonly roomCount: number;
  /** People in all rooms together; null if nobody said how many. */
  readonly guests: number | null;
  readonly taxRules: readonly TaxRule[];
}

export interface TaxLine {
  readonly code: string;
  readonly name: string;
  readonly kind: TaxRule['kind'];
  readonly amountMinor: bigint;
  /** A part of the price of the nights, and not on top of it. */
  readonly isIncluded: boolean;
}

/**
 * Each tax and fee of a stay, in the order of its rules; a rule without a night of the stay has no line.
 * Percentages are rounded half up to the minor unit, once for all nights of a rule. Where nobody said how
 * many people stay, one in each room is counted.
 */
export function taxLines(stay: TaxedStay): readonly TaxLine[] {
  return stay.taxRules.flatMap((rule): TaxLine[] => {
    const from = rule.from === undefined ? 0 : daysFrom(stay.startDate, rule.from);
    const to = rule.to === undefined ? Number.POSITIVE_INFINITY : daysFrom(stay.startDate, rule.to);
    const prices = stay.nightPricesMinor.filter((_, night) => from <= night && night <= to);
    if (prices.length === 0) return [];
    const { code, name, kind } = rule;
    const amountMinor = amountOf(rule, stay, prices);
    return [{ code, name, kind, amountMinor, isIncluded: kind === 'vat' }];
  });
}

/** Days have no zone, so each has 24 hours. */
const daysFrom = (start: string, day: string): number => (Date.parse(day) - Date.parse(start)) / 86_400_000;

function amountOf(rule: TaxRule, { roomCount, guests }: TaxedStay, prices: readonly bigint[]): bigint {
  switch (rule.kind) {
    case 'vat':
    case 'fee': {
      const points = BigInt(rule.basisPoints);
      const price = prices.reduce((sum, night) => sum + night, 0n) * BigInt(roomCount);
      return halfUp(price * points, rule.kind === 'vat' ? 10_000n + points : 10_000n);
    }
    case 'room-night':
    case 'person-night': {
      const nights = Math.min(prices.length, rule.nightsMax ?? prices.length);
      const each = rule.kind === 'room-night' ? roomCount : (guests ?? roomCount);
      return BigInt(rule.amountMinor) * BigInt(nights) * BigInt(each);
    }
  }
}

const halfUp = (amount: bigint, by: bigint): bigint => (2n * amount + by) / (2n * by);

/** What the guest pays beside the price of the nights. */
export const taxesOnTop = (stay: TaxedStay): bigint =>
  taxLines(stay).reduce((sum, { amountMinor, isIncluded }) => (isIncluded ? sum : sum + amountMinor), 0n);

/** All nights and rooms with all taxes and fees: what is charged. */
export const stayPrice = (stay: TaxedStay): bigint =>
  stay.nightPricesMinor.reduce((sum, night) => sum + night, 0n) * BigInt(stay.roomCount) + taxesOnTop(stay);
