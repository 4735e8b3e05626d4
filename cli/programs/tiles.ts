import { openTileset } from '#tile-builder/open-tileset.js';
import { openObjects } from '../adapters.js';
import { build, mapSource } from '../open-map.js';
import { readSettings } from '../read-settings.js';

export async function buildTiles(extract: string | undefined, json: boolean): Promise<void> {
  const source = mapSource(extract);
  const objects = await openObjects(readSettings());
  const started = performance.now();
  const built = await build(source, objects);
  const seconds = (performance.now() - started) / 1_000;
  if (json) console.log(JSON.stringify({ ...built, seconds }));
  else {
    const { tilesetId, edgeCount, cellCount, bytes } = built;
    const kib = Math.round(bytes / 1_024).toLocaleString('en');
    console.log(
      `tileset ${tilesetId}: ${edgeCount.toLocaleString('en')} edges in ${cellCount} cells, ${kib} KiB, built in ${seconds.toFixed(1)} s`,
    );
  }
  await objects.close();
}

export async function inspectTiles(tilesetId: string | undefined): Promise<void> {
  const objects = await openObjects(readSettings());
  const network = await openTileset(objects, tilesetId);
  const perCell = new Uint32Array(network.cellCount);
  for (let edge = 0; edge < network.edgeCount; edge++) perCell[network.edgeCell(edge)]!++;
  const found = {
    tilesetId: network.tilesetId,
    bounds: network.bounds,
    nodes: network.nodeCount,
    edges: network.edgeCount,
    levels: network.meta.cellCounts,
    edgesPerCell: { least: Math.min(...perCell), most: Math.max(...perCell) },
    drivingSide: network.meta.drivingSide,
  };
  console.log(JSON.stringify(found, undefined, 2));
  await objects.close();
}
