import { expect, test } from 'vitest';
import { parseTrustedProxies } from '#platform/http/proxy/trusted-proxies.js';

test('addresses and ranges of both versions; version 4 written in version 6 is the same', () => {
  const proxies = parseTrustedProxies('10.0.0.0/8, 192.0.2.1,2001:db8::/32')!;
  const inside = ['10.255.0.1', '192.0.2.1', '2001:db8:1::1', '::ffff:10.0.0.1'];
  const outside = ['11.0.0.1', '192.0.2.2', '2001:db9::1', '::1', '', 'localhost', '10.0.0.1, 10.0.0.2'];
  expect(inside.map((address) => proxies.includes(address))).toEqual(inside.map(() => true));
  expect(outside.map((address) => proxies.includes(address))).toEqual(outside.map(() => false));
});

test('an empty list is none', () => {
  expect([parseTrustedProxies(''), parseTrustedProxies(' ')]).toEqual([undefined, undefined]);
});

test.each([
  '10.0.0.0/33',
  '10.0.0/8',
  '::1/129',
  '1.2.3.4/8/8',
  '1.2.3.4/',
  '1.2.3.4,,5.6.7.8',
  'proxy',
  '*',
])('%s is refused with a sentence', (text) => {
  expect(() => parseTrustedProxies(text)).toThrow(/^TRUSTED_PROXIES names ".*", which is no address/);
});

test('more than 100 entries are refused', () => {
  expect(() => parseTrustedProxies(`${'::1,'.repeat(100)}::1`)).toThrow('more than 100 entries');
});
