import { beforeAll, describe, expect, test } from 'vitest';
import type { GeocodeIndex } from '#geocoding/index/geocode-index.js';
import { countryWords } from '#geocoding/query/country-words.js';
import { parseQuery, withWords } from '#geocoding/query/query.js';
import { searchPlaces } from '#geocoding/query/search-places.js';
import { addressTown, geocodeTown, sourceOf } from './address-town.js';

describe('the name in a query', () => {
  test.each([
    ['Storgatan 2, 123 45 Testby', 2],
    ['99, Storgatan, Testby', 2],
    ['Storgatan 2\nTestby', 2],
    ['Storgatan 2; Testby', 2],
    ['Storgatan 2 Testby', 3],
    ['12, 34', 2],
    ['', 0],
  ])('the name in %j is the first %i words', (text, contextFrom) =>
    expect(parseQuery(text).contextFrom).toBe(contextFrom),
  );

  test('is read up to the twelfth word and the two hundredth letter', () => {
    expect(parseQuery('a b c d e f g h i j k l m n, o')).toEqual({
      words: 'a b c d e f g h i j k l'.split(' '),
      contextFrom: 12,
    });
    expect(parseQuery(`${'x, '.repeat(3)}${' '.repeat(200)}y`).words).toEqual(['x', 'x', 'x']);
  });

  test('stays the same when words are joined or split', () => {
    const asked = { words: ['nor', 'ra', 'vagen', 'test', 'by'], contextFrom: 3 };
    expect(withWords(asked, 0, 2, ['norra'])).toEqual({
      words: ['norra', 'vagen', 'test', 'by'],
      contextFrom: 2,
    });
    expect(withWords(asked, 2, 2, ['vagentest']).contextFrom).toBe(3);
    expect(withWords(asked, 3, 2, ['testby']).contextFrom).toBe(3);
    expect(withWords({ words: ['a', 'b'], contextFrom: 1 }, 0, 2, ['ab']).contextFrom).toBe(1);
  });
});

test.each([
  ['US', ['us', 'usa', 'united', 'states', 'estados', 'amerika']],
  ['GB', ['gb', 'uk', 'united', 'kingdom', 'royaume']],
  ['FI', ['fi', 'suomi', 'finland', 'финляндия']],
  ['EE', ['eesti', 'estonia', 'viro']],
  ['DE', ['germany', 'deutschland', 'allemagne', '德国']],
])('%s is recognized by its name in many languages', (code, words) => {
  expect([...countryWords(code)]).toEqual(expect.arrayContaining(words));
  expect(countryWords(code)).not.toContain('atlantis');
});

test('text that is not a country code has no name', () => {
  expect(countryWords('').size).toBe(0);
  expect([...countryWords('x!')]).toEqual(['x']);
});

describe('a complete address', () => {
  let index: GeocodeIndex;
  beforeAll(async () => {
    const ways = addressTown.ways!;
    const called = (id: number, name: string, refs: number[]) => ({
      id,
      refs,
      tags: { highway: 'residential', name },
    });
    const town = await geocodeTown(
      sourceOf({
        nodes: addressTown.nodes,
        ways: [
          ...ways,
          called(200, 'East Street', [1, 5]),
          // The larger of the two roads, which would otherwise rank before the other.
          { id: 201, refs: [3, 5], tags: { highway: 'primary', name: 'East Testby Street' } },
          { id: 202, refs: [4, 9], tags: { highway: 'primary', name: 'Malmköping Road' } },
          called(203, 'Malmköping Road', [20, 21]),
        ],
      }),
    );
    index = town.index;
  });
  const first = (query: string) => {
    const [found] = searchPlaces(index, query);
    return (
      found && {
        ...found,
        name: index.name(index.isHouse(found.row) ? index.streetOf(found.row) : found.row, ''),
      }
    );
  };

  test('prefers the place with exactly the name to one with the town in its name', () => {
    expect(first('East Street, Testby')).toMatchObject({ name: 'East Street', partial: false });
    expect(first('East Testby Street, Testby')).toMatchObject({ name: 'East Testby Street', partial: false });
  });

  test('of two roads that are named after a town, a complete address finds the one in it', () => {
    const found = first('Malmköping Road, Malmköping')!;
    expect(found).toMatchObject({ name: 'Malmköping Road', partial: false });
    expect(index.name(index.data.settlement[found.row]!, '')).toBe('Malmköping');
  });

  test('may name its country in any language', () => {
    expect(first('Köpmansgatan Sverige Sweden Suède Ruotsi Zweden')).toMatchObject({
      name: 'Köpmansgatan',
      partial: false,
    });
  });

  test('never matches a house number that lacks one digit', () => {
    expect(first('Storgatan 19 Testby')).toMatchObject({ name: 'Storgatan', partial: true });
    expect(index.isHouse(first('Storgatan 19 Testby')!.row)).toBe(false);
  });

  test('does not read a descending range as a range', () => {
    expect(first('Storgatan 1-11, Testby')).toMatchObject({ name: 'Storgatan', partial: false });
    expect(first('Storgatan 11-1, Testby')).toMatchObject({ name: 'Storgatan', partial: true });
  });
});
