import { type Scope, scopes } from '#schemas/http/route-contract.js';

/** The sender of a request, according to its verified token. */
export interface Identity {
  readonly userId: string;
  readonly scopes: readonly Scope[];
  /** Ids of the hotels to which `property:{id}` limits the caller; absent: all hotels. */
  readonly properties?: readonly string[];
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

/** Hotels that one token may name; of more, the first ones count. */
const propertiesMax = 100;
const property = 'property:';

/**
 * What the scopes of a token allow, separated by spaces; unknown ones allow nothing. `staff` is the earlier
 * name of `desk`. A `property:{id}` that names no hotel still limits the caller, to none.
 */
export function grantsOf(scope: string): Pick<Identity, 'scopes' | 'properties'> {
  const granted = scope.split(' ').map((name) => (name === 'staff' ? 'desk' : name));
  const properties = granted.filter((name) => name.startsWith(property));
  return {
    scopes: scopes.filter((known) => granted.includes(known)),
    ...(properties.length === 0
      ? {}
      : { properties: properties.slice(0, propertiesMax).flatMap((name) => hotelIn(name)) }),
  };
}

function hotelIn(name: string): readonly string[] {
  try {
    const id = decodeURIComponent(name.slice(property.length));
    return id === '' ? [] : [id];
  } catch {
    return [];
  }
}

/** The scope that limits its bearer to one hotel. */
export const propertyScope = (hotelId: string): string => property + encodeURIComponent(hotelId);

export const mayManage = ({ properties }: Identity, hotelId: string): boolean =>
  properties === undefined || properties.includes(hotelId);
