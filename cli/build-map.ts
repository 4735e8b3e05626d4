import type { ObjectStore } from '#platform/object-store/object-store.js';
import {
  type BuildOptions,
  type BuiltTileset,
  buildTileset,
  type MapSource,
} from '#tile-builder/build-tileset.js';
import { assignMap, type BuiltMapTiles, buildMapTiles } from '#tile-builder/map-tiles/build-map-tiles.js';
import { collectMapElements } from '#tile-builder/osm/map-elements.js';
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
}

/**
 * Builds the routing tiles of an extract and the map of it, with progress bars. The map is in the store before the roads
 * become the current ones, so whoever sees the new roads sees their map.
 */
export async function build(
  source: MapSource,
  objects: ObjectStore,
  choices: BuildChoices = {},
): Promise<Built> {
  const progress = buildProgress();
  try {
    const map = choices.map === false ? undefined : await buildMap(source, objects, choices, progress.show);
    const options: BuildOptions = {
      onProgress: progress.show,
      ...(map === undefined
        ? {}
        : { beforeCurrent: (tilesetId) => assignMap(objects, tilesetId, map.mapId) }),
    };
    return { ...(await buildTileset(source, objects, options)), map };
  } finally {
    progress.end();
  }
}

async function buildMap(
  source: MapSource,
  objects: ObjectStore,
  { zoomMax, pngZoomMax }: BuildChoices,
  show: (phase: string, done: number, total: number) => void,
): Promise<BuiltMapTiles> {
  const { sink, elements } = collectMapElements();
  await readMapSource(source, sink, (done, total) => show('read map', done, total));
  return buildMapTiles(elements(), objects, {
    onProgress: show,
    ...(zoomMax === undefined ? {} : { zoomMax }),
    ...(pngZoomMax === undefined ? {} : { pngZoomMax }),
  });
}
