import fc from 'fast-check';
import type { RawFeature } from 'geojson-vt';
import { describe, expect, it } from 'vitest';
import { mergeLayer } from '#map-tiles/build/tiles/merge-layer.js';
import { encodeLayers, tagsOf } from '#map-tiles/format/encode-vector-tile.js';
import type { Attribute } from '#map-tiles/format/map-feature.js';

interface Piece {
  readonly number: number;
  readonly isGone: boolean;
  readonly isFresh: boolean;
  readonly attributes: readonly Attribute[];
  readonly points: readonly number[];
}

const value = fc.oneof(
  fc.constantFrom('a', 'aa', '\u0003aaa', '"\u0003\n\u0001a', 'ä', 1, 0, -7, 2.5, true, false),
  fc.string({ maxLength: 200 }),
);
const attributes = fc.uniqueArray(
  fc.record({ key: fc.constantFrom('name', 'kind', 'ref', 'n'), value, fromZoom: fc.constantFrom(0, 13) }),
  { selector: ({ key }) => key, maxLength: 4 },
);
const pieces = fc
  .array(
    fc.record({
      isGone: fc.boolean(),
      isFresh: fc.boolean(),
      attributes,
      points: fc.array(fc.integer({ min: -64, max: 4_160 }), { minLength: 2, maxLength: 40 }),
    }),
    { maxLength: 60 },
  )
  .map((list): Piece[] => list.map((piece, number) => ({ ...piece, number })));

const rawOf = ({ number, attributes: given, points }: Piece): RawFeature => ({
  type: 2,
  geometry: [Int32Array.from(points.slice(0, points.length & ~1))],
  tags: tagsOf({ drawing: { layer: 'streets', minZoom: 0, attributes: given }, number }),
});

describe('a layer with inserted features', () => {
  it('M-043: equals byte for byte the layer made of all of them', () => {
    fc.assert(
      fc.property(pieces, fc.constantFrom(12, 14), (all, zoom) => {
        const before = encodeLayers(all.filter(({ isFresh }) => !isFresh).map(rawOf), zoom)[0];
        const now = all.filter(({ isFresh, isGone }) => isFresh || !isGone);
        const expected = encodeLayers(now.map(rawOf), zoom)[0];
        const fresh = all.filter(({ isFresh }) => isFresh).map(rawOf);
        if (before === undefined) return;
        const merged = mergeLayer({ ...before, numbers: before.numbers! }, fresh, zoom, {
          isGone: (number) => all[number]!.isGone,
          precedes: (one, other) => one < other,
        });
        expect(merged && Buffer.from(merged.bytes)).toEqual(expected && Buffer.from(expected.bytes));
        expect(merged?.numbers).toEqual(expected?.numbers);
      }),
      { numRuns: 400, seed: 3 },
    );
  });
});
