// What `npm run prove` runs: too long for CI, or on servers of its own. The cheapest come first.

const vitest = (file) => ['node_modules/vitest/vitest.mjs', 'run', file];
const onServers = (file) => [...vitest(file), '--config', 'vitest.real.config.ts'];
const bench = (...words) => ['bin/meridian.js', 'bench', ...words];
/** `meridian tiles build` gives these benches their roads; the rest of the command line has no part in it. */
const roadsOfTheBench = 'tile-builder/build-release.ts';
const streamsOf = (seed, drivers) => ({
  name: `city-${drivers}-seed-${seed}`,
  rows: ['M-064'],
  shows: `${drivers} drivers, 90 minutes, seed ${seed}: no open road is listed as closed`,
  command: bench('streams', 'city'),
  env: { SEED: String(seed), DRIVERS: String(drivers) },
  entries: ['bench/streams-city.ts', roadsOfTheBench],
  holds: ({ falseClosures }) => falseClosures.length === 0,
});

const scenarioOf = (scenario) => ({
  name: `scenario-${scenario}`,
  rows: ['M-064'],
  shows: `scenario ${scenario}, 300 drivers, some 3,000 edge-days: at most 1 in 1,000 closes an open road`,
  command: bench('streams', 'scenarios'),
  env: { SCENARIOS: scenario, SEEDS: Array.from({ length: 10 }, (_, i) => i + 1).join(), DRIVERS: '300' },
  entries: ['bench/streams-scenarios.ts', 'bench/streams-city.ts', roadsOfTheBench],
  holds: ({ rows: [row] }) => row.edgeDays >= 2_900 && (1_000 * row.false) / row.edgeDays <= 1,
});
const scenarios = [
  ...['platoons', 'late-uploads', 'half-fleet', 'end-of-shift', 'small-fleet', 'silent-district'],
  ...['stadium', 'jam', 'all-guided', 'false-reports'],
];

/**
 * - `command`: arguments of node; `env`: what differs from the environment.
 * - `entries`: files from which the dependencies are followed, the programs that are started among them.
 * - `needs`: variables that must be set: the address of a server, which `infra/up` prints, or a folder.
 * - `holds`: judges the figures of a bench that ends with 0 whatever they are.
 */
