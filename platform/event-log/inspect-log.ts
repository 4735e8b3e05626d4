import { wholeLogFile } from './complete-log-file.js';
import type { GroupLag } from './group-lags.js';
import { type LogFiles, openLogToRead } from './log-files.js';

export interface LogState {
  readonly topics: number;
  readonly lags: readonly GroupLag[];
}

/**
 * Reads the embedded log of `folder` and changes nothing. Undefined if there is none; throws
 * `LogUnavailable` for one that is cut off.
 */
export async function inspectLog(folder: string): Promise<LogState | undefined> {
  wholeLogFile(folder);
  const files = openLogToRead(folder);
  if (files === undefined) return undefined;
  try {
    return { topics: [...files.topics.getKeys()].length, lags: lagsOf(files) };
  } finally {
    await files.env.close();
  }
}

function lagsOf({ committed, partitions }: Pick<LogFiles, 'committed' | 'partitions'>): readonly GroupLag[] {
  const lags = new Map<string, GroupLag>();
  for (const { key, value: next } of committed.getRange()) {
    const [group, topic, partition] = key;
    const name = `${group} ${topic}`;
    const behind = Math.max(0, (partitions.get([topic, partition])?.[0] ?? 0) - next);
    lags.set(name, { group, topic, records: (lags.get(name)?.records ?? 0) + behind });
  }
  return [...lags.values()];
}
