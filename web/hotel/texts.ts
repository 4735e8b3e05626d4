import type { StayQuoteView } from '#schemas/http/hotel-stay-changes.js';
import { locale } from '../language/language.js';

const dayMs = 86_400_000;

/** `1,800.00 SEK` as the page's language writes it. */
export const moneyText = (amount: string, currency: string): string => `${amountText(amount)} ${currency}`;

/** Without the currency, where a table names it once. */
export function amountText(amount: string): string {
  const decimals = amount.split('.')[1]?.length ?? 0;
  return Number(amount).toLocaleString(locale, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
}

/** `Sat 24 Nov`: a day at the hotel, whatever the time zone of this browser. */
export function dayText(day: string): string {
  return new Date(`${day}T12:00:00Z`).toLocaleDateString(locale ?? 'en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  });
}

/** A moment as the page's language writes it, in the time zone of this browser. */
export const timeText = (instant: string): string => new Date(instant).toLocaleString(locale);

/** `Sat 4 Dec – Mon 6 Dec`: check-in and check-out of a stay with these first and last nights. */
export const stayDates = ({ startDate, endDate }: { readonly startDate: string; readonly endDate: string }) =>
  `${dayText(startDate)} – ${dayText(addDays(endDate, 1))}`;

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

export const nightsOf = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;

export const today = (): string => new Date(Date.now()).toISOString().slice(0, 10);

/** Each page says it to another reader: the guest, or who works at the desk. */
interface QuoteTexts {
  readonly costsMore: (price: string, difference: string) => string;
  readonly costsLess: (price: string, refund: string) => string;
  readonly costsSame: (price: string) => string;
}

export function quoteText(quote: StayQuoteView, { costsMore, costsLess, costsSame }: QuoteTexts): string {
  const money = (amount: string) => moneyText(amount, quote.currency);
  const price = money(quote.price);
  if (Number(quote.difference) > 0) return costsMore(price, money(quote.difference));
  return Number(quote.refund) > 0 ? costsLess(price, money(quote.refund)) : costsSame(price);
}
