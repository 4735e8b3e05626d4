import { type Command, InvalidArgumentError, Option } from 'commander';
import { extractFile, positiveNumber, wholeNumber } from '../options/arguments.js';

const intervalSecondsMax = 86_400;

function zoom(text: string): number {
  const number = wholeNumber(text);
  if (number > 16) throw new InvalidArgumentError('A zoom goes from 0 to 16.');
  return number;
}

function interval(text: string): number {
  const seconds = positiveNumber(text);
  if (seconds > intervalSecondsMax)
    throw new InvalidArgumentError(`use at most ${intervalSecondsMax} seconds, which is a day.`);
  return seconds;
}

function tilesetId(text: string): string {
  if (!/^[0-9a-f]{16}$/.test(text)) throw new InvalidArgumentError('An id has 16 hexadecimal digits.');
  return text;
}

/** What is drawn, as options say it. */
interface DrawnOptions {
  readonly map: boolean;
  readonly mapZoom?: number;
  readonly pngZoom?: number;
}

const drawOptions = (command: Command): Command =>
  command
    .option('--no-map', 'routing tiles only; a map that was drawn for the same roads stays')
    .addOption(
      new Option('--map-zoom <zoom>', 'deepest zoom of vector tiles, 0 to 16; default 16').argParser(zoom),
    )
    .addOption(
      new Option('--png-zoom <zoom>', 'deepest zoom of PNG drawn ahead; default 12').argParser(zoom),
    );

const drawnMap = ({ map, mapZoom, pngZoom }: DrawnOptions) =>
  map && {
    ...(mapZoom === undefined ? {} : { zoomMax: mapZoom }),
    ...(pngZoom === undefined ? {} : { pngZoomMax: pngZoom }),
  };

export function addTilesCommand(program: Command): void {
  const tiles = program.command('tiles').description('routing tiles and map tiles: build and look at them');
  drawOptions(
    tiles
      .command('build')
      .argument('[extract]', 'an OpenStreetMap extract, .osm.pbf; without one the default map')
      .description(
        'build routing tiles, map tiles and the geocoding index, and release them in the object store',
      ),
  )
    .option('--from-scratch', 'take over nothing of the release before, and make whole what was damaged')
    .option('--over-log', 'let `meridian tiles work` draw the squares of the map, here or on other machines')
    .option('--json', 'the result as JSON')
    .action(
      async (
        extract: string | undefined,
        options: DrawnOptions & { json?: boolean; fromScratch?: boolean; overLog?: boolean },
      ) => {
        const { buildTiles } = await import('../programs/tiles.js');
        await buildTiles(extract, options.json === true, {
          map: drawnMap(options),
          reuse: options.fromScratch !== true,
          overLog: options.overLog === true,
        });
      },
    );
  drawOptions(
    tiles
      .command('follow')
      .argument('<extract>', 'an OpenStreetMap extract, .osm.pbf, in the order of its ids', extractFile)
      .description(
        'build as `tiles build` does, stay, and build again what the change files touch that come into a folder; docs/following-changes.md',
      ),
  )
    .requiredOption(
      '--changes <folder>',
      'where change files come, .osc or .osc.gz, moved there whole, under names in their order or as 000/001/234.osc.gz',
    )
    .addOption(
      new Option('--interval <seconds>', 'between two looks into the folder').argParser(interval).default(30),
    )
    .option('--from-scratch', 'begin again: take over nothing, and do all change files of the folder')
    .option('--json', 'each release as a line of JSON')
    .action(
      async (
        extract: string,
        options: DrawnOptions & {
          changes: string;
          interval: number;
          fromScratch?: boolean;
          json?: boolean;
        },
      ) => {
        const { followTiles } = await import('../programs/tiles-follow.js');
        await followTiles(extract, {
          changes: options.changes,
          intervalMs: 1_000 * options.interval,
          map: drawnMap(options),
          reuse: options.fromScratch !== true,
          json: options.json === true,
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
    .argument('[tileset]', 'id of a tileset; without one the current', tilesetId)
    .description('say what a tileset holds: levels, bytes by kind, the largest tiles')
    .option('--verify', 'fetch every tile and check every byte of it')
    .option('--json', 'the result as JSON')
    .action(async (tileset: string | undefined, options: { verify?: boolean; json?: boolean }) => {
      const { inspectTiles } = await import('../programs/tiles.js');
      await inspectTiles(tileset, { verify: options.verify === true, json: options.json === true });
    });
}
