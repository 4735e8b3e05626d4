// Which test files run in which of the three selections, and beside which. `npm run test:full` runs all.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Files that start whole programs or browsers, and mostly wait for them. They run when the others are done,
 * so that none waits long for a processor.
 */
const programs = [
  /^tests\/(booking|browser|faults)\//,
  /^tests\/programs\/(?!listeners|loaded-modules|second-up|stops|wrong-start)/,
  /^tests\/readme\.test/,
];

/**
 * Files that state how quickly something must happen, and one that takes all processors for seconds, so that
 * others would fail beside it. They run one after the other, after the rest.
 */
const serial = [
  /^tests\/(hotel\/peak|programs\/stops|faults\/no-processor)\.test/,
  /^tests\/faults\/five-times-the-load\.test/,
  /^tests\/(defaults|main-job)\//,
  /^tests\/processors\/closure-to-reroute\.test/,
];

/**
 * The longest files of each group, to be started first: a long one that starts last runs alone. Only its
 * results of an earlier run would tell Vitest, and a new checkout has none. Several of the same group that
 * need the map of the run are not neighbours, because all wait while the first builds it.
 */
export const longest = [
  'tests/programs/loaded-modules.test.ts',
  'tests/programs/wrong-start.test.ts',
  'tests/cli/command.test.ts',
  'tests/cli/arrivals-train.test.ts',
  'tests/programs/second-up.test.ts',
  'tests/tile-builder/partition-in-threads.test.ts',
  'tests/tracing/dashboards.test.ts',
  'tests/processors/traffic/start-traffic.test.ts',
  'tests/cli/route.test.ts',
  'tests/tracing/one-trace.test.ts',
  'tests/cli/keys.test.ts',
  'tests/contracts/http-server.tls.test.ts',
  'tests/contracts/http-server.uws.test.ts',
  'tests/contracts/http-server.node.test.ts',
  'tests/simulation/platform.test.ts',
  'tests/osrm-features/osrm-features.test.ts',
  'tests/simulation/live-city.test.ts',
  'tests/routing-engine/exactness.test.ts',
  'tests/payment/cart-crash.test.ts',
  'tests/tile-builder/hours-areas.test.ts',
  'tests/routing-engine/silent-turns-areas.test.ts',
  'tests/processors/customization/damaged-metric.test.ts',
  'tests/tile-builder/tileset.test.ts',
  'tests/payment/risk-rules.test.ts',
  'tests/map-data/arrival-prior.test.ts',
  'tests/browser/accessible.test.ts',
  'tests/programs/up-again.test.ts',
  'tests/faults/damaged-roads.test.ts',
  'tests/browser/operations-page.test.ts',
  'tests/programs/default-map.test.ts',
  'tests/readme.test.ts',
  'tests/browser/bad-input.test.ts',
  'tests/browser/live-page.test.ts',
  'tests/programs/backup.test.ts',
  'tests/browser/late-answers.test.ts',
  'tests/programs/programs-alone.test.ts',
  'tests/programs/repair-kills.test.ts',
  'tests/faults/lost-sockets.test.ts',
  'tests/faults/strange-records.test.ts',
  'tests/programs/traffic-exchange.test.ts',
  'tests/browser/sign-in.test.ts',
  'tests/browser/hotel-pages.test.ts',
  'tests/programs/damaged-metric.test.ts',
  'tests/programs/shutdown-moments.test.ts',
  'tests/browser/map-tiles.test.ts',
  'tests/browser/search.test.ts',
];

/** Kill storms, browsers, simulations, long property runs and whole maps: half of the time of all tests. */
const onlyInFull = [
  /^tests\/(booking|browser|defaults|faults|simulation)\//,
  /^tests\/programs\/(?!listeners|wrong-start)/,
  /^tests\/(readme\.test|osrm-features\/osrm-features\.test|contracts\/http-server\.)/,
  /^tests\/backup\/(one-instant|point-in-time)\.test/,
  /^tests\/(geocoding-clients|kubernetes-schemas|routing-clients|stripe-mock)\//,
  /^tests\/contracts\/psp\.(own|stripe)\.test/,
  /^tests\/payment\/(two-providers|three-d-secure|disputes|application-fees|saved-cards|cancel-order|one-page|one-page-stripe|one-page-storm)\.test/,
  /^tests\/cli\/(arrivals-train|tiles-follow)\.test/,
  /^tests\/geocoding\/(areas-country|real-city|session)\.test/,
  /^tests\/hotel\/(availability-cache|bulk-ari|http-hotels|http-program|http-reservations|inventory-guards|peak|reservations-storm|reserve-one|sharded-program|whole-chain)\.test/,
  /^tests\/sharding\//,
  /^tests\/ingest\/fuzz-bodies\.test/,
  /^tests\/map-data\/arrival-prior\.test/,
  /^tests\/map-tiles\/(map-session|rebuild)\.test/,
  /^tests\/payment\/(cart-crash|executor|executor-crash|http|http-program|ledger|ledger-guards|ledger-kills|ledger-past|listener-tls|outbox|payout-kills)\.test/,
  /^tests\/payment\/(manual-capture|merchant-deliveries|merchant-payments|merchant-webhooks|merchants)\.test/,
  /^tests\/payment\/(reconciliation-days|reconciliation-oracle|risk|risk-rules|settled-twice|settlement-corpus|stripe-settlement)\.test/,
  /^tests\/platform\/card-data\/card-data\.test/,
  /^tests\/platform\/event-log\/lmdb-crash\.test/,
  /^tests\/platform\/http\/fuzz\.test/,
  /^tests\/platform\/lifecycle\/run-program\.test/,
  /^tests\/platform\/object-store\/directory-crash\.test/,
  /^tests\/platform\/sql\/(embedded-life|embedded-socket|sql-bounds)\.test/,
  /^tests\/platform\/stream\/exactly-once\.test/,
  /^tests\/processors\/customization\/(customization|damaged-metric)\.test/,
  /^tests\/processors\/reroute\/reroute\.test/,
  /^tests\/schema\/upgrade-crash\.test/,
  /^tests\/routing-engine\/(exactness|guided-routes|plausibility|silent-turns-areas)\.test/,
  /^tests\/routing-engine\/matching\/(online-matcher|point-matcher)\.test/,
  /^tests\/tile-builder\/(hours-areas|lazy|lazy-memory|rebuild-roads|roads-session|tileset)\.test/,
];

