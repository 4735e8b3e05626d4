import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * What is derived from the event log and named by its offsets: snapshots of processors, then the ranges of
 * the tables for analysts, then those tables. Copied before the log, in this order: a restored processor
 * replays what came after its snapshot. Copied after it, the processor would skip records that the log does
 * not have yet.
 */
export const beforeTheLog = ['state', 'analytics/ranges', 'analytics'] as const;

/** Keys below a prefix, in lexical order; files in progress are none. */
export async function objectKeys(root: string, prefix: string): Promise<string[]> {
  const entries = await readdir(join(root, prefix), { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    },
  );
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll('\\', '/'),
    )
    .filter((key) => !key.startsWith('~partial/'))
    .toSorted();
}

/** All other objects. */
export async function keysAfterTheLog(root: string): Promise<readonly string[]> {
  const isLate = (key: string): boolean => !beforeTheLog.some((prefix) => key.startsWith(`${prefix}/`));
  return (await objectKeys(root, '')).filter(isLate);
}

/**
 * Objects that name others, which are written before them: the release, the metric and its versions, how far
 * a follower of changes has come. Copied before the others, so that none names what is not in the copy.
 */
export const isPointer = (key: string): boolean =>
  /(^|\/)current$|^metrics\/[^/]+\/versions\/|^follow\//.test(key);
