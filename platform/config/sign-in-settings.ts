import { Type } from 'typebox';
import { audienceParameters } from '#schemas/http/sign-in.js';
import type { ConfigOf, Settings } from './setting.js';
import { httpUrl } from './setting-shapes.js';

const loopbackHost = '(?:localhost|127(?:\\.\\d{1,3}){3}|\\[::1\\])';
const afterHost = '(?::\\d{1,5})?(?:/[\\w.~%-]{1,128}){0,16}/?';

/** Who issues tokens, and how pages get them there (docs/sign-in.md). */
export const signInSettings = {
  JWKS_URL: {
    schema: httpUrl,
    doc: 'URL of the keys of the token issuer. Default: the development issuer, not in production.',
  },
  TOKEN_ISSUER: {
    schema: Type.String({ minLength: 1, maxLength: 256 }),
    fallback: 'meridian-development',
    doc: 'Value that `iss` of a token must have.',
  },
  TOKEN_AUDIENCE: {
    schema: Type.String({ minLength: 1, maxLength: 256 }),
    fallback: 'meridian',
    doc: 'Value that `aud` of a token must contain on the public listener.',
  },
  INTERNAL_TOKEN_AUDIENCE: {
    schema: Type.String({ minLength: 1, maxLength: 256 }),
    fallback: 'meridian-internal',
    doc: 'Value that `aud` of a token must contain on the staff listener.',
  },
  OIDC_ISSUER: {
    schema: Type.String({
      pattern: `^(?:https://[A-Za-z0-9.-]{1,253}|http://${loopbackHost})${afterHost}$`,
      maxLength: 256,
    }),
    doc:
      'OpenID provider at which people sign in on the pages, as in its discovery document: https, or http ' +
      'on loopback. Needs JWKS_URL, OIDC_CLIENT_ID and the same TOKEN_ISSUER.',
  },
  OIDC_CLIENT_ID: {
    schema: Type.String({ pattern: '^[\\x21-\\x7e]+$', maxLength: 256 }),
    doc: 'Public client of the pages at that provider. Needs OIDC_ISSUER.',
  },
  OIDC_SCOPES: {
    schema: Type.String({ pattern: '^openid(?: [\\x21\\x23-\\x5b\\x5d-\\x7e]+){0,15}$', maxLength: 512 }),
    doc:
      'Scopes that pages request beside their own, openid first; offline_access if the provider gives ' +
      'refresh tokens only with it. Default: openid profile. Needs OIDC_ISSUER.',
  },
  OIDC_SCOPE_PREFIX: {
    schema: Type.String({ pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+$', maxLength: 256 }),
    doc:
      'What the provider has before the names of our scopes in requests and answers, but not in tokens; ' +
      'Entra api://{application}/. Default: nothing. Needs OIDC_ISSUER.',
  },
  OIDC_AUDIENCE_PARAMETER: {
    schema: Type.Union(audienceParameters.map((name) => Type.Literal(name))),
    doc:
      'Parameter in which pages name the audience of their token to the provider: resource (RFC 8707) or ' +
      'audience. Default: none, the provider knows it. Needs OIDC_ISSUER.',
  },
} as const satisfies Settings;

type SignInConfig = ConfigOf<typeof signInSettings>;

const onlyWithIssuer = [
  'OIDC_CLIENT_ID',
  'OIDC_SCOPES',
  'OIDC_SCOPE_PREFIX',
  'OIDC_AUDIENCE_PARAMETER',
] as const;

/** What is wrong with these settings together, in one sentence each. */
export function signInFaults(config: SignInConfig): readonly string[] {
  const { OIDC_ISSUER: issuer, OIDC_AUDIENCE_PARAMETER: parameter } = config;
  if (issuer === undefined)
    return onlyWithIssuer
      .filter((name) => config[name] !== undefined)
      .map((name) => `${name} is set, so OIDC_ISSUER must be set too.`);
  const missing = (['JWKS_URL', 'OIDC_CLIENT_ID'] as const).filter((name) => config[name] === undefined);
  return [
    ...(missing.length === 0 ? [] : [`OIDC_ISSUER is set, so ${missing.join(', ')} must be set too.`]),
    ...(config.TOKEN_ISSUER === issuer
      ? []
      : [`TOKEN_ISSUER is ${config.TOKEN_ISSUER}, but tokens of OIDC_ISSUER have iss ${issuer}: set it so.`]),
    ...(parameter === 'resource' ? resourceFaults(config) : []),
  ];
}

function resourceFaults(config: SignInConfig): string[] {
  return (['TOKEN_AUDIENCE', 'INTERNAL_TOKEN_AUDIENCE'] as const)
    .filter((name) => !/^[a-z][a-z\d+.-]*:[^\s#]+$/i.test(config[name]))
    .map(
      (name) =>
        `OIDC_AUDIENCE_PARAMETER is resource, so ${name} must be an absolute URI (RFC 8707), ` +
        `not ${config[name]}.`,
    );
}
