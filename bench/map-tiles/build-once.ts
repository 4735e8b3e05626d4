import { buildMapTiles } from '#map-tiles/build/build-map-tiles.js';
import { collectMapElements } from '#osm/elements/map-elements.js';
import { readMapSource } from '#osm/read/read-map-source.js';
import { DirectoryObjectStore } from '#platform/object-store/directory-object-store.js';

/**
 * From an extract to vector tiles in a folder, and nothing else: `build-once.js EXTRACT FOLDER ZOOM`. Prints
 * what was built.
 */
const [extract, folder, zoom] = process.argv.slice(2) as [string, string, string];
const { sink, elements } = collectMapElements();
await readMapSource({ kind: 'osm-pbf', file: extract }, sink);
const objects = await DirectoryObjectStore.open(folder);
const built = await buildMapTiles(elements(), objects, {
  zoomMax: Number(zoom),
  pngZoomMax: -1,
  world: false,
});
await objects.close();
console.log(JSON.stringify(built));
