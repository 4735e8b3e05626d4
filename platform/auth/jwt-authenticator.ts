import { decodeProtectedHeader, type JWTPayload, errors as joseErrors, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { parseJson } from '#platform/http/server/parse-json.js';
import { type Authentication, type Authenticator, grantsOf, type Identity } from '../http/identity.js';
import { type KeySource, KeysUnavailable } from './key-source.js';
import {
  leewayS,
  tokenCharactersMax,
  userIdCharactersMax,
  verifiedTokenAgeMaxMs,
  verifiedTokenCharactersMax,
  verifiedTokensMax,
} from './limits.js';

/** Asymmetric only: with these, a public key cannot be used as a shared secret. */
const algorithms = ['EdDSA', 'ES256', 'RS256'];
/** Headers by which a token brings its own key, or says where to fetch it. */
const selfServedKeys = ['jku', 'jwk', 'x5u', 'x5c'] as const;
const userIdPattern = /^[\x21-\x7e]+$/;

export interface JwtAuthenticatorOptions {
  readonly keys: KeySource;
  readonly issuer: string;
  readonly audience: string;
  /** Unix milliseconds. */
  readonly now?: () => number;
}

const scheme = 'Bearer ';

interface Verified {
  /** The complete field, so that the text of a request is compared without cutting the token out of it. */
  readonly authorization: string;
  readonly outcome: Authentication & { readonly ok: true };
  readonly trustedUntil: number;
}

/** Bearer tokens (JWT) of one issuer for one audience. */
export function createJwtAuthenticator(options: JwtAuthenticatorOptions): Authenticator {
  const now = options.now ?? Date.now;
  const verified = new LRUCache<string, Verified>({
    max: verifiedTokensMax,
    maxSize: verifiedTokenCharactersMax,
    sizeCalculation: ({ authorization }) => authorization.length,
  });

  function recall(authorization: string) {
    const known = verified.get(tailOf(authorization));
    return known !== undefined && known.authorization === authorization && now() < known.trustedUntil
      ? known.outcome
      : undefined;
  }

  async function verify(token: string): Promise<Authentication> {
    try {
      const header = decodeProtectedHeader(token);
      if (selfServedKeys.some((name) => name in header)) return invalid('The token contains its own key.');
      if (!claimedOnce(token)) return invalid('The token contains a claim twice.');
      const { payload } = await jwtVerify(token, options.keys.keyFor, {
        algorithms,
        issuer: options.issuer,
        audience: options.audience,
        clockTolerance: leewayS,
        requiredClaims: ['sub', 'exp'],
        currentDate: new Date(now()),
      });
      const scope = scopeOf(payload);
      if (scope === undefined) return invalid('The scopes of the token are in no known form, or in two.');
      const identity = identityOf(payload, scope);
      if (identity === undefined) return invalid('The subject of the token is not a user id.');
      const outcome = { ok: true, identity } as const;
      verified.set(tailOf(token), {
        authorization: `${scheme}${token}`,
        outcome,
        trustedUntil: Math.min(identity.expiresAt + leewayS * 1_000, now() + verifiedTokenAgeMaxMs),
      });
      return outcome;
    } catch (error) {
      return refusal(error);
    }
  }

  return {
    recall,
    verify(token) {
      if (token.length > tokenCharactersMax) return invalid('The token is too long.');
      return recall(`${scheme}${token}`) ?? verify(token);
    },
  };
}

/**
 * The end of the signature, the key of the token cache: hashing the complete token for each request costs
 * more than one comparison. Of two tokens with the same end, the later one replaces the earlier.
 */
const tailOf = (text: string): string => text.slice(-24);

/**
 * `scope` of RFC 9068, or `scp`: Entra has it as such a string, Okta as a list. Of two claims one could lack
 * the `property:` of the other, so both together are in doubt.
 */
function scopeOf({ scope, scp }: JWTPayload): string | undefined {
  if (scope !== undefined && scp !== undefined) return undefined;
  if (scope !== undefined || scp === undefined) return stringOf(scope === undefined ? '' : scope);
  return Array.isArray(scp) && scp.every((name) => typeof name === 'string') ? scp.join(' ') : stringOf(scp);
}

const stringOf = (claim: unknown): string | undefined => (typeof claim === 'string' ? claim : undefined);

function identityOf(payload: JWTPayload, scope: string): Identity | undefined {
  const { sub, exp } = payload;
  if (typeof sub !== 'string' || sub.length > userIdCharactersMax || !userIdPattern.test(sub))
    return undefined;
  return {
    userId: sub,
    ...grantsOf(scope),
    expiresAt: (exp ?? 0) * 1_000,
  };
}

/** Parsers differ in which of two claims with one name they use. */
function claimedOnce(token: string): boolean {
  const [header = '', payload = ''] = token.split('.');
  return [header, payload].every((part) => parseJson(Buffer.from(part, 'base64url')).ok);
}

function refusal(error: unknown): Authentication {
  if (error instanceof KeysUnavailable) return { ok: false, reason: 'unavailable', detail: error.message };
  if (error instanceof joseErrors.JWTExpired) {
    return { ok: false, reason: 'expired', detail: 'The token has expired.' };
  }
  if (error instanceof joseErrors.JWTClaimValidationFailed) {
    return invalid(`The claim ${error.claim} of the token is missing or wrong.`);
  }
  return invalid('The token is not from the configured issuer.');
}

function invalid(detail: string): Authentication {
  return { ok: false, reason: 'invalid', detail };
}
