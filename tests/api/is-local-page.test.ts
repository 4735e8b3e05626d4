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
  ['10.0.0.7', { host: 'localhost:8080' }, 'another machine with localhost as host'],
  ['0000:0000:0000:0000:0000:ffff:0a00:0007', { host: 'localhost' }, 'the same, mapped into IPv6'],
  ['127.0.0.1', { host: 'evil.example:8080' }, 'a name that resolves to loopback'],
  ['127.0.0.1', { host: 'localhost.evil.example' }, 'a name with the same start'],
  ['127.0.0.1', { host: 'localhost:8080', origin: 'http://evil.example' }, 'a page of another site'],
  ['127.0.0.1', { host: 'localhost:8080', origin: 'null' }, 'a sandboxed page'],
  [
    '127.0.0.1',
    { host: 'localhost:8080', origin: 'http://localhost:3000' },
    'another server on this machine',
  ],
  [
    '127.0.0.1',
    { host: 'localhost:8080', 'sec-fetch-site': 'cross-site' },
    'a browser that sends cross-site',
  ],
  ['127.0.0.1', { host: 'localhost:8080', forwarded: 'for=10.0.0.7' }, 'a proxy that names its client'],
  ['127.0.0.1', { host: 'localhost:8080', 'x-forwarded-for': '' }, 'a proxy that names no client'],
  ['127.0.0.1', { host: 'localhost:8080', 'x-forwarded-proto': 'https' }, 'a proxy that terminates TLS'],
  ['127.0.0.1', { host: 'localhost:8080', 'x-real-ip': '127.0.0.1' }, 'a proxy that sends loopback'],
  ['127.0.0.1', { host: 'localhost:8080', via: '1.1 proxy' }, 'a proxy that names itself'],
  ['127.0.0.1', { host: 'localhost:8080', 'cf-connecting-ip': '10.0.0.7' }, 'a content delivery network'],
  ['127.0.0.1', { host: 'localhost:8080', connection: 'close' }, 'nginx with its default settings'],
  ['127.0.0.1', {}, 'no host'],
  ['', { host: 'localhost' }, 'a client that has disconnected'],
])('refuses %s %j: %s', (address, headers) => {
  expect(asked(address, headers)).toBe(false);
});
