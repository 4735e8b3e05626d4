/** Reasons that the buyer can act on. The bank does not share any other reason. */
const declines: Readonly<Record<string, string>> = {
  insufficient_funds: 'Your card has insufficient funds.',
  expired_card: 'Your card has expired.',
  incorrect_number: 'Your card number is incorrect.',
  incorrect_cvc: 'Your card’s security code is incorrect.',
  address_mismatch: 'Your address does not match the one that your bank has.',
  authentication_required: 'Your bank wants you to confirm the payment. Pay again while you are here.',
  unknown_card_token: 'The saved card cannot be used for this payment.',
};

/** Why a card was declined, to its owner. */
export const declinedBecause = (code: string): string => declines[code] ?? 'Your card was declined.';

const others: Readonly<Record<string, string>> = {
  expired: 'The time to pay is over.',
  voided: 'The payment was cancelled.',
  amount_differs: 'The payment provider charged a wrong amount. You will get a full refund.',
  captured_late: 'Your payment came too late. You will get a full refund.',
  retries_exhausted: 'The payment provider is not responding. Try again later.',
  risk_blocked: 'The payment was refused.',
  review_denied: 'The payment was refused.',
};

/** Why a payment failed, to the buyer. `isDecline`: the bank refused the card. */
export const failedBecause = (code: string, isDecline: boolean): string =>
  isDecline ? declinedBecause(code) : (others[code] ?? 'The payment failed.');
