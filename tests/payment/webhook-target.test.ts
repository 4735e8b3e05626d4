import type { LookupAddress } from 'node:dns';
import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { postWebhook } from '#platform/webhooks/post-webhook.js';
import { isPublicAddress, publicLookup } from '#platform/webhooks/public-address.js';
import { targetProblem } from '#platform/webhooks/webhook-target.js';

describe('where a webhook may lead', () => {
  it.each([
    ['127.0.0.1', false],
    ['10.1.2.3', false],
    ['172.31.0.1', false],
    ['172.32.0.1', true],
    ['192.168.1.1', false],
    ['169.254.169.254', false],
    ['100.64.0.1', false],
    ['0.0.0.0', false],
    ['224.0.0.1', false],
    ['255.255.255.255', false],
    ['8.8.8.8', true],
    ['::1', false],
    ['::', false],
    ['::ffff:127.0.0.1', false],
    ['::ffff:8.8.8.8', false],
    ['fc00::1', false],
    ['fe80::1', false],
    ['64:ff9b::7f00:1', false],
    ['2002:7f00:1::', false],
    ['2001:db8::1', false],
    ['2606:4700::1111', true],
    ['not an address', false],
  ])('%s is public: %s', (address, expected) => expect(isPublicAddress(address)).toBe(expected));

  it.each([
    'http://example.com/',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://0x7f.0.0.1/',
    'https://2130706433/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://localhost/',
    'https://db.localhost/',
    'https://metadata.google.internal/',
    'https://user:password@example.com/',
    'https://example.com/#part',
    'ftp://example.com/',
    'file:///etc/passwd',
    '/relative',
    `https://example.com/${'a'.repeat(2_048)}`,
  ])('%s is refused', (url) => expect(targetProblem(url, 'public')).toMatch(/^must /));

  it('a usual address is accepted, and development may use its own machine', () => {
    expect(targetProblem('https://shop.example.com:8443/hooks?a=b', 'public')).toBeUndefined();
    expect(targetProblem('http://127.0.0.1:8080/', 'any')).toBeUndefined();
    expect(targetProblem('ftp://example.com/', 'any')).toMatch(/^must /);
  });
});

describe('a name', () => {
  const resolved = (...lists: readonly string[][]) => {
    let asked = 0;
    const resolve = (_: string, __: object, callback: (error: null, all: LookupAddress[]) => void) =>
      callback(
        null,
        lists[Math.min(asked++, lists.length - 1)]!.map((address) => ({ address, family: 4 })),
      );
    const lookup = publicLookup(resolve as never);
    const once = (all: boolean) =>
      new Promise((settle) =>
        lookup('shop.example', { all }, (error, address) => settle(error === null ? address : error.name)),
      );
    return { once, count: () => asked };
  };

  it('is refused if any of its addresses is not public', async () => {
    expect(await resolved(['8.8.8.8', '10.0.0.1']).once(true)).toBe('AddressRefused');
    expect(await resolved(['127.0.0.1']).once(false)).toBe('AddressRefused');
    expect(await resolved([]).once(true)).toBe('AddressRefused');
  });

  it('is resolved once for a connection, which goes to the address that was checked', async () => {
    const rebinding = resolved(['8.8.8.8'], ['127.0.0.1']);
    expect(await rebinding.once(false)).toBe('8.8.8.8');
    expect(rebinding.count()).toBe(1);
    // The next connection is checked again.
    expect(await rebinding.once(true)).toBe('AddressRefused');
  });

  it('of this machine gets no connection, whatever it is called', async () => {
    const { signal } = new AbortController();
    const post = { headers: {}, body: '{}', rule: 'public', signal, timeoutMs: 10_000 } as const;
    for (const host of ['127.0.0.1', '[::1]', 'localhost'])
      expect(await postWebhook({ ...post, url: `https://${host}:9/` })).toMatchObject({
        status: undefined,
        failure: 'the URL must be an address of the public Internet',
      });
    const own = await postWebhook({ ...post, url: `https://${hostname()}:9/` });
    expect(own.failure).toMatch(/not on the public Internet|ENOTFOUND|EAI_AGAIN/);
  });
});
