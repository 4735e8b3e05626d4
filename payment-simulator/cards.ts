import type { SimulatedCard } from './record.js';

/**
 * What happens to a card. `unavailable` is the bank being away: nothing was done, the same nonce may be tried
 * again.
 */
export type CardOutcome =
  | { readonly result: 'captured' | 'processing' | 'review' | 'challenge' | 'authorized' }
  | { readonly result: 'declined' | 'unavailable'; readonly code: string };

interface TestCard {
  readonly number: string;
  /** For charges without a page. */
  readonly token: string;
  readonly outcome: CardOutcome;
  /** Of later payments with the kept card, if it is another one. */
  readonly later?: CardOutcome;
  /** Payments above this are declined, if the card is kept. */
  readonly upToMinor?: bigint;
}

const declined = (code: string): CardOutcome => ({ result: 'declined', code });

/** Numbers that force an outcome; every other number that passes the Luhn check is captured. */
export const testCards: readonly TestCard[] = [
  { number: '4242424242424242', token: 'tok_captured', outcome: { result: 'captured' } },
  { number: '4000000000000002', token: 'tok_declined', outcome: declined('card_declined') },
  { number: '4000000000009995', token: 'tok_funds', outcome: declined('insufficient_funds') },
  { number: '4000000000000069', token: 'tok_expired', outcome: declined('expired_card') },
  { number: '4000000000000127', token: 'tok_cvc', outcome: declined('incorrect_cvc') },
  { number: '4000000000000036', token: 'tok_address', outcome: declined('address_mismatch') },
  { number: '4100000000000019', token: 'tok_fraud', outcome: declined('suspected_fraud') },
  { number: '4000000000009979', token: 'tok_stolen', outcome: declined('stolen_card') },
  {
    number: '4000000000000119',
    token: 'tok_unavailable',
    outcome: { result: 'unavailable', code: 'issuer_unavailable' },
  },
  { number: '4000000000003220', token: 'tok_challenge', outcome: { result: 'challenge' } },
  // The bank is satisfied without asking the buyer.
  { number: '4000000000003055', token: 'tok_frictionless', outcome: { result: 'captured' } },
  {
    number: '4000000000000341',
    token: 'tok_later_declined',
    outcome: { result: 'captured' },
    later: declined('card_declined'),
  },
  // The bank is satisfied at first, and asks the buyer for every later payment.
  {
    number: '4000000000003006',
    token: 'tok_later_challenge',
    outcome: { result: 'captured' },
    later: { result: 'challenge' },
  },
  {
    number: '4000000000009912',
    token: 'tok_little_funds',
    outcome: { result: 'captured' },
    upToMinor: 2_000n,
  },
  { number: '4000000000009235', token: 'tok_review', outcome: { result: 'review' } },
  { number: '4000000000000077', token: 'tok_processing', outcome: { result: 'processing' } },
];

export function outcomeOfNumber(number: string): CardOutcome {
  if (!/^\d{13,19}$/.test(number) || !passesLuhn(number)) return declined('incorrect_number');
  return testCards.find((card) => card.number === number)?.outcome ?? { result: 'captured' };
}

export function outcomeOfToken(token: string): CardOutcome {
  return testCards.find((card) => card.token === token)?.outcome ?? declined('unknown_card_token');
}

/** The test token that stands for a number, so that a kept card behaves as it did. */
export const kindOfNumber = (number: string): string =>
  testCards.find((card) => card.number === number)?.token ?? 'tok_captured';

/**
 * Of a kept card. Without the buyer no challenge can be answered; a bank that asked the buyer when the card
 * was taken for these payments does not ask again.
 */
export function outcomeOfKept(
  { kind, isOfPage }: Pick<SimulatedCard, 'kind' | 'isOfPage'>,
  { amountMinor, isBuyerAway }: { readonly amountMinor: string; readonly isBuyerAway: boolean },
): CardOutcome {
  const card = testCards.find(({ token }) => token === kind);
  if (card?.upToMinor !== undefined && BigInt(amountMinor) > card.upToMinor)
    return declined('insufficient_funds');
  const outcome = card?.later ?? card?.outcome ?? declined('unknown_card_token');
  if (outcome.result === 'challenge' && isOfPage === true && card?.later === undefined)
    return { result: 'captured' };
  return outcome.result === 'challenge' && isBuyerAway ? declined('authentication_required') : outcome;
}

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const digit = Number(digits[digits.length - 1 - at]);
    const doubled = at % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
