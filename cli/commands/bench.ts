import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { wholeNumber } from '../options/arguments.js';

/** What can be asked about routing; each is a file `bench/routing-….ts`. */
const routingSubjects = [
  'queries',
  'exactness',
  'legality',
  'updates',
  'under-change',
  'build',
  'workers',
  'plausibility',
  'plots',
] as const;
const paymentSubjects = ['fresh', 'day', 'kills', 'simulation'] as const;
const streamSubjects = ['speeds', 'closures', 'city', 'eta', 'crashes'] as const;
const hotelSubjects = ['reservations', 'guards', 'booking', 'storm', 'inventory'] as const;
const routingAreas = ['monaco', 'goteborg', 'heidelberg', 'malta', 'ny'] as const;

/** What can be asked about ingest; each is a file `bench/ingest-….ts`. */
const ingestSubjects = [
  'cpu',
  'servers',
  'peer',
  'scale',
  'producers',
  'overload',
  'store',
  'kills',
] as const;

/** Benchmarks run as processes of their own: nobody imports them. */
export function addBenchCommand(program: Command): void {
  const bench = program
    .command('bench')
    .description('measure beside a peer, in one run; appends to bench/results.ndjson');
  bench
    .command('ingest')
    .description('what a location costs on its way into the log and the store, beside a peer')
    .addArgument(new Argument('[subject]', 'what to measure').choices(ingestSubjects).default('cpu'))
    .addHelpText('after', '\nROUNDS and SECONDS in the environment set how long; see bench/README.md.')
    .action((subject: string) => run(`ingest-${subject}.js`));
  bench
    .command('ledger')
    .description('postings beside a plain INSERT, or a settlement file beside COPY and a join')
    .addArgument(
      new Argument('[subject]', 'what to measure').choices(['postings', 'reconcile']).default('postings'),
    )
    .addHelpText(
      'after',
      '\nROUNDS, CALLS, SELLERS, LINES and FOLDER in the environment; see bench/README.md.',
    )
    .action((subject: string) => run(`ledger-${subject}.js`));
  bench
    .command('payment')
    .description(
      'payments beside the best SQL function, at a steady rate, kill cycles, or a city under one seed',
    )
    .addArgument(new Argument('[subject]', 'what to measure').choices(paymentSubjects).default('fresh'))
    .option('--cycles <number>', 'kills: so many; default 50', wholeNumber)
    .addHelpText(
      'after',
      '\n`fresh` measures replays too. PAYMENTS, RATE, MINUTES, PROGRAMS, LOG, SEEDS, HOURS in the environment; see bench/README.md.',
    )
    .action((subject: string, { cycles }: { cycles?: number }) =>
      run(`payment-${subject}.js`, ...(cycles === undefined ? [] : [String(cycles)])),
    );
  bench
    .command('streams')
    .description(
      'live speeds, closures, arrival times and crashes against simulated traffic whose truth is known',
    )
    .addArgument(new Argument('[subject]', 'what to measure').choices(streamSubjects).default('speeds'))
    .addHelpText(
      'after',
      '\nROUNDS, AREA, EDGES, TRIPS, EDGE_DAYS, CLOSURES, KILLS, RECORDS, DRIVERS, MINUTES in the environment; see docs/performance/streams-speeds.md.',
    )
    .action((subject: string) => run(`streams-${subject}.js`));
  bench
    .command('hotel')
    .description(
      'reservations on one hot hotel, beside a hand-written function under pgbench; bookings from hold to paid',
    )
    .addArgument(new Argument('[subject]', 'what to measure').choices(hotelSubjects).default('reservations'))
    .addHelpText(
      'after',
      '\nNeeds SQL=postgres://… and pgbench. ROUNDS and SECONDS as above; see bench/README.md.',
    )
    .option('--kills <number>', 'processes killed in the storm; 20 when absent', wholeNumber)
    .action((subject: string, { kills }: { readonly kills?: number }) =>
      run(`hotel-${subject}.js`, ...(kills === undefined ? [] : [String(kills)])),
    );
  bench
    .command('map-tiles')
    .description(
      'map tiles: building beside tilemaker, rebuilding beside a build from scratch, a builder that stays beside both, drawing beside Mapnik, serving beside a constant buffer',
    )
    .addArgument(
      new Argument('[subject]', 'what to measure')
        .choices(['build', 'rebuild', 'follow', 'png', 'serve'])
        .default('build'),
    )
    .addHelpText('after', '\nROUNDS, AREA, AREAS, SECONDS in the environment; docs/performance/map-tiles.md.')
    .action((subject: string) => run(`map-tiles-${subject}.js`));
  bench
    .command('geocode')
    .description('mistyped addresses found first; prefix search and reverse geocoding beside Nominatim')
    .addArgument(new Argument('[subject]', 'what to measure').choices(['found', 'speed']).default('found'))
    .addHelpText('after', '\nAREAS, COUNT, SEED and ROUNDS in the environment; see bench/README.md.')
    .action((subject: string) => run(`geocode-${subject}.js`));
  bench
    .command('nav')
    .description('routes over HTTP under load, beside OSRM and Valhalla with the same pairs')
    .addHelpText(
      'after',
      '\nAREAS, PAIRS, COUNT, ROUNDS, CONNECTIONS and TRIAL in the environment; see bench/README.md.',
    )
    .action(() => run('map-nav.js'));
  bench
    .command('peers')
    .description('install OSRM, Valhalla and GraphHopper and make their maps; what is there already stays')
    .argument('[areas...]', `some of ${routingAreas.join(', ')}; default all`)
    .option('--again', 'make the maps again')
    .action((areas: string[], { again }: { again?: true }) =>
      run('routing-peers.js', ...areas, ...(again ? ['--again'] : [])),
    );
  bench
    .command('matching')
    .description('points onto roads beside Valhalla, and hidden roads found again')
    .addArgument(
      new Argument('[subject]', 'what to measure').choices(['traces', 'new-roads']).default('traces'),
    )
    .option('--areas <list>', `some of ${routingAreas.join(',')}; default goteborg,heidelberg`, areaList)
    .option('--rounds <number>', 'interleaved rounds; default 5', wholeNumber)
    .option('--count <number>', 'routes an area', wholeNumber)
    .option('--seed <number>', 'seed of all that is drawn; default 1', wholeNumber)
    .option('--alone', 'leave Valhalla out')
    .addHelpText('after', '\nSee docs/performance/streams-matching.md. Valhalla: meridian bench peers')
    .action((subject: string, options: object) => run(`matching-${subject}.js`, JSON.stringify(options)));
  bench
    .command('reroute')
    .description(
      'from the point that tips a closure to the frame, beside OSRM; or an update with many routes',
    )
    .addArgument(new Argument('[subject]', 'what to measure').choices(['delay', 'update']).default('delay'))
    .addHelpText(
      'after',
      '\nAREA, PROGRAMS, NAVIGATIONS, POINTS, CLOSURES, ROUTES, SHARE, ROUNDS in the environment: docs/performance/streams-push.md.',
    )
    .action((subject: string) => run(`reroute-${subject}.js`));
  bench
    .command('push')
    .description('a route on each of many sockets, beside a bare uWebSockets.js publish')
    .addHelpText('after', '\nSOCKETS, MESSAGES, ROUNDS and FROM=decisions in the environment.')
    .action(() => run('push-sockets.js'));
  bench
    .command('routing')
    .description('routing beside OSRM, Valhalla and GraphHopper')
    .addArgument(new Argument('[subject]', 'what to measure').choices(routingSubjects).default('queries'))
    .option('--areas <list>', `some of ${routingAreas.join(',')}; default all`, areaList)
    .option('--rounds <number>', 'interleaved rounds; default 5', wholeNumber)
    .option('--count <number>', 'pairs of places, shared out over the rounds', wholeNumber)
    .option('--seed <number>', 'seed of all that is drawn; default 1', wholeNumber)
    .option('--pairs <which>', 'random, known, or a JSON file of [[lat, lng], [lat, lng]]; default random')
    .addOption(
      new Option('--answer <kind>', 'times, full (line and steps) or both').choices([
        'times',
        'full',
        'both',
      ]),
    )
    .option('--modes <list>', 'driving,bicycling,walking; default all', words)
    .option('--shares <list>', 'per cent of the edges that change; default 0.1,1,10,100', numbers)
    .option('--patterns <list>', 'clustered,random: where they lie; default both', words)
    .option('--peers <list>', 'only these in build: osrm-mld,osrm-ch,valhalla,graphhopper', words)
    .option('--alone', 'leave the peers out')
    .addHelpText('after', '\nSee docs/performance/routing.md. Install the peers first: meridian bench peers')
    .action((subject: string, options: object) => run(`routing-${subject}.js`, JSON.stringify(options)));
}

function areaList(text: string): string[] {
  const areas = text.split(',');
  const unknown = areas.find((area) => !routingAreas.some((known) => known === area));
  if (unknown !== undefined)
    throw new InvalidArgumentError(`${unknown} is none of ${routingAreas.join(', ')}.`);
  return areas;
}

const words = (text: string): string[] => text.split(',');
const numbers = (text: string): number[] => text.split(',').map(Number);

async function run(name: string, ...args: string[]): Promise<void> {
  const file = fileURLToPath(new URL(`../../bench/${name}`, import.meta.url));
  const [code] = (await once(spawn(process.execPath, [file, ...args], { stdio: 'inherit' }), 'close')) as [
    number,
  ];
  process.exitCode = code;
}
