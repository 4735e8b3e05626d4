import type { Submission } from './submission.js';

/**
 * The country by which a provider is chosen: of the card, else of the buyer, else of the seller's bank
 * account if it is an IBAN. ISO 3166, two letters; undefined when nobody named one.
 */
export function countryOf(
  { buyerInfo, cardInfo }: Pick<Submission, 'buyerInfo' | 'cardInfo'>,
  sellerAccount: string,
): string | undefined {
  const card = fieldsOf(JSON.parse(cardInfo));
  const buyer = fieldsOf(JSON.parse(buyerInfo));
  return (
    country(card['country']) ??
    country(buyer['country']) ??
    country(fieldsOf(buyer['address'])['country']) ??
    country(/^[A-Z]{2}(?=\d{2}[A-Z0-9]{11,30}$)/.exec(sellerAccount.replaceAll(' ', ''))?.[0])
  );
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

const country = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[A-Z]{2}$/.test(value) ? value : undefined;
