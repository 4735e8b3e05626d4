import { type Command, InvalidArgumentError, Option } from 'commander';
import { wholeNumber } from '../arguments.js';

function zoom(text: string): number {
  const number = wholeNumber(text);
  if (number > 16) throw new InvalidArgumentError('A zoom goes from 0 to 16.');
  return number;
}

export function addTilesCommand(program: Command): void {
  const tiles = program.command('tiles').description('routing tiles and map tiles: build and look at them');
  tiles
    .command('build')
    .argument('[extract]', 'an OpenStreetMap extract, .osm.pbf; without one the default map')
    .description(
      'build routing tiles, map tiles and geocoding index into the object store, as the release that serves',
    )
    .option('--no-map', 'routing tiles only; a map that was drawn for the same roads stays')
    .addOption(
      new Option('--map-zoom <zoom>', 'deepest zoom of vector tiles, 0 to 16; default 16').argParser(zoom),
    )
    .addOption(new Option('--png-zoom <zoom>', 'deepest zoom of PNG drawn ahead; default 12').argParser(zoom))
    .option('--from-scratch', 'take over nothing of the release before, and make whole what was damaged')
    .option('--over-log', 'let `meridian tiles work` draw the squares of the map, here or on other machines')
    .option('--json', 'the result as JSON')
    .action(
      async (
        extract: string | undefined,
        {
          json,
          map,
          mapZoom,
          pngZoom,
          fromScratch,
          overLog,
        }: {
          json?: boolean;
          map: boolean;
          mapZoom?: number;
          pngZoom?: number;
          fromScratch?: boolean;
          overLog?: boolean;
        },
      ) => {
        const { buildTiles } = await import('../programs/tiles.js');
        const drawn = {
          ...(mapZoom === undefined ? {} : { zoomMax: mapZoom }),
          ...(pngZoom === undefined ? {} : { pngZoomMax: pngZoom }),
        };
        await buildTiles(extract, json === true, {
          map: map ? drawn : false,
          reuse: fromScratch !== true,
          overLog: overLog === true,
        });
      },
    );
  tiles
    .command('work')
    .description(
      'draw squares of the map that `tiles build --over-log` hands out; any number of these may run, wherever EVENT_LOG and OBJECTS are reached',
    )
    .action(async () => {
      const { runTilesWork } = await import('../programs/tiles-work.js');
      await runTilesWork();
    });
  tiles
    .command('prune')
    .description('delete what earlier releases left in the object store and the one that serves does not use')
    .addOption(
      new Option(
        '--grace <hours>',
        'how long it stays after a prune first found it of no use; programs that still serve an earlier release have this time',
      )
        .argParser(wholeNumber)
        .default(24),
    )
    .option('--json', 'the result as JSON')
    .action(async ({ grace, json }: { grace: number; json?: boolean }) => {
      const { pruneTiles } = await import('../programs/tiles-prune.js');
      await pruneTiles(grace, json === true);
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
