import type { Scope } from '#schemas/http/route-contract.js';

/** The sender of a request, according to its verified token. */
export interface Identity {
  readonly userId: string;
  readonly scopes: readonly Scope[];
  /** Unix milliseconds after which the token is invalid. */
  readonly expiresAt: number;
}

/**
 * `unavailable`: the issuer's keys cannot be fetched and none were fetched before, so no caller can be
 * identified.
 */
export type Authentication =
  | { readonly ok: true; readonly identity: Identity }
  | { readonly ok: false; readonly reason: 'invalid' | 'expired' | 'unavailable'; readonly detail: string };

/**
 * Turns a bearer token into an identity. The result is immediate for a token that was verified before, so
 * that a hot path verifies the signature once.
 *
 * ```ts
 * const outcome = await authenticator.verify(token);
 * if (!outcome.ok) return refuse(outcome.reason);
 * ```
 */
export interface Authenticator {
  /**
   * The recent result of `verify` for exactly this `Bearer <token>` text; nothing if it must be verified
   * again.
   */
  recall?(authorization: string): (Authentication & { readonly ok: true }) | undefined;
  verify(token: string): Authentication | Promise<Authentication>;
}

export function hasAnyScope(identity: Identity, wanted: readonly Scope[]): boolean {
  return wanted.some((scope) => identity.scopes.includes(scope));
}
