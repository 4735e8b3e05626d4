import { describe, expect, it } from 'vitest';
import { readConfig } from '#platform/config/read-config.js';
import { settings } from '#platform/config/settings.js';
import { signInFaults } from '#platform/config/sign-in-settings.js';

const issuer = 'https://id.example/realms/city';
const complete = {
  JWKS_URL: `${issuer}/certs`,
  TOKEN_ISSUER: issuer,
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: 'meridian-pages',
};

function faults(environment: Readonly<Record<string, string>>): readonly string[] {
  const outcome = readConfig(settings, environment);
  return outcome.ok ? signInFaults(outcome.config) : outcome.faults;
}

describe('settings of the sign-in', () => {
  it.each([
    ['nothing', {}],
    ['keys alone', { JWKS_URL: complete.JWKS_URL }],
    ['all that are needed', complete],
    ['an issuer on loopback', { ...complete, TOKEN_ISSUER: 'http://[::1]:9', OIDC_ISSUER: 'http://[::1]:9' }],
    ['an audience of Auth0', { ...complete, OIDC_AUDIENCE_PARAMETER: 'audience' }],
    [
      'audiences that are URIs',
      {
        ...complete,
        OIDC_AUDIENCE_PARAMETER: 'resource',
        TOKEN_AUDIENCE: 'https://maps.example/',
        INTERNAL_TOKEN_AUDIENCE: 'urn:meridian:internal',
      },
    ],
  ])('accepts %s', (_, environment) => {
    expect(faults(environment)).toEqual([]);
  });

  it.each([
    ['OIDC_ISSUER', { ...complete, OIDC_ISSUER: 'http://id.example' }],
    ['OIDC_ISSUER', { ...complete, OIDC_ISSUER: 'http://localhost.id.example' }],
    ['OIDC_ISSUER', { ...complete, OIDC_ISSUER: `${issuer}?realm=city` }],
    ['OIDC_ISSUER', { ...complete, OIDC_ISSUER: `https://user:pass@id.example` }],
    ['OIDC_CLIENT_ID', { ...complete, OIDC_CLIENT_ID: 'two words' }],
    ['OIDC_SCOPES', { ...complete, OIDC_SCOPES: 'profile' }],
    ['OIDC_AUDIENCE_PARAMETER', { ...complete, OIDC_AUDIENCE_PARAMETER: 'aud' }],
    ['OIDC_CLIENT_ID is set, so OIDC_ISSUER', { OIDC_CLIENT_ID: 'pages' }],
    ['OIDC_SCOPE_PREFIX', { ...complete, OIDC_SCOPE_PREFIX: 'api://maps/ x' }],
    ['OIDC_SCOPE_PREFIX is set, so OIDC_ISSUER', { OIDC_SCOPE_PREFIX: 'api://maps/' }],
    ['OIDC_SCOPES is set, so OIDC_ISSUER', { OIDC_SCOPES: 'openid' }],
    ['OIDC_AUDIENCE_PARAMETER is set, so OIDC_ISSUER', { OIDC_AUDIENCE_PARAMETER: 'audience' }],
    ['OIDC_ISSUER is set, so JWKS_URL must', { ...complete, JWKS_URL: '' }],
    ['OIDC_ISSUER is set, so OIDC_CLIENT_ID must', { ...complete, OIDC_CLIENT_ID: '' }],
    ['TOKEN_ISSUER is meridian-development', { ...complete, TOKEN_ISSUER: '' }],
    ['TOKEN_ISSUER is https://id.example,', { ...complete, TOKEN_ISSUER: 'https://id.example' }],
    [
      'OIDC_AUDIENCE_PARAMETER is resource, so INTERNAL_TOKEN_AUDIENCE',
      { ...complete, OIDC_AUDIENCE_PARAMETER: 'resource', TOKEN_AUDIENCE: 'https://maps.example' },
    ],
  ])('refuses with one sentence: %s', (sentence, environment) => {
    const [fault, ...others] = faults(environment);
    expect(others).toEqual([]);
    expect(fault?.slice(0, sentence.length)).toBe(sentence);
    expect(fault).toMatch(/\.$/);
  });
});
