import { expect, test } from 'vitest';
import { acceptsGzip } from '#api/http/accepts-gzip.js';

test.each([
  ['gzip', true],
  ['br, gzip;q=0.5', true],
  ['GZIP', true],
  ['gzip;q=1.0, deflate', true],
  ['gzip;q=0', false],
  ['gzip; q=0.00, br', false],
  ['br, deflate', false],
  ['', false],
  [undefined, false],
])('Accept-Encoding %j: %s', (header, expected) => {
  expect(acceptsGzip({ header: () => header })).toBe(expected);
});
