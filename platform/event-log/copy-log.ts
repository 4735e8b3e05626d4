import { open, type RootDatabase } from 'lmdb';
import { copyEnvironment, type EnvironmentCopy, removeLockFile } from '../lmdb/copy-environment.js';
import { lmdbCommitOptions } from '../lmdb/lmdb-write.js';
import { lmdbMapBytes } from '../lmdb/map-size.js';
import { wholeLogFile } from './complete-log-file.js';
import { type LogFiles, openLogFiles, writeLog } from './log-files.js';

/** By topic, the offset that the next record of each partition gets. */
export type LogEnds = Readonly<Record<string, readonly number[]>>;

export interface LogCopy extends Pick<EnvironmentCopy, 'taken'> {
  readonly whole: Promise<LogEnds>;
}

/**
 * Copies the embedded log of `folder` as it is at one instant, while programs append and read. Committed
 * offsets are copied too; members of groups are not, since no process has the copy open.
 */
export function copyLog(folder: string, into: string): LogCopy {
  const env = openToCopy(folder);
  const { taken, whole } = copyEnvironment(env, into);
  const ends = finish(env, whole, into);
  ends.catch(() => {});
  return { taken, whole: ends };
}

async function finish(env: RootDatabase, whole: Promise<void>, into: string): Promise<LogEnds> {
  try {
    await whole;
  } finally {
    await env.close();
  }
  return withoutProcesses(into);
}

/** To open tables would need the lock of writers, which the programs that append hold most of the time. */
const openToCopy = (folder: string): RootDatabase =>
  wholeLogFile(folder) === 'flushed'
    ? openLogFiles(folder, { flushedOnly: true }).env
    : open({ path: folder, readOnly: true, mapSize: lmdbMapBytes, ...lmdbCommitOptions });

async function withoutProcesses(folder: string): Promise<LogEnds> {
  const files = openLogFiles(folder, { flushedOnly: false });
  try {
    await writeLog(files, () => {
      for (const key of [...files.processes.getKeys()]) files.processes.removeSync(key);
      for (const key of [...files.members.getKeys()]) files.members.removeSync(key);
      for (const key of [...files.owners.getKeys()]) files.owners.removeSync(key);
    }).flushed;
    return endsOf(files);
  } finally {
    await files.env.close();
    await removeLockFile(folder);
  }
}

function endsOf({ topics, partitions }: LogFiles): LogEnds {
  const ends: Record<string, readonly number[]> = {};
  for (const { key: topic, value } of topics.getRange())
    ends[topic] = Array.from(
      { length: value.partitions },
      (_, partition) => partitions.get([topic, partition])?.[0] ?? 0,
    );
  return ends;
}
