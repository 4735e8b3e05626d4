import { existsSync } from 'node:fs';
import { readdir, rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sql } from '../sql/sql.js';
import type { Logger } from '../telemetry/logger.js';
import { apiKeyLimits } from './limits.js';
import { isOrphan, journalEnding, readJournal, type UsageCount } from './usage-journal.js';
import { addUsage, dayOf, forgetSource, type UsageOutcome } from './usage-store.js';

/**
 * Brings the last counts of a journal into the database, removes its file, then its row. A process that is
 * killed in between leaves what the next one continues: the row says that the counts were added until the
 * file is gone.
 */
export async function endSource(
  sql: Sql,
  { sourceId, path, isOld }: { readonly sourceId: string; readonly path: string; readonly isOld?: boolean },
  counts: readonly UsageCount[],
): Promise<UsageOutcome> {
  const source = { sourceId, exists: () => existsSync(path), ...(isOld === undefined ? {} : { isOld }) };
  const outcome = await addUsage(sql, source, counts, true);
  if (outcome === 'too old') {
    await rename(path, `${path}.not-counted`);
    return outcome;
  }
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await forgetSource(sql, sourceId);
  return outcome;
}

/** By its counts: a copy of a file has another time. */
const ageDays = (counts: readonly UsageCount[], nowMs: number): number =>
  dayOf(nowMs) - counts.reduce((latest, { day }) => Math.max(latest, day), 0);

/** Brings counts of killed processes of this folder into the database. Two processes may do so at once. */
export async function adoptOrphans(
  sql: Sql,
  folder: string,
  logger: Logger,
  nowMs: () => number,
): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const changed = name.endsWith(journalEnding) ? await stat(path).catch(() => undefined) : undefined;
    if (changed === undefined || !isOrphan(name, changed.mtimeMs, nowMs())) continue;
    try {
      const { sourceId, counts, damaged } = readJournal(path);
      if (damaged > 0) logger.warn('counts of requests are damaged', { path, damaged });
      const isOld = ageDays(counts, nowMs()) > apiKeyLimits.journalDaysMax;
      const outcome = await endSource(sql, { sourceId, path, isOld }, counts);
      if (outcome === 'too old')
        logger.error('old counts of requests may be in the database already, and were not added', {
          path: `${path}.not-counted`,
          requests: counts.reduce((sum, { requests }) => sum + requests, 0),
        });
    } catch (error) {
      logger.warn('counts of an ended process wait', { path, cause: (error as Error).message });
    }
  }
}
