import { VectorTile } from '@mapbox/vector-tile';
import fc from 'fast-check';
import type { RawFeature } from 'geojson-vt';
import { PbfReader } from 'pbf';
import { describe, expect, it } from 'vitest';
import { encodeLayers, tagsOf } from '#map-tiles/format/encode-vector-tile.js';
import { TileGeometry } from '#map-tiles/png/tile-geometry.js';

const painted = ['kind', 'rail', 'name'];
const value = fc.oneof(fc.string({ maxLength: 200 }), fc.integer(), fc.double({ noNaN: true }), fc.boolean());
const coordinates = fc.array(fc.integer({ min: -64, max: 4_160 }), { minLength: 2, maxLength: 40 });
const features = fc.array(
  fc
    .record({
      line: coordinates,
      area: fc.boolean(),
      attributes: fc.uniqueArray(
        fc.record({ key: fc.constantFrom(...painted, 'ref', 'link'), value, fromZoom: fc.constant(0) }),
        { selector: ({ key }) => key },
      ),
    })
    .map(({ line, area, attributes }): RawFeature => {
      const even = line.slice(0, line.length & ~1);
      return {
        ...(area
          ? { type: 3, geometry: [Int32Array.from([...even, even[0]!, even[1]!])] }
          : { type: 2, geometry: [Int32Array.from(even)] }),
        tags: tagsOf({ drawing: { layer: 'streets', minZoom: 0, attributes } }),
      };
    }),
  { maxLength: 40 },
);

describe('the reader for rendering PNG tiles', () => {
  it('M-100: reads the geometry and the rendered attributes like @mapbox/vector-tile', () => {
    fc.assert(
      fc.property(features, (list) => {
        const tile = Buffer.concat(encodeLayers(list, 16).map(({ bytes }) => bytes));
        const oracle = new VectorTile(new PbfReader(tile)).layers['streets'];
        const ours = new TileGeometry(tile, 16).layer('streets');
        expect(ours).toHaveLength(oracle?.length ?? 0);
        for (const [place, feature] of ours.entries()) {
          const theirs = oracle!.feature(place);
          expect(feature.lines()).toEqual(
            theirs.loadGeometry().map((line) => line.flatMap(({ x, y }) => [x / 16, y / 16])),
          );
          expect(feature.properties).toEqual(
            Object.fromEntries(Object.entries(theirs.properties).filter(([key]) => painted.includes(key))),
          );
        }
      }),
      { numRuns: 300 },
    );
  });
});