/** These start nothing, but each takes or waits for seconds. */
const notInQuick = [
  /^tests\/api\/asyncapi\.test/,
  /^tests\/bench\/random-changes\.test/,
  /^tests\/contracts\/location-store\.lmdb\.test/,
  /^tests\/ingest\/(cost-of-users|instances-add-throughput)\.test/,
  /^tests\/platform\/event-log\/kafka-unavailable\.test/,
  /^tests\/map-tiles\/build-map-tiles\.test/,
  /^tests\/platform\/auth\/jwt-authenticator\.test/,
  /^tests\/platform\/http\/compiled-schemas\.test/,
  /^tests\/routing-engine\/truck-limits\.test/,
  /^tests\/simulated-city\/scenarios\.test/,
  /^tests\/tile-builder\/(hostile-tiles|profiles|shape-nodes)\.test/,
  /^tests\/tile-builder\/follow\/release-builder\.test/,
  /^tests\/tools\/tile-address\.test/,
  /^tests\/traffic-exchange\/(damaged-feeds|line-binary|lines-on-roads|match-event|read-datex2|segment-speeds)\.test/,
];

/**
 * A file that names one of these, itself or through what it imports, starts a process, a thread or a
 * database, or reads the compiled files.
 */
const starts = /'(node:child_process|node:worker_threads|piscina|playwright-core)'|(\.\.\/|')dist\//;

/**
 * A file that names one of these, itself or through a file of the tests that it imports, changes its process
 * or measures it. It gets a process of its own.
 */
const changesItsProcess =
  /process\.(chdir|cpuUsage|memoryUsage|env\['\w+'\] =)|\bvi\.(mock|doMock|spyOn|stub|useFakeTimers)/;

/** A file that reaches this one needs the PostgreSQL that a run shares. */
const needsPostgres = /'[./]+\/shared-postgres\.js'/;

/** All patterns of this file, for a test that each still fits a file. */
export const patterns = [...programs, ...serial, ...onlyInFull, ...notInQuick];

const matches = (some, file) => some.some((pattern) => pattern.test(file));

/** Paths of all test files from the root, without those that need the real servers. */
const all = readdirSync(join(root, 'tests'), { recursive: true })
  .map((name) => `tests/${String(name).replaceAll('\\', '/')}`)
  .filter((file) => /(?<!\.real)\.test\.ts$/.test(file))
  .toSorted();

/** Files of the project that the text imports at run time: `import type` loads nothing. */
function importsOf(file, text) {
  return [...text.matchAll(/^(?:import|export)(?! type\b)[^;]*? from '([.#][^']+)\.js'/gm)].map(([, path]) =>
    path.startsWith('#') ? `${path.slice(1)}.ts` : join(dirname(file), `${path}.ts`).replaceAll('\\', '/'),
  );
}

const textOf = (file) => (existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '');

/** @returns {(file: string) => boolean} whether the file, or one that it imports, fits the pattern */
function reaches(pattern, isAsked = () => true) {
  const known = new Map();
  const answerFor = (file) => {
    if (known.has(file)) return known.get(file);
    // Imports that come back to a file add nothing to what it is already asked for.
    known.set(file, false);
    const text = textOf(file);
    const answer = pattern.test(text) || importsOf(file, text).filter(isAsked).some(answerFor);
    known.set(file, answer);
    return answer;
  };
  return answerFor;
}

const startsSomething = reaches(starts);
const usesPostgres = reaches(needsPostgres, (file) => file.startsWith('tests/'));
const needsOwnProcess = reaches(changesItsProcess, (file) => file.startsWith('tests/'));

const groupOf = (file) => {
  if (matches(serial, file)) return 'serial';
  if (matches(programs, file)) return 'programs';
  // What runs only in full is long: a process of its own costs it little, and kills and storms stay apart.
  if (needsOwnProcess(file) || matches(onlyInFull, file)) return 'alone';
  return usesPostgres(file) ? 'databases' : 'together';
};

/**
 * Files `together` run in a few processes, and so do those of `databases`, which share a server as well. Each
 * of `alone` has a process, and so has each of `programs`, and of `serial`, of which one runs at a time.
 *
 * @param {'quick' | 'usual' | 'full'} selection
 * @returns {Record<'together' | 'databases' | 'alone' | 'programs' | 'serial', string[]>}
 */
export function selected(selection) {
  let files = all;
  if (selection !== 'full') files = files.filter((file) => !matches(onlyInFull, file));
  if (selection === 'quick')
    files = files.filter(
      (file) => !matches([...notInQuick, ...programs, ...serial], file) && !startsSomething(file),
    );
  const groups = { together: [], databases: [], alone: [], programs: [], serial: [] };
  for (const file of files) groups[groupOf(file)].push(file);
  return groups;
}
