import { DirectoryObjectStore } from '#platform/object-store/directory-object-store.js';
import { buildMapTiles } from '#tile-builder/map-tiles/build-map-tiles.js';
import { collectMapElements } from '#tile-builder/osm/map-elements.js';
import { readMapSource } from '#tile-builder/osm/read-map-source.js';

/** From an extract to vector tiles in a folder, and nothing else: `build-once.js EXTRACT FOLDER ZOOM`. Prints what was built. */
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
