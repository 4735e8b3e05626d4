import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { testCards } from '#payment-simulator/cards.js';
import { proves } from '#tools/acceptance/proves.js';
import {
  filesBelow,
  readCache,
  readLocations,
  readObjects,
  readTables,
  readTopics,
} from './server-contents.js';

/** Data files and logs of the servers that `infra/up` started; those of other servers are not here. */
const serversFolder =
  process.env['MERIDIAN_INFRA_DATA'] ?? fileURLToPath(new URL('../../data/infra', import.meta.url));
const files = existsSync(join(serversFolder, 'logs'))
  ? ([['data files and logs of the servers', filesBelow(serversFolder)]] as const)
  : [];
/** Every number that a test types on a page of the provider, or into a field where it does not belong. */
const typed = [...testCards.map(({ number }) => number), '5555555555554444'];
/** Digits with anything but letters between them: one pattern reads a file once, not once for each number. */
const digitsInARow = /\d(?:[^0-9a-zA-Z]{0,3}\d){12,}/g;
const holdsTyped = (text: string): boolean => {
  const digits = text.replaceAll(/\D/g, '');
  return typed.some((number) => digits.includes(number));
};

proves('P-110', {
  asked: 'P-023 in CI, after the full suite, over every store and log',
  shown:
    'last of all: the servers, their files and logs; before, programs of browser, http-program and pay-link',
  control: {
    test: 'control: the scan finds a card number that any of the servers holds',
    file: 'tests/real/card-data.real.test.ts',
  },
});
test.each([
  ['topics', readTopics],
  ['tables', readTables],
  ['cache', readCache],
  ['locations', readLocations],
  ['objects', readObjects],
  ...files,
] as const)(
  'P-023, P-110: after all tests no card is in the %s',
  { timeout: 600_000 },
  async (where, read) => {
    const found: string[] = [];
    let pieces = 0;
    await read((piece) => {
      pieces += 1;
      for (const [row] of piece.matchAll(digitsInARow)) if (holdsTyped(row)) found.push(row.slice(0, 300));
    });
    expect(found).toEqual([]);
    // The cache may be empty by now.
    if (where !== 'cache') expect(pieces).toBeGreaterThan(0);
  },
);
