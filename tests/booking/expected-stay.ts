import { addDays } from '#hotel/reservations/stay-days.js';
import type { TaxRule } from '#hotel/taxes/tax-rule.js';
import type { Random } from '#platform/random/random.js';
import { arrival } from './booking-fixture.js';

/** A stay as a test expects it, which it changes with each step that was done. */
export interface ExpectedStay {
  readonly reservationId: string;
  readonly hotelId: string;
  readonly currency: string;
  readonly taxRules: readonly TaxRule[];
  readonly ratesMinor: ReadonlyMap<string, bigint>;
  readonly lateCancelPercent: number;
  readonly extras: Map<string, bigint>;
  readonly told: string[];
  /** At first. */
  readonly rooms: number;
  /** Those that it accepted, and those whose money goes back. */
  readonly payments: { readonly paymentOrderId: string; readonly amountMinor: bigint }[];
  readonly returned: string[];
  /** Captured for extras, and granted back of it when they were voided. */
  extrasPaidMinor: bigint;
  extrasGrantedMinor: bigint;
  startDate: string;
  nightPricesMinor: bigint[];
  roomCount: number;
  guests: number;
  isCancelled: boolean;
  /** What is not given back of rooms that were cancelled late. */
  keptMinor: bigint;
}

/** None, or up to three of the kinds of rules; some of them begin or end within the stay. */
export function randomRules(random: Random): readonly TaxRule[] {
  const dates = () => {
    const drawn = random.next();
    if (drawn < 0.6) return {};
    return drawn < 0.8 ? { from: addDays(arrival, 1) } : { to: arrival };
  };
  const nightsMax = () => (random.next() < 0.5 ? {} : { nightsMax: 1 + random.below(2) });
  const rules: readonly TaxRule[] = [
    { code: 'vat', name: 'VAT', kind: 'vat', basisPoints: 1 + random.below(2_500), ...dates() },
    { code: 'fee', name: 'Fee', kind: 'fee', basisPoints: 1 + random.below(1_500), ...dates() },
    {
      ...{ code: 'city-tax', name: 'City tax', kind: 'person-night', amountMinor: 1 + random.below(400) },
      ...nightsMax(),
      ...dates(),
    },
    {
      ...{ code: 'bed-tax', name: 'Bed tax', kind: 'room-night', amountMinor: 1 + random.below(400) },
      ...nightsMax(),
      ...dates(),
    },
  ];
  return rules.filter(() => random.next() < 0.6);
}

/**
 * The price of a stay by other arithmetic than the project's: night by night, percentages as a sum of whole
 * hundredths of a hundredth that is rounded at its end.
 */
export function priceOf(stay: ExpectedStay): bigint {
  let price = 0n;
  for (const night of stay.nightPricesMinor)
    for (let room = 0; room < stay.roomCount; room += 1) price += night;
  for (const rule of stay.taxRules) {
    let counted = 0;
    let parts = 0n;
    for (const [index, night] of stay.nightPricesMinor.entries()) {
      const date = addDays(stay.startDate, index);
      if (rule.from !== undefined && date < rule.from) continue;
      if (rule.to !== undefined && date > rule.to) continue;
      if (rule.kind === 'fee') parts += night * BigInt(rule.basisPoints * stay.roomCount);
      if ('amountMinor' in rule && counted >= (rule.nightsMax ?? 99)) continue;
      counted += 1;
    }
    if (rule.kind === 'fee') price += parts / 10_000n + (parts % 10_000n >= 5_000n ? 1n : 0n);
    if (rule.kind === 'person-night') price += BigInt(rule.amountMinor * counted * stay.guests);
    if (rule.kind === 'room-night') price += BigInt(rule.amountMinor * counted * stay.roomCount);
  }
  return price;
}

/** The VAT in the price of the nights, of each rule with nights, by quotient and remainder. */
export function vatOf(stay: ExpectedStay): readonly bigint[] {
  return stay.taxRules.flatMap((rule) => {
    if (rule.kind !== 'vat') return [];
    const nights = stay.nightPricesMinor.filter((_, index) => {
      const date = addDays(stay.startDate, index);
      return (rule.from ?? date) <= date && date <= (rule.to ?? date);
    });
    if (nights.length === 0) return [];
    const gross = nights.reduce((sum, night) => sum + night, 0n) * BigInt(stay.roomCount);
    const whole = 10_000n + BigInt(rule.basisPoints);
    const parts = gross * BigInt(rule.basisPoints);
    return [parts / whole + ((parts % whole) * 2n >= whole ? 1n : 0n)];
  });
}
