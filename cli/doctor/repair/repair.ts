import { join } from 'node:path';
import type { Config } from '#platform/config/settings.js';
import { lmdbFileState } from '#platform/lmdb/lmdb-file-state.js';
import { interruptedRebuild } from '#platform/location-store/interrupted-rebuild.js';
import { locationBatchRecorded } from '#schemas/topics.js';
import { addressesOf } from '../../adapters.js';
import { CommandFailed, exitCode } from '../../exit.js';
import { runningPrograms } from '../../running-programs.js';
import { type Finding, failed, finding, ok, warning } from '../finding.js';
import { checkRelease } from '../release.js';
import { rebuildLocations } from './rebuild-locations.js';
import type { Repairable } from './repairable.js';

const restoreIt = 'It is derived from nothing: restore a backup (npx meridian restore).';

/**
 * Rebuilds from the event log what is damaged and can be derived from it, and says of the rest what to do.
 * `wanted` is rebuilt although it looks whole: pages of LMDB have no checksum. Throws `CommandFailed` while a
 * program uses the data folder.
 */
export async function repair(config: Config, wanted: readonly Repairable[]): Promise<readonly Finding[]> {
  const [user] = await runningPrograms(config.MERIDIAN_DATA);
  if (user !== undefined)
    throw new CommandFailed(
      `${user.program} (process ${user.pid}) uses the data folder ${config.MERIDIAN_DATA}. Stop it first.`,
      exitCode.usage,
    );
  const log = damageOf(addressesOf(config).eventLog, 'embedded:');
  return [
    logFinding(log),
    await finding('locations', () => locations(config, wanted, log.damage), 'Restore a backup.'),
    { check: 'metric', ...ok('each start compares it with its checksums and rebuilds it from the log') },
    { check: 'cache', ...ok('it keeps nothing over a restart') },
    await finding('map', () => checkRelease(config), 'Run npx meridian tiles build --from-scratch.'),
    { check: 'database', ...ok('PostgreSQL repairs itself at its start; what it cannot is in a backup') },
  ];
}

interface StoreState {
  /** Absent for a server. */
  readonly folder?: string;
  readonly damage?: string;
}

function damageOf(address: string, scheme: string): StoreState {
  if (!address.startsWith(scheme)) return {};
  const [folder = ''] = address.slice(scheme.length).split('?');
  const interrupted = interruptedRebuild(folder);
  if (interrupted !== undefined) return { folder, damage: interrupted };
  const state = lmdbFileState(folder);
  return typeof state === 'string' ? { folder } : { folder, damage: state.damage };
}

function logFinding({ folder, damage }: StoreState): Finding {
  if (folder === undefined) return { check: 'event log', ...ok('on a server, which repairs it') };
  return damage === undefined
    ? { check: 'event log', ...ok(`whole in ${folder}`) }
    : { check: 'event log', ...failed(`${join(folder, 'data.mdb')}: ${damage}`, restoreIt) };
}

async function locations(
  config: Config,
  wanted: readonly Repairable[],
  logDamage: string | undefined,
): Promise<ReturnType<typeof ok>> {
  const { folder, damage } = damageOf(addressesOf(config).locations, 'lmdb:');
  if (folder === undefined) return ok('on a server, which repairs it');
  if (damage === undefined && !wanted.includes('locations')) return ok(`whole in ${folder}`);
  if (logDamage !== undefined)
    return failed(`${damage ?? 'whole'}, and the event log is damaged, too`, 'Restore a backup.');
  const { batches, erasures, unreadable, oldestMs, keptAt } = await rebuildLocations(config, folder);
  const since = oldestMs === undefined ? '' : `, the oldest point is of ${new Date(oldestMs).toISOString()}`;
  const kept = keptAt === undefined ? '' : `; the old store is kept in ${keptAt}`;
  const skipped = unreadable === 0 ? '' : `, ${unreadable} records that are no batches`;
  const done = `rebuilt from the log: ${batches} batches, ${erasures} erasures${skipped}${since}${kept}`;
  const { retention } = locationBatchRecorded;
  const logDays = retention.policy === 'delete' ? retention.ageMs / 86_400_000 : Number.POSITIVE_INFINITY;
  return logDays >= config.RETENTION_DAYS
    ? ok(done)
    : warning(
        done,
        `The log keeps ${logDays} days and the store ${config.RETENTION_DAYS}: ` +
          'older points are only in a backup.',
      );
}
