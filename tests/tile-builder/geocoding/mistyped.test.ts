import { describe, expect, test } from 'vitest';
import { isThePlace, mistypedAddresses } from '#bench/geocode/mistype.js';
import { searchPlaces } from '#tile-builder/geocoding/search-places.js';
import { extractBeside, gothenburg, seeded } from '../real-maps.js';
import { geocodeTown } from './address-town.js';

/** The share of 1,000 addresses with one typing error each that comes first must be 90 %; it is this. */
const least = 0.97;

describe('1,000 of the extract with one typing error each', () => {
  test.each([
    ['gothenburg', gothenburg],
    ['helsinki', extractBeside('helsinki')],
    ['monaco', extractBeside('monaco')],
  ])('%s', { timeout: 60_000 }, async (_, source) => {
    if (source === undefined) return;
    const { index } = await geocodeTown(source);
    const wanted = mistypedAddresses(index, 1_000, seeded(11));
    const right = wanted.filter(({ query, row }) =>
      isThePlace(index, searchPlaces(index, query, { limit: 1 })[0]?.row, row),
    );
    expect(right.length / wanted.length).toBeGreaterThanOrEqual(least);
  });
});
