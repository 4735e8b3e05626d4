import * as oauth from 'oauth4webapi';
import { messages } from './sign-in-messages.js';

export type Failure = keyof typeof messages.failures;

/** A sign-in that did not succeed, with one sentence for the person. */
export class SignInFailed extends Error {
  constructor(kind: Failure) {
    super(messages.failures[kind]);
    this.name = 'SignInFailed';
  }
}

/** Errors of RFC 6749 and OpenID Connect that a person can do something about. */
const byError: Readonly<Record<string, Failure>> = {
  access_denied: 'refused',
  login_required: 'again',
  interaction_required: 'again',
  consent_required: 'again',
  account_selection_required: 'again',
  invalid_grant: 'again',
  temporarily_unavailable: 'silent',
  invalid_scope: 'scope',
};

/** Errors of the library in the words of the page. */
export function failureOf(cause: unknown): SignInFailed {
  if (cause instanceof SignInFailed) return cause;
  if (cause instanceof oauth.AuthorizationResponseError || cause instanceof oauth.ResponseBodyError)
    return new SignInFailed(byError[cause.error] ?? 'provider');
  if (cause instanceof oauth.OperationProcessingError) {
    if (cause.code === oauth.JWT_TIMESTAMP_CHECK) return new SignInFailed('clock');
    // The answer is not to what this tab asked for: `state`, `nonce` or `iss` differ.
    if (cause.code === oauth.INVALID_RESPONSE || cause.code === oauth.JWT_CLAIM_COMPARISON)
      return new SignInFailed('mismatch');
    return new SignInFailed('provider');
  }
  // `fetch` fails with a TypeError, and its limit of time with a TimeoutError.
  const name = cause instanceof Error ? cause.name : '';
  return new SignInFailed(name === 'TypeError' || name === 'TimeoutError' ? 'silent' : 'provider');
}
