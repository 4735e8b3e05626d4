import { expect, test } from 'vitest';
import { isLocalPage } from '#api/development/is-local-page.js';

const asked = (clientAddress: string, headers: Readonly<Record<string, string>>) =>
  isLocalPage({ clientAddress, header: (name) => headers[name], headerNames: () => Object.keys(headers) });

test.each([
  ['127.0.0.1', { host: 'localhost:8080' }],
  ['127.0.0.1', { host: '127.0.0.1:8080', origin: 'http://127.0.0.1:8080', 'sec-fetch-site': 'same-origin' }],
  ['0000:0000:0000:0000:0000:0000:0000:0001', { host: '[::1]:8080' }],
  ['0000:0000:0000:0000:0000:ffff:7f00:0001', { host: 'localhost' }],
])('S1: a page of this server on this machine gets a token: %s %j', (address, headers) => {
  expect(asked(address, headers)).toBe(true);
});

test.each<[string, Readonly<Record<string, string>>, string]>([
  ['10.0.0.7', { host: 'localhost:8080' }, 'another machine that says localhost'],
  ['0000:0000:0000:0000:0000:ffff:0a00:0007', { host: 'localhost' }, 'the same, mapped into IPv6'],
  ['127.0.0.1', { host: 'evil.example:8080' }, 'a name pointed at loopback'],
  ['127.0.0.1', { host: 'localhost.evil.example' }, 'a name that begins alike'],
  ['127.0.0.1', { host: 'localhost:8080', origin: 'http://evil.example' }, 'a page of another site'],
  ['127.0.0.1', { host: 'localhost:8080', origin: 'null' }, 'a sandboxed page'],
  [
    '127.0.0.1',
    { host: 'localhost:8080', origin: 'http://localhost:3000' },
    'another server on this machine',
  ],
  ['127.0.0.1', { host: 'localhost:8080', 'sec-fetch-site': 'cross-site' }, 'a browser that says cross-site'],
  ['127.0.0.1', { host: 'localhost:8080', forwarded: 'for=10.0.0.7' }, 'a proxy that says for whom'],
  ['127.0.0.1', { host: 'localhost:8080', 'x-forwarded-for': '' }, 'one that says for nobody'],
  ['127.0.0.1', { host: 'localhost:8080', 'x-forwarded-proto': 'https' }, 'one that ends TLS'],
  ['127.0.0.1', { host: 'localhost:8080', 'x-real-ip': '127.0.0.1' }, 'one that says loopback'],
  ['127.0.0.1', { host: 'localhost:8080', via: '1.1 proxy' }, 'one that names itself'],
  ['127.0.0.1', { host: 'localhost:8080', 'cf-connecting-ip': '10.0.0.7' }, 'a network of caches'],
  ['127.0.0.1', { host: 'localhost:8080', connection: 'close' }, 'nginx as it comes'],
  ['127.0.0.1', {}, 'no host at all'],
  ['', { host: 'localhost' }, 'a client that has gone'],
])('refuses %s %j: %s', (address, headers) => {
  expect(asked(address, headers)).toBe(false);
});