export const proofs = [
  {
    name: 'fuzz-bodies',
    rows: ['F37'],
    shows: '1,000,000 bodies with one to four mutations through each parser',
    command: vitest('tests/ingest/fuzz-bodies.test.ts'),
    env: { FUZZ_RUNS: '1000000' },
    entries: ['tests/ingest/fuzz-bodies.test.ts'],
  },
  {
    name: 'settlement-corpus',
    rows: ['P-101', 'P-102'],
    shows: '1,008 doctored settlement files of 42 kinds in three currencies: precision and recall are 1',
    command: vitest('tests/payment/settlement-corpus.test.ts'),
    env: { SETTLEMENT_FILES: '1000' },
    entries: ['tests/payment/settlement-corpus.test.ts'],
  },
  {
    name: 'settlement-lines',
    rows: ['P-104'],
    shows: 'a file of 5,000,000 lines is stored, one of 5,000,001 is refused whole; bounded memory',
    command: vitest('tests/payment/settlement-lines.test.ts'),
    env: { SETTLEMENT_LINES: '5000000' },
    entries: ['tests/payment/settlement-lines.test.ts'],
  },
  {
    name: 'stripe-settlement',
    rows: ['P-101'],
    shows:
      '300 random histories at Stripe ask nobody; thirteen kinds of wrong lines are found, and nothing else',
    command: vitest('tests/payment/stripe-settlement.test.ts'),
    env: { STRIPE_HISTORIES: '300' },
    entries: ['tests/payment/stripe-settlement.test.ts'],
  },
  {
    name: 'stay-folios',
    rows: ['H-005', 'H-018'],
    shows: '10,000 random stays in five currencies: folio, taxes and invoices = ledger = provider',
    command: [...vitest('tests/booking/stay-folios.test.ts'), '--testTimeout', '7200000'],
    env: { STAYS: '10000' },
    entries: ['tests/booking/stay-folios.test.ts'],
  },
  {
    name: 'full-disk',
    rows: ['F8', 'M-006'],
    shows: '20 times the disk of 48 MB is full and has space again; nothing is lost; needs root on Linux',
    command: vitest('tests/programs/full-disk.test.ts'),
    env: { FULL_DISKS: '20' },
    entries: ['tests/programs/full-disk.test.ts', 'cli/programs/ingest.ts'],
  },
  {
    name: 'power-cuts',
    rows: ['M-006'],
    shows: '300 power cuts of the embedded log and of PostgreSQL: nothing acknowledged is lost; needs root',
    command: vitest('tests/faults/power-cuts.test.ts'),
    env: { POWER_CUTS: '300' },
    entries: ['tests/faults/power-cuts.test.ts', 'cli/programs/ingest.ts', 'cli/programs/hotel-serve.ts'],
  },
  {
    name: 'kafka-cluster',
    rows: ['F6', 'F7', 'F9'],
    shows: '25 kill -9 and 25 power cuts of one of three brokers: nothing acknowledged is lost; needs root',
    command: onServers('tests/faults/kafka-cluster.real.test.ts'),
    env: { BROKERS_BROKEN: '25' },
    entries: ['tests/faults/kafka-cluster.real.test.ts', 'cli/programs/ingest.ts'],
    needs: ['EVENT_LOG', 'SCHEMA_REGISTRY_URL'],
  },
  {
    name: 'mixed-kills',
    rows: ['M-006', 'F1', 'F6'],
    shows:
      '100 kills of ingest and of three brokers, of five kinds: 10,000,000 points, none lost; needs root',
    command: onServers('tests/faults/mixed-kills.real.test.ts'),
    env: { MIXED_KILLS: '100', BATCHES_BETWEEN: '1000' },
    entries: ['tests/faults/mixed-kills.real.test.ts', 'cli/programs/ingest.ts'],
    needs: ['EVENT_LOG', 'SCHEMA_REGISTRY_URL'],
  },
  {
    name: 'ingest-kills',
    rows: ['F1', 'M-006'],
    shows: '50 kill -9 of ingest under load: log and store hold exactly what was acknowledged',
    command: bench('ingest', 'kills'),
    env: { ROUNDS: '50', TARGETS: 'ingest' },
    entries: ['bench/ingest-kills.ts', 'cli/programs/ingest.ts'],
  },
  {
    name: 'booking-kills',
    rows: ['H-075', 'H-102', 'H-120', 'F23'],
    shows: '50 kill -9 between hold and payment: one charge each, paid exactly when captured',
    command: vitest('tests/booking/booking-kills.test.ts'),
    env: { BOOKING_KILLS: '50' },
    entries: ['tests/booking/booking-kills.test.ts', 'cli/programs/bookings.ts'],
  },
  {
    name: 'crash-matrix',
    rows: ['P-086', 'P-122', 'F25'],
    shows: 'every named point of a payment × kill, database, log × once, twice',
    command: vitest('tests/payment/executor-crash.test.ts'),
    env: { CRASH_MATRIX: 'all' },
    entries: ['tests/payment/executor-crash.test.ts', 'tests/payment/executor-crash-child.ts'],
  },
  {
    name: 'cart-crashes',
    rows: ['P-086', 'F25'],
    shows:
      'carts on one page: kill, database, log at each of 17 points, once, twice; each order charged ' +
      'once, no card left',
    command: vitest('tests/payment/cart-crash.test.ts'),
    env: { CRASH_MATRIX: 'all' },
    entries: ['tests/payment/cart-crash.test.ts', 'tests/payment/executor-crash-child.ts'],
  },
  {
    name: 'cart-storm',
    rows: ['P-037', 'P-070'],
    shows: '400 carts with random cards, tabs, banks, cancellations, faults and deaths: the books agree',
    command: vitest('tests/payment/one-page-storm.test.ts'),
    env: { CARTS: '400' },
    entries: ['tests/payment/one-page-storm.test.ts'],
  },
  {
    name: 'stream-crashes',
    rows: ['F10', 'M-064'],
    shows: '100 kill -9 of the group traffic: cell by cell what one undisturbed life says',
    command: bench('streams', 'crashes'),
    env: { KILLS: '100' },
    entries: ['bench/streams-crashes.ts'],
  },
  {
    name: 'hotel-day',
    rows: ['H-141'],
    shows: '240,000 bookings over HTTP, as many as in a day: memory and p99 are flat',
    command: vitest('tests/hotel/peak.test.ts'),
    env: { HOTEL_DAY_SLICES: '800' },
    entries: ['tests/hotel/peak.test.ts'],
  },
  {
    name: 'hotel-kills',
    rows: ['H-075'],
    shows: '200 kill -9 of processes that book, 200 of PostgreSQL under bookings: every count is right',
    command: vitest('tests/hotel/reservations-storm.test.ts'),
    env: { HOTEL_KILLS: '200' },
    entries: ['tests/hotel/reservations-storm.test.ts'],
  },
  {
    name: 'hotel-storm',
    rows: ['H-075', 'H-083', 'H-084', 'H-085', 'F18', 'F22'],
    shows: '1,000 guests on four processes, 20 kill -9; a build without guards must oversell',
    command: bench('hotel', 'storm', '--kills', '20'),
    entries: ['bench/hotel-storm.ts'],
    needs: ['SQL'],
  },
  {
    name: 'hotel-moves',
    rows: ['H-075', 'F22'],
    shows:
      'a hotel moves 60 times between two servers while it is booked, every second move killed at a step',
    command: vitest('tests/sharding/move-storm.test.ts'),
    env: { MOVES: '60', OWN_SERVERS: '1' },
    entries: ['tests/sharding/move-storm.test.ts', 'tests/sharding/two-servers.ts'],
  },
  {
    name: 'payment-simulation',
    rows: ['P-122', 'P-129', 'P-037', 'P-070', 'P-125'],
    shows: 'a city of guests and buyers under three seeds holds; every planted bug is found',
    command: bench('payment', 'simulation'),
    entries: ['bench/payment-simulation.ts'],
    holds: ({ found }) => found.every(({ seed }) => seed !== null),
  },
  {
    name: 'platform-simulation',
    rows: ['M-005', 'M-006', 'M-024'],
    shows:
      'the whole platform with 300 drivers in a virtual hour of kills and lost, late and doubled messages',
    command: bench('streams', 'platform'),
    entries: ['bench/streams-platform.ts', roadsOfTheBench],
  },
  ...[1, 2, 3].map((seed) => streamsOf(seed, 300)),
  {
    name: 'stops',
    rows: ['F3', 'M-006'],
    shows: '200 SIGTERM under load: every process gone within 10 s, nothing acknowledged lost',
    command: vitest('tests/programs/stops.test.ts'),
    env: { STOP_SIGNALS: '200' },
    entries: ['tests/programs/stops.test.ts', 'cli/programs/up.ts', 'cli/programs/ingest.ts'],
  },
  {
    name: 'daily-life',
    rows: [],
    shows: '30 minutes of npm start, no setting changed: all kinds of users work, city and money are right',
    command: vitest('tests/defaults/daily-life.test.ts'),
    env: { LIFE_MINUTES: '30' },
    entries: ['tests/defaults/daily-life.test.ts', 'tools/start.js', 'cli/programs/up.ts', roadsOfTheBench],
  },
  {
    name: 'payment-day',
    rows: ['P-005'],
    shows: 'an hour at 40 payments a second, 144,000: memory stays, every cent is accounted for',
    command: bench('payment', 'day'),
    env: { RATE: '40', MINUTES: '60' },
    entries: ['bench/payment-day.ts'],
  },
  {
    name: 'payment-kills',
    rows: ['P-122', 'P-129', 'P-053', 'P-066', 'P-067'],
    shows:
      '1,000 kill -9 of payment programs: one charge for each accepted order; changes, events of the ' +
      'outbox and of the log are the same, id by id',
    command: bench('payment', 'kills', '--cycles', '1000'),
    entries: ['bench/payment-kills.ts'],
  },
  streamsOf(1, 1_000),
  ...scenarios.map(scenarioOf),
];
