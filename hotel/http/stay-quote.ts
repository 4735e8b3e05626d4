import { moneyText } from '../hotels/money-text.js';
import type { HotelTaxes } from '../taxes/hotel-taxes.js';
import { stayPrice, taxLines } from '../taxes/tax-lines.js';
import { sumOf } from './reservation-view.js';
import { taxLineView } from './tax-views.js';

/** What a reservation at these prices costs, as reserving computes it. */
export function stayQuote(
  { rules: taxRules }: HotelTaxes,
  currency: string,
  query: {
    readonly startDate: string;
    readonly roomCount?: number;
    readonly guests?: number;
    /** Of one room in each night. */
    readonly nightPricesMinor: readonly bigint[];
  },
) {
  const { startDate, nightPricesMinor, roomCount = 1, guests = null } = query;
  const stay = { startDate, roomCount, guests, nightPricesMinor, taxRules };
  const taxes = taxLines(stay);
  const total = stayPrice(stay);
  return {
    total: moneyText(total, currency),
    net: moneyText(total - sumOf(taxes), currency),
    taxes: taxes.map((line) => taxLineView(line, currency)),
  };
}
