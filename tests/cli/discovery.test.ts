import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkDiscovery } from '#cli/doctor/discovery.js';

describe('doctor reads the discovery document of the provider', () => {
  let answer: Record<string, unknown> | undefined;
  let issuer: string;
  const server = createServer((request, response) => {
    if (request.url !== '/realm/.well-known/openid-configuration' || answer === undefined)
      response.writeHead(404).end();
    else response.end(JSON.stringify(answer));
  });
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}/realm`;
  });
  afterAll(() => void server.close());
  const whole = () => ({
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    code_challenge_methods_supported: ['S256'],
  });
  const checked = (change: object | undefined) => {
    answer = change && { ...whole(), ...change };
    return checkDiscovery(issuer, { JWKS_URL: `${issuer}/keys` });
  };

  it('that fits', async () => {
    expect(await checked({})).toMatchObject({ state: 'ok' });
  });

  it.each([
    ['answers 404', undefined, 'failed'],
    ['is of the issuer https://other.example', { issuer: 'https://other.example' }, 'failed'],
    ['has no token_endpoint', { token_endpoint: undefined }, 'failed'],
    ['is not at', { token_endpoint: 'https://tokens.example/token' }, 'failed'],
    ['does not offer PKCE with S256', { code_challenge_methods_supported: ['plain'] }, 'failed'],
    ['JWKS_URL is another address', { jwks_uri: 'https://id.example/keys' }, 'warning'],
  ])('that %s', async (detail, change, state) => {
    const found = await checked(change);
    expect(found).toMatchObject({ state, detail: expect.stringContaining(detail) as string });
  });
});
