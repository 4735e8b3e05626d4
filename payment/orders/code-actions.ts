/**
 * The reaction to a failure. `retry`: the provider did nothing and may do it later. `cancel`: no money,
 * permanently. `refund`: money was taken that the order cannot accept; it is refunded. `manual`: no money,
 * and a person should check.
 */
export type CodeAction = 'retry' | 'cancel' | 'refund' | 'manual';

/** Codes of the provider and our own. Declines close the nonce, so none of them is tried again. */
export const codeActions: Readonly<Record<string, CodeAction>> = {
  card_declined: 'cancel',
  insufficient_funds: 'cancel',
  expired_card: 'cancel',
  incorrect_number: 'cancel',
  incorrect_cvc: 'cancel',
  address_mismatch: 'cancel',
  authentication_required: 'cancel',
  authentication_failed: 'cancel',
  authentication_timeout: 'cancel',
  unknown_card_token: 'cancel',
  suspected_fraud: 'manual',
  stolen_card: 'manual',
  issuer_unavailable: 'retry',
  rate_limited: 'retry',
  provider_unavailable: 'retry',
  provider_unreachable: 'retry',
  never_arrived: 'retry',
  nonce_used_otherwise: 'manual',
  invalid_nonce: 'manual',
  invalid_amount: 'manual',
  invalid_currency: 'manual',
  invalid_expiry: 'manual',
  invalid_api_key: 'retry',
  expired: 'cancel',
  voided: 'cancel',
  retries_exhausted: 'manual',
  risk_blocked: 'cancel',
  review_denied: 'cancel',
  amount_differs: 'refund',
  captured_late: 'refund',
};

/** Declines by the card or its bank; other codes have other causes. */
const cardCodes: ReadonlySet<string> = new Set([
  'card_declined',
  'insufficient_funds',
  'expired_card',
  'incorrect_number',
  'incorrect_cvc',
  'address_mismatch',
  'authentication_required',
  'authentication_failed',
  'authentication_timeout',
  'unknown_card_token',
  'suspected_fraud',
  'stolen_card',
]);

/**
 * Whether another card may succeed after this failure. A code that we do not know is a decline of the
 * provider.
 */
export const anotherCardMayDo = (code: string): boolean =>
  cardCodes.has(code) || !Object.hasOwn(codeActions, code);

/** A decline that we do not know is still a decline; a refusal that we do not know needs a person. */
export function actionOf(code: string, unknown: 'cancel' | 'manual'): CodeAction {
  return Object.hasOwn(codeActions, code) ? codeActions[code]! : unknown;
}
