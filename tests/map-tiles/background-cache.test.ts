import type { RawFeature } from 'geojson-vt';
import { describe, expect, it } from 'vitest';
import { encodeLayers, tagsOf } from '#map-tiles/format/encode-vector-tile.js';
import { type LayerName, layerNames } from '#map-tiles/format/layers.js';
import { BackgroundCache } from '#map-tiles/png/background-cache.js';
import { PngRenderer } from '#map-tiles/png/png-renderer.js';

const kindOf: Partial<Record<LayerName, string>> = { land: 'forest', sites: 'school' };

function area(layer: LayerName, at: number, size: number): RawFeature {
  const [a, b] = [at, at + size];
  return {
    type: 3,
    geometry: [Int32Array.from([a, a, b, a, b, b, a, b, a, a])],
    tags: tagsOf({
      drawing: {
        layer,
        minZoom: 0,
        attributes: [{ key: 'kind', value: kindOf[layer] ?? 'any', fromZoom: 0 }],
      },
    }),
  };
}

const street = (y: number): RawFeature => ({
  type: 2,
  geometry: [Int32Array.from([0, y, 2_000, y + 300, 4_096, y])],
  tags: tagsOf({
    drawing: {
      layer: 'streets',
      minZoom: 0,
      attributes: [
        { key: 'kind', value: 'primary', fromZoom: 0 },
        { key: 'name', value: 'Long Street', fromZoom: 0 },
      ],
    },
  }),
});

const grounds = ['land', 'sites', 'ocean', 'water_polygons', 'street_polygons', 'buildings'] as const;

/** All of the ground with one layer at another place, below a street. */
const tileOf = (moved: LayerName | undefined, y: number): Uint8Array => {
  const features = grounds.map((layer, i) => area(layer, 500 * i + (layer === moved ? 160 : 0), 900));
  const inOrder = [...features, street(y)].toSorted(
    (one, other) => placeOf(one, layerNames) - placeOf(other, layerNames),
  );
  return Buffer.concat(encodeLayers(inOrder, 14).map(({ bytes }) => bytes));
};
const placeOf = ({ tags }: RawFeature, names: readonly LayerName[]): number =>
  names.indexOf((tags as unknown as { drawing: { layer: LayerName } }).drawing.layer);

describe('cached grounds', () => {
  it('M-043: cached grounds leave each picture unchanged, whatever changed on the map', async () => {
    const kept = new BackgroundCache();
    const pictures = new Set<string>();
    let hits = 0;
    for (const moved of [undefined, ...grounds])
      for (const zoom of [11, 14])
        for (const y of [600, 2_800]) {
          const tile = tileOf(moved, y);
          const picture = await new PngRenderer().paint(tile, zoom);
          for (let time = 0; time < 2; time++)
            expect(Buffer.from(await new PngRenderer().paint(tile, zoom, kept))).toEqual(
              Buffer.from(picture),
            );
          hits++;
          pictures.add(Buffer.from(picture).toString('base64'));
        }
    // No two of them are the same picture, or a confusion of grounds would not be visible.
    expect(pictures.size).toBe(hits);
  });

  it('distinguishes grounds by their content, and by zoom', () => {
    const layers = [tileOf('land', 600)];
    const kept = new BackgroundCache();
    expect(kept.at(14, layers).known).toBeUndefined();
    const ground = { data: new Uint8ClampedArray(4), width: 1, height: 1 };
    kept.at(14, layers).keep(ground as Parameters<ReturnType<BackgroundCache['at']>['keep']>[0]);
    expect(kept.at(14, layers).known).toBe(ground);
    expect(kept.at(13, layers).known).toBeUndefined();
  });
});
