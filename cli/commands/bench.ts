import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { CommandFailed, exitCode } from '../exit.js';
import { wholeNumber } from '../options/arguments.js';

/** Subjects of the routing benchmark; each is a file `bench/routing-….ts`. */
const routingSubjects = [
  'queries',
  'exactness',
  'legality',
  'updates',
  'under-change',
  'build',
  'workers',
  'matrix',
  'isochrone',
  'steps',
  'intersections',
  'plausibility',
  'plots',
] as const;
const paymentSubjects = ['fresh', 'day', 'kills', 'simulation'] as const;
const streamSubjects = [
  'speeds',
  'closures',
  'city',
  'scenarios',
  'platform',
  'eta',
  'arrivals',
  'prior',
  'crashes',
] as const;
const hotelSubjects = ['reservations', 'guards', 'booking', 'storm', 'inventory', 'shards'] as const;
const routingAreas = ['monaco', 'goteborg', 'heidelberg', 'malta', 'ny'] as const;

/** Subjects of the ingest benchmark; each is a file `bench/ingest-….ts`. */
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

/** Benchmarks run as separate processes: no module imports them. */
export function addBenchCommand(program: Command): void {
  const bench = program
    .command('bench')
    .description('measure beside a peer, in one run; appends to bench/results.ndjson');
  bench
    .command('ingest')
    .description('the cost of a location from the request to the log and the store, beside a peer')
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
    .option('--cycles <number>', 'number of kills; default 50', wholeNumber)
    .addHelpText(
      'after',
      '\n`fresh` measures replays too. PAYMENTS, RATE, MINUTES, PROGRAMS, LOG, SEEDS, HOURS in the ' +
        'environment; see bench/README.md.',
    )
    .action((subject: string, { cycles }: { cycles?: number }) =>
      run(`payment-${subject}.js`, ...(cycles === undefined ? [] : [String(cycles)])),
    );
  bench
    .command('streams')
    .description('live speeds, closures, arrival times and crashes, compared with simulated traffic')
    .addArgument(new Argument('[subject]', 'what to measure').choices(streamSubjects).default('speeds'))
    .addHelpText(
      'after',
      '\nROUNDS, AREA, EDGES, TRIPS, EDGE_DAYS, CLOSURES, KILLS, RECORDS, DRIVERS, MINUTES, SCENARIO, ' +
        'SCENARIOS, SEEDS, FAULTS in the environment; see docs/performance/streams-speeds.md.',
    )
    .action((subject: string) => run(`streams-${subject}.js`));
  bench
    .command('hotel')
    .description(
      'reservations of one popular hotel, beside a SQL function under pgbench; bookings up to payment',
    )
    .addArgument(new Argument('[subject]', 'what to measure').choices(hotelSubjects).default('reservations'))
    .addHelpText(
      'after',
      '\nNeeds SQL=postgres://… and pgbench. ROUNDS and SECONDS as above; see bench/README.md.',
    )
    .option('--kills <number>', 'number of processes killed; default 20', wholeNumber)
    .action((subject: string, { kills }: { readonly kills?: number }) =>
      run(`hotel-${subject}.js`, ...(kills === undefined ? [] : [String(kills)])),
    );
  bench
    .command('map-tiles')
    .description(
      'map tiles: build beside tilemaker, rebuild and follow beside a full build, PNG beside Mapnik, ' +
        'serving beside a constant buffer',
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
    .description('mistyped addresses that are found first; prefix and reverse search beside Nominatim')
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
    .description('install OSRM, Valhalla and GraphHopper and build their maps, unless they exist')
    .argument('[areas...]', `some of ${routingAreas.join(', ')}; default all`)
    .option('--again', 'rebuild the maps')
    .action((areas: string[], { again }: { again?: true }) =>
      run('routing-peers.js', ...areas, ...(again ? ['--again'] : [])),
    );
  bench
    .command('matching')
    .description('map matching beside Valhalla, and detection of hidden roads')
    .addArgument(
      new Argument('[subject]', 'what to measure').choices(['traces', 'new-roads']).default('traces'),
    )
    .option(
      '--areas <list>',
      `some of ${routingAreas.join(',')}, or paths of extracts; default goteborg,heidelberg`,
      areaList,
    )
    .option('--rounds <number>', 'interleaved rounds; default 5', wholeNumber)
    .option('--count <number>', 'routes per area', wholeNumber)
    .option('--seed <number>', 'seed of the random choices; default 1', wholeNumber)
    .option('--alone', 'without Valhalla')
    .addHelpText('after', '\nSee docs/performance/streams-matching.md. Valhalla: meridian bench peers')
    .action((subject: string, options: object) => run(`matching-${subject}.js`, JSON.stringify(options)));
  bench
    .command('reroute')
    .description('delay from the decisive location to the pushed route, beside OSRM; or a large update')
    .addArgument(new Argument('[subject]', 'what to measure').choices(['delay', 'update']).default('delay'))
    .addHelpText(
      'after',
      '\nAREA, PROGRAMS, NAVIGATIONS, POINTS, CLOSURES, ROUTES, SHARE, ROUNDS in the environment; ' +
        'see docs/performance/streams-push.md.',
    )
    .action((subject: string) => run(`reroute-${subject}.js`));
  bench
    .command('pages')
    .description('bytes, scripts and frames of the map page, on a CPU slowed by four')
    .addHelpText('after', '\nROUNDS, SECONDS, DRIVERS in the environment; see bench/README.md.')
    .action(() => run('pages.js'));
  bench
    .command('soak')
    .description('memory, descriptors, lag and stored bytes of the running platform over an hour')
    .addHelpText('after', '\nMINUTES, DRIVERS, SOCKETS, SETTLED in the environment; see bench/README.md.')
    .action(() => run('soak.js'));
  bench
    .command('shutdown')
    .description('time from SIGTERM at random moments to the end of every process of a program')
    .addHelpText(
      'after',
      '\nSIGNALS in the environment, default 100; with the addresses of infra/, on its servers.',
    )
    .action(() => run('shutdown.js'));
  bench
    .command('faults')
    .description('rows of the fault matrix from outside, each with a control that must be red')
    .argument('[rows...]', 'F1 to F42; default all')
    .option('--list', 'only the state of each')
    .addHelpText('after', '\nSome rows need the servers of infra/up; the report is docs/faults.md.')
    .action((rows: string[], { list }: { list?: true }) =>
      run('faults.js', ...rows, ...(list ? ['--list'] : [])),
    );
  bench
    .command('load')
    .description('figures of our load generator beside those of autocannon')
    .addArgument(new Argument('[subject]', 'what to measure').choices(['generator']).default('generator'))
    .addHelpText('after', '\nROUNDS and SECONDS in the environment set how long; see bench/README.md.')
    .action((subject: string) => run(`load-${subject}.js`));
  bench
    .command('keys')
    .description('what an API key adds to the CPU of a request')
    .addHelpText('after', '\nROUNDS and SECONDS in the environment set how long; see bench/README.md.')
    .action(() => run('api-keys.js'));
  bench
    .command('push')
    .description('a route to each of many sockets, beside a plain uWebSockets.js publish')
    .addHelpText('after', '\nSOCKETS, MESSAGES, ROUNDS and FROM=decisions in the environment.')
    .action(() => run('push-sockets.js'));
  bench
    .command('routing')
    .description('routing beside OSRM, Valhalla and GraphHopper')
    .addArgument(new Argument('[subject]', 'what to measure').choices(routingSubjects).default('queries'))
    .option(
      '--areas <list>',
      `some of ${routingAreas.join(',')}, or paths of extracts; default all`,
      areaList,
    )
    .option('--rounds <number>', 'interleaved rounds; default 5', wholeNumber)
    .option('--count <number>', 'pairs of places, distributed over the rounds', wholeNumber)
    .option('--seed <number>', 'seed of the random choices; default 1', wholeNumber)
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
    .option('--patterns <list>', 'clustered,random: where they are; default both', words)
    .option('--peers <list>', 'build only these: osrm-mld,osrm-ch,valhalla,graphhopper', words)
    .option('--alone', 'without the peers')
    .addHelpText('after', '\nSee docs/performance/routing.md. Install the peers first: meridian bench peers')
    .action((subject: string, options: object) => run(`routing-${subject}.js`, JSON.stringify(options)));
}

/** Known areas, and paths of any extracts. */
function areaList(text: string): string[] {
  const named = text.split(',');
  const isKnown = (area: string) => area.endsWith('.osm.pbf') || routingAreas.some((known) => known === area);
  const unknown = named.find((area) => !isKnown(area));
  if (unknown !== undefined)
    throw new InvalidArgumentError(
      `${unknown} is none of ${routingAreas.join(', ')} and no path of an extract (.osm.pbf).`,
    );
  return named;
}

const words = (text: string): string[] => text.split(',');
const numbers = (text: string): number[] => text.split(',').map(Number);

async function run(name: string, ...args: string[]): Promise<void> {
  const file = fileURLToPath(new URL(`../../bench/${name}`, import.meta.url));
  if (!existsSync(file))
    throw new CommandFailed('Benchmarks are in the repository only, not in the package.', exitCode.usage);
  const sentences = new URL('../../bench/one-sentence.js', import.meta.url).href;
  const child = spawn(process.execPath, ['--import', sentences, file, ...args], { stdio: 'inherit' });
  const [code] = (await once(child, 'close')) as [number];
  process.exitCode = code;
}
