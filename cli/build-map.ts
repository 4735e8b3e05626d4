import type { ObjectStore } from '#platform/object-store/object-store.js';
import {
  type BuildOptions,
  type BuiltTileset,
  buildTileset,
  type MapSource,
} from '#tile-builder/build-tileset.js';
import { type BuiltGeocoding, buildGeocoding } from '#tile-builder/geocoding/build-geocoding.js';
import { assignMap, type BuiltMapTiles, buildMapTiles } from '#tile-builder/map-tiles/build-map-tiles.js';
import { openTileset } from '#tile-builder/open-tileset.js';
import { collectMapElements, type MapElements } from '#tile-builder/osm/map-elements.js';
import { readMapSource } from '#tile-builder/osm/read-map-source.js';
import { buildProgress } from './build-progress.js';

export interface BuildChoices {
  /** False: routing tiles only; the map that was drawn for the same roads before stays. */
  readonly map?: boolean;
  readonly zoomMax?: number;
  readonly pngZoomMax?: number;
}

export interface Built extends BuiltTileset {
  readonly map: BuiltMapTiles | undefined;
  readonly geocoding: BuiltGeocoding;
}

/**
 * Builds routing tiles, map tiles and geocoding index of one extract, with progress bars. The map and the index are in the
 * store before the roads become the current ones, so whoever sees the new roads sees what belongs to them.
 */
export async function build(
  source: MapSource,
  objects: ObjectStore,
  choices: BuildChoices = {},
): Promise<Built> {
  const progress = buildProgress();
  const show: (phase: string, done: number, total: number) => void = progress.show;
  try {
    const { sink, elements: collected } = collectMapElements();
    await readMapSource(source, sink, (done, total) => show('read map', done, total));
    const elements = collected();
    const map = choices.map === false ? undefined : await buildMap(elements, objects, choices, show);
    const assigned: { geocoding?: BuiltGeocoding } = {};
    const options: BuildOptions = {
      onProgress: progress.show,
      async beforeCurrent(tilesetId) {
        if (map !== undefined) await assignMap(objects, tilesetId, map.mapId);
        show('geocoding', 0, 1);
        assigned.geocoding = await buildGeocoding(elements, await openTileset(objects, tilesetId), objects);
        show('geocoding', 1, 1);
      },
    };
    const built = await buildTileset(source, objects, options);
    return { ...built, map, geocoding: assigned.geocoding! };
  } finally {
    progress.end();
  }
}

const buildMap = (
  elements: MapElements,
  objects: ObjectStore,
  { zoomMax, pngZoomMax }: BuildChoices,
  show: (phase: string, done: number, total: number) => void,
): Promise<BuiltMapTiles> =>
  buildMapTiles(elements, objects, {
    onProgress: show,
    ...(zoomMax === undefined ? {} : { zoomMax }),
    ...(pngZoomMax === undefined ? {} : { pngZoomMax }),
  });
