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
    .description('open a tileset, check every byte of it and say what it holds')
    .action(async (tilesetId: string | undefined) => {
      const { inspectTiles } = await import('../programs/tiles.js');
      await inspectTiles(tilesetId);
    });
}
