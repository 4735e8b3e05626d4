import type { Command } from 'commander';
import { openTileset } from '#tile-builder/open-tileset.js';
import { openObjects } from '../adapters.js';
import { build, mapSource } from '../open-map.js';
import { readSettings } from '../read-settings.js';

export function addTilesCommand(program: Command): void {
  const tiles = program.command('tiles').description('routing tiles: build and look at them');
  tiles
    .command('build')
    .argument('[extract]', 'an OpenStreetMap extract, .osm.pbf; without one the default map')
    .description('build routing tiles into the object store and make them the current ones')
    .option('--json', 'the result as JSON')
    .action(async (extract: string | undefined, { json }: { json?: boolean }) => {
      const objects = await openObjects(readSettings());
      const started = performance.now();
      const built = await build(mapSource(extract), objects);
      const seconds = (performance.now() - started) / 1_000;
      if (json === true) console.log(JSON.stringify({ ...built, seconds }));
      else {
        const { tilesetId, edgeCount, cellCount, bytes } = built;
        const kib = Math.round(bytes / 1_024).toLocaleString('en');
        console.log(
          `tileset ${tilesetId}: ${edgeCount.toLocaleString('en')} edges in ${cellCount} cells, ${kib} KiB, built in ${seconds.toFixed(1)} s`,
        );
      }
      await objects.close();
    });
  tiles
    .command('inspect')
    .argument('[tileset]', 'id of a tileset; without one the current')
    .description('open a tileset, check every byte of it and say what it holds')
    .action(async (tilesetId: string | undefined) => {
      const objects = await openObjects(readSettings());
      const network = await openTileset(objects, tilesetId);
      const perCell = new Uint32Array(network.cellCount);
      for (let edge = 0; edge < network.edgeCount; edge++) perCell[network.edgeCell(edge)]!++;
      console.log(
        JSON.stringify(
          {
            tilesetId: network.tilesetId,
            bounds: network.bounds,
            nodes: network.nodeCount,
            edges: network.edgeCount,
            levels: network.meta.cellCounts,
            edgesPerCell: { least: Math.min(...perCell), most: Math.max(...perCell) },
            drivingSide: network.meta.drivingSide,
          },
          undefined,
          2,
        ),
      );
      await objects.close();
    });
}
