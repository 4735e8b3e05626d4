/**
 * Stripe's codes in our words; `orders/code-actions.ts` says what follows from each. A decline that is not
 * listed is `card_declined`.
 */
const declines: Readonly<Record<string, string>> = {
  insufficient_funds: 'insufficient_funds',
  card_velocity_exceeded: 'insufficient_funds',
  withdrawal_count_limit_exceeded: 'insufficient_funds',
  expired_card: 'expired_card',
  invalid_expiry_month: 'expired_card',
  invalid_expiry_year: 'expired_card',
  incorrect_number: 'incorrect_number',
  invalid_number: 'incorrect_number',
  invalid_account: 'incorrect_number',
  incorrect_cvc: 'incorrect_cvc',
  invalid_cvc: 'incorrect_cvc',
  incorrect_address: 'address_mismatch',
  incorrect_zip: 'address_mismatch',
  fraudulent: 'suspected_fraud',
  merchant_blacklist: 'suspected_fraud',
  security_violation: 'suspected_fraud',
  lost_card: 'stolen_card',
  stolen_card: 'stolen_card',
  pickup_card: 'stolen_card',
  restricted_card: 'stolen_card',
  authentication_required: 'authentication_required',
  authentication_not_handled: 'authentication_failed',
  payment_intent_authentication_failure: 'authentication_failed',
  payment_intent_payment_attempt_expired: 'authentication_timeout',
};

/** Errors about the request, before any bank was asked. */
const errors: Readonly<Record<string, string>> = {
  amount_too_large: 'invalid_amount',
  amount_too_small: 'invalid_amount',
  parameter_invalid_integer: 'invalid_amount',
  charge_already_refunded: 'above_captured',
  resource_missing: 'unknown_reference',
  idempotency_error: 'nonce_used_otherwise',
};

type Fields = Readonly<Record<string, unknown>>;

/** The bank's reason comes first: the code is only `card_declined`. */
export function declineCodeOf(error: Fields): string {
  const { decline_code: reason, code } = error;
  return entry(declines, reason) ?? entry(declines, code) ?? 'card_declined';
}

export function errorCodeOf(error: Fields): string {
  const { type, code, param } = error;
  if (type === 'card_error') return declineCodeOf(error);
  // Detached cards have no code, and their customers are deleted.
  if (type === 'invalid_request_error' && (param === 'payment_method' || param === 'customer'))
    return 'unknown_card_token';
  return entry(errors, code) ?? entry(errors, type) ?? 'invalid_request';
}

const entry = (table: Readonly<Record<string, string>>, key: unknown): string | undefined =>
  typeof key === 'string' && Object.hasOwn(table, key) ? table[key] : undefined;
