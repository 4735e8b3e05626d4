import { access, constants, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hotelMigrations } from '#hotel/migrations.js';
import { paymentMigrations } from '#payment/migrations.js';
import type { Config } from '#platform/config/settings.js';
import { lmdbFileState } from '#platform/lmdb/lmdb-file-state.js';
import { interruptedRebuild } from '#platform/location-store/interrupted-rebuild.js';
import { type HistoryState, inspectSql } from '#platform/sql/inspect-sql.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { bookingMigrations } from '#processors/booking/migrations.js';
import { addressesOf, openCache, openLocations, openLog, openRegistry } from '../adapters.js';
import { shardAddresses } from '../open/open-hotel-servers.js';
import { type Answer, type Finding, failed, finding, ok, warning } from './finding.js';
import { checkAhead } from './machine.js';
import { openObjectsToRead } from './read-only-objects.js';

const startIt = (setting: string): string =>
  `Start that server, or correct ${setting}; npx meridian config shows it.`;
const repairIt = 'Stop the platform and run npx meridian doctor --repair, or restore a backup.';
const restoreIt = 'Restore the data folder from a backup.';
const notYet = (what: string): Answer => ok(`embedded; ${what} is made by the first start`);

/** Each configured server answers; the embedded ones are there and whole. */
export async function checkStores(config: Config): Promise<readonly Finding[]> {
  const { eventLog, schemaRegistry, locations, cache, objects } = addressesOf(config);
  return (
    await Promise.all([
      one('event log', 'EVENT_LOG', eventLog, () => openLog(config, silentLogger)),
      one('schema registry', 'SCHEMA_REGISTRY_URL', schemaRegistry, () => openRegistry(config)),
      one('locations', 'LOCATIONS', locations, () => openLocations(config)),
      one('cache', 'CACHE', cache, () => openCache(config, silentLogger)),
      one('objects', 'OBJECTS', objects, () => openObjectsToRead(config)),
      checkDatabases(config),
    ])
  ).flat();
}

interface Checked {
  check(): Promise<void>;
  close(): Promise<void>;
}

async function one(
  name: string,
  setting: string,
  address: string,
  open: () => Promise<Checked>,
): Promise<Finding> {
  const [scheme = '', rest = ''] = splitOnce(address, ':');
  if (scheme === 'memory') return { check: name, ...ok('in process') };
  if (scheme === 'dir') return finding(name, () => checkDirectory(rest), startIt(setting));
  if (scheme === 'embedded' || scheme === 'lmdb')
    return finding(
      name,
      () => checkLmdb(rest.split('?')[0]!, scheme === 'lmdb' ? repairIt : restoreIt),
      restoreIt,
    );
  return finding(name, () => answers(scheme, open), startIt(setting));
}

async function answers(scheme: string, open: () => Promise<Checked>): Promise<Answer> {
  const port = await open();
  try {
    const askedMs = performance.now();
    await port.check();
    return ok(`${scheme}, answers in ${Math.max(1, Math.round(performance.now() - askedMs))} ms`);
  } finally {
    await port.close().catch(() => {});
  }
}

async function checkDirectory(folder: string): Promise<Answer> {
  const found = await stat(folder).catch(() => undefined);
  if (found === undefined) return notYet(folder);
  await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  return ok(`directory ${folder}`);
}

async function checkLmdb(folder: string, advice: string): Promise<Answer> {
  const interrupted = interruptedRebuild(folder);
  if (interrupted !== undefined) return failed(`${folder}: ${interrupted}`, advice);
  const file = join(folder, 'data.mdb');
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) return notYet(folder);
  await access(file, constants.R_OK | constants.W_OK);
  const state = lmdbFileState(folder);
  if (typeof state !== 'string') return failed(`${file}: ${state.damage}`, advice);
  return ok(`embedded in ${folder}, ${Math.ceil(found.size / 2 ** 20)} MiB`);
}

const histories = { hotel: hotelMigrations, payment: paymentMigrations, booking: bookingMigrations };

async function checkDatabases(config: Config): Promise<readonly Finding[]> {
  const main = config.SQL ?? `embedded:${join(config.MERIDIAN_DATA, 'sql')}`;
  const more = [...shardAddresses(config)].map(([name, address]) =>
    checkDatabase(`database ${name}`, 'HOTEL_SHARDS', address, { hotel: hotelMigrations }),
  );
  return (await Promise.all([checkDatabase('database', 'SQL', main, histories), ...more])).flat();
}

async function checkDatabase(
  name: string,
  setting: string,
  address: string,
  known: Parameters<typeof inspectSql>[1],
): Promise<readonly Finding[]> {
  const more: Finding[] = [];
  const found = await finding(
    name,
    async () => {
      const state = await inspectSql(address, known);
      if (state.kind === 'absent') return notYet('the database');
      if (state.kind === 'stopped') return ok('embedded; stopped, so its tables were not looked at');
      more.push({ check: `clock of ${name}`, ...checkAhead('the server', state.aheadMs) });
      more.push({ check: `tables of ${name}`, ...tables(state.histories) });
      return ok(`PostgreSQL ${state.version}`);
    },
    startIt(setting),
  );
  return [found, ...more];
}

function tables(states: readonly HistoryState[]): Answer {
  const refused = states.find(({ refusal }) => refusal !== undefined);
  if (refused !== undefined) return failed(refused.refusal!, 'Start a version of Meridian that fits it.');
  const pending = states.reduce((sum, state) => sum + state.pending, 0);
  return pending === 0
    ? ok('as this version expects them')
    : warning(`${pending} migrations are not applied`, 'Back it up; the next start applies them.');
}

function splitOnce(text: string, at: string): readonly string[] {
  const index = text.indexOf(at);
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + 1)];
}
