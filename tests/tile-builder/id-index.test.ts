import fc from 'fast-check';
import { expect, it } from 'vitest';
import { IdIndex } from '#osm/elements/id-index.js';

it('finds exactly the ids that a map finds', () => {
  const id = fc.oneof(fc.integer({ min: -50, max: 50 }), fc.maxSafeInteger(), fc.nat(20_000_000_000));
  fc.assert(
    fc.property(fc.uniqueArray(id, { maxLength: 200 }), fc.array(id), (ids, others) => {
      const index = new IdIndex(Float64Array.from(ids));
      const model = new Map(ids.map((each, place) => [each, place]));
      for (const each of [...ids, ...others]) expect(index.find(each)).toBe(model.get(each) ?? -1);
    }),
  );
});
