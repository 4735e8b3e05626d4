import fc from 'fast-check';
import { expect, it } from 'vitest';
import { seeded } from '#bench/routing/seeded.js';
import { sortByKey } from '#tile-builder/partition/sort-by-key.js';
import { runs } from '../property-runs.js';

it('sorts as a stable comparison does, few and many, with any key of the size', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 1_500 }),
      fc.constantFrom(1, 9, 26),
      fc.nat(),
      (count, bits, seed) => {
        const random = seeded(seed);
        const keys = Uint32Array.from({ length: count }, () => Math.floor(random() * 2 ** bits));
        const items = Uint32Array.from({ length: count }, () => Math.floor(random() * 2 ** 32));
        const before = items.slice();
        const expected = [...keys.keys()].toSorted((a, b) => keys[a]! - keys[b]!).map((i) => items[i]!);
        expect([...sortByKey(items, keys.slice(), bits)]).toEqual(expected);
        expect(items).toEqual(before);
      },
    ),
    { numRuns: runs(100) },
  );
});
