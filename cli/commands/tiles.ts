import type { Command } from 'commander';

export function addTilesCommand(program: Command): void {
  const tiles = program.command('tiles').description('routing tiles: build and look at them');
  tiles
    .command('build')
    .argument('[extract]', 'an OpenStreetMap extract, .osm.pbf; without one the default map')
    .description('build routing tiles into the object store and make them the current ones')
    .option('--json', 'the result as JSON')
    .action(async (extract: string | undefined, { json }: { json?: boolean }) => {
      const { buildTiles } = await import('../programs/tiles.js');
      await buildTiles(extract, json === true);
    });
  tiles
    .command('inspect')
    .argument('[tileset]', 'id of a tileset; without one the current')
    .description('say what a tileset holds: levels, bytes by kind, the largest tiles')
    .option('--verify', 'fetch every tile and check every byte of it')
    .option('--json', 'the result as JSON')
    .action(async (tilesetId: string | undefined, options: { verify?: boolean; json?: boolean }) => {
      const { inspectTiles } = await import('../programs/tiles.js');
      await inspectTiles(tilesetId, { verify: options.verify === true, json: options.json === true });
    });
}
