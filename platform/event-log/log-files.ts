import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, open, type RootDatabase } from 'lmdb';
import type { TopicContract } from '#schemas/topics.js';
import { type LmdbWrite, lmdbCommitOptions, lmdbWrite } from '../lmdb/lmdb-write.js';
import { lmdbMapBytes } from '../lmdb/map-size.js';

export interface StoredTopic {
  readonly partitions: number;
  readonly retention: TopicContract['retention'];
}

/** Offset of the next record, and bytes of the records kept. */
export type PartitionState = readonly [end: number, bytes: number];
export interface StoredProcess {
  readonly pid: number;
  readonly startStamp: string;
  readonly beat: number;
}
export interface StoredMember {
  readonly process: string;
  readonly topics: readonly string[];
}

/**
 * The tables of the embedded log in one LMDB environment (docs/formats/event-log.md). Each partition is a
 * B-tree keyed by offset, so that records are appended at the right edge and pages fill up.
 */
export interface LogFiles {
  readonly env: RootDatabase<unknown, string>;
  readonly topics: Database<StoredTopic, string>;
  readonly partitions: Database<PartitionState, [topic: string, partition: number]>;
  readonly committed: Database<number, [group: string, topic: string, partition: number]>;
  readonly processes: Database<StoredProcess, string>;
  readonly members: Database<StoredMember, [group: string, member: string]>;
  readonly owners: Database<string, [group: string, topic: string, partition: number]>;
  /** Grows with each change of a group, so that members of other processes notice. */
  readonly generations: Database<number, string>;
  records(topic: string, partition: number): Database<Buffer, number>;
}

/** Partitions of all topics together that one log can hold. */
const TABLES_MAX = 2_048;

/** `flushedOnly`: start at the last flushed transaction, without later commits. */
export function openLogFiles(folder: string, options: { readonly flushedOnly: boolean }): LogFiles {
  const env = open<unknown, string>({
    path: folder,
    maxDbs: TABLES_MAX,
    mapSize: lmdbMapBytes,
    ...lmdbCommitOptions,
    ...(options.flushedOnly && { safeRestore: true }),
  });
  const tables = new Map<string, Database<Buffer, number>>();
  return {
    env,
    topics: env.openDB('topics', {}),
    partitions: env.openDB('partitions', {}),
    committed: env.openDB('committed', {}),
    processes: env.openDB('processes', {}),
    members: env.openDB('members', {}),
    owners: env.openDB('owners', {}),
    generations: env.openDB('generations', {}),
    records(topic, partition) {
      const name = `records/${topic}/${partition}`;
      let table = tables.get(name);
      if (table === undefined) {
        table = env.openDB<Buffer, number>(name, { encoding: 'binary' });
        tables.set(name, table);
      }
      return table;
    },
  };
}

/** The tables of an existing log that say how far it and its groups are; undefined if there is none. */
export function openLogToRead(
  folder: string,
): Pick<LogFiles, 'env' | 'topics' | 'partitions' | 'committed'> | undefined {
  if (!existsSync(join(folder, 'data.mdb'))) return undefined;
  const env = open<unknown, string>({
    path: folder,
    maxDbs: TABLES_MAX,
    mapSize: lmdbMapBytes,
    readOnly: true,
    ...lmdbCommitOptions,
  });
  return {
    env,
    topics: env.openDB('topics', {}),
    partitions: env.openDB('partitions', {}),
    committed: env.openDB('committed', {}),
  };
}

/** Runs `action` in one write transaction, atomically. */
export const writeLog = <Result>(files: LogFiles, action: () => Result): LmdbWrite<Result> =>
  lmdbWrite(files.env, action);
