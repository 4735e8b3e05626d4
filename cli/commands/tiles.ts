import { availableParallelism } from 'node:os';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { extractFile, positiveNumber, wholeNumber } from '../options/arguments.js';

const intervalSecondsMax = 86_400;
const workersMax = 64;

function zoom(text: string): number {
  const number = wholeNumber(text);
  if (number > 16) throw new InvalidArgumentError('use a zoom from 0 to 16.');
  return number;
}

function workers(text: string): number {
  const number = positiveNumber(text);
  if (number > workersMax) throw new InvalidArgumentError(`use at most ${workersMax} threads.`);
  return number;
}

function interval(text: string): number {
  const seconds = positiveNumber(text);
  if (seconds > intervalSecondsMax)
    throw new InvalidArgumentError(`use at most ${intervalSecondsMax} seconds, which is a day.`);
  return seconds;
}

function tilesetId(text: string): string {
  if (!/^[0-9a-f]{16}$/.test(text)) throw new InvalidArgumentError('use an id of 16 hexadecimal digits.');
  return text;
}

/** The map to build, from the options. */
interface DrawnOptions {
  readonly map: boolean;
  readonly mapZoom?: number;
  readonly pngZoom?: number;
}

const drawOptions = (command: Command): Command =>
  command
    .option('--no-map', 'no map tiles; existing ones of the same roads stay')
    .addOption(
      new Option('--map-zoom <zoom>', 'deepest zoom of vector tiles, 0 to 16; default 16').argParser(zoom),
    )
    .addOption(
      new Option('--png-zoom <zoom>', 'deepest zoom of pre-rendered PNG tiles; default 12').argParser(zoom),
    );

const drawnMap = ({ map, mapZoom, pngZoom }: DrawnOptions) =>
  map && {
    ...(mapZoom === undefined ? {} : { zoomMax: mapZoom }),
    ...(pngZoom === undefined ? {} : { pngZoomMax: pngZoom }),
  };

export function addTilesCommand(program: Command): void {
  const tiles = program.command('tiles').description('build and inspect routing tiles and map tiles');
  drawOptions(
    tiles
      .command('build')
      .argument('[extract]', 'an OpenStreetMap extract, .osm.pbf; default: Malta')
      .description(
        'build routing tiles, map tiles and the geocoding index, and release them in the object store',
      ),
  )
    .option('--no-places', 'no geocoding index; an existing one of the same roads stays')
    .option('--from-scratch', 'reuse nothing of the previous release; repairs damaged tiles')
    .addOption(
      new Option(
        '--workers <threads>',
        `threads that cut the roads into cells, 1 to ${workersMax}; default: the number of cores`,
      ).argParser(workers),
    )
    .option('--over-log', 'let `meridian tiles work` render the map, here or on other machines')
    .option('--json', 'the result as JSON')
    .action(
      async (
        extract: string | undefined,
        options: DrawnOptions & {
          places: boolean;
          json?: boolean;
          fromScratch?: boolean;
          overLog?: boolean;
          workers?: number;
        },
      ) => {
        const { buildTiles } = await import('../programs/tiles.js');
        await buildTiles(extract, options.json === true, {
          map: drawnMap(options),
          places: options.places,
          reuse: options.fromScratch !== true,
          overLog: options.overLog === true,
          workers: options.workers ?? Math.min(workersMax, availableParallelism()),
        });
      },
    );
  drawOptions(
    tiles
      .command('follow')
      .argument('<extract>', 'an OpenStreetMap extract, .osm.pbf, in the order of its ids', extractFile)
      .description(
        'build like `tiles build`, then keep rebuilding what new change files in a folder affect; ' +
          'see docs/following-changes.md',
      ),
  )
    .requiredOption(
      '--changes <folder>',
      'folder for change files, .osc or .osc.gz, moved in when complete, named in order or like ' +
        '000/001/234.osc.gz',
    )
    .addOption(
      new Option('--interval <seconds>', 'time between reads of the folder').argParser(interval).default(30),
    )
    .option('--from-scratch', 'start again: reuse nothing and apply all change files of the folder')
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
      'render map tiles for `tiles build --over-log`; run any number of these wherever EVENT_LOG and ' +
        'OBJECTS can be reached',
    )
    .action(async () => {
      const { runTilesWork } = await import('../programs/tiles-work.js');
      await runTilesWork();
    });
  tiles
    .command('prune')
    .description('delete objects of earlier releases that the current release does not use')
    .addOption(
      new Option(
        '--grace <hours>',
        'delay between finding an object unused and deleting it, for programs that still serve an ' +
          'earlier release',
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
    .argument('[tileset]', 'id of a tileset; default: the current one', tilesetId)
    .description('describe a tileset: levels, bytes by kind, largest tiles')
    .option('--verify', 'fetch every tile and verify its bytes')
    .option('--json', 'the result as JSON')
    .action(async (tileset: string | undefined, options: { verify?: boolean; json?: boolean }) => {
      const { inspectTiles } = await import('../programs/tiles.js');
      await inspectTiles(tileset, { verify: options.verify === true, json: options.json === true });
    });
}
