import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { SentBatch } from '../programs/recorded-senders.js';

const command = fileURLToPath(new URL('../../bin/meridian.js', import.meta.url));

/** What `meridian events tail --json` prints of a batch, as far as it is compared. */
interface Recorded {
  readonly value: {
    readonly batchId: string;
    readonly points: {
      readonly latE7: readonly number[];
      readonly lngE7: readonly number[];
      readonly timeMs: readonly number[];
    };
  };
}

export interface PointsInLog {
  /** Of acknowledged batches. */
  readonly points: number;
  /** Batches that are missing, and batches whose points differ from those that were sent. */
  readonly faults: readonly string[];
}

/** Reads the log record by record; compares every point of the acknowledged batches with what was sent. */
export async function pointsInLog(
  env: Readonly<Record<string, string>>,
  batches: readonly SentBatch[],
): Promise<PointsInLog> {
  const missing = new Map(
    batches.filter(({ fate }) => fate === 'acknowledged').map((batch) => [batch.batchId, batch]),
  );
  const words = ['events', 'tail', 'location.batch.recorded.v1', '--json', '--from', 'earliest'];
  const child = spawn(process.execPath, [command, ...words, '--no-follow'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  const ended = once(child, 'close');
  const faults: string[] = [];
  let points = 0;
  for await (const line of createInterface(child.stdout)) {
    const { value } = JSON.parse(line) as Recorded;
    const batch = missing.get(value.batchId);
    // Of another run, or a second time.
    if (batch === undefined) continue;
    missing.delete(value.batchId);
    points += batch.locs.length;
    if (JSON.stringify(pointsOf(value)) !== JSON.stringify(batch.locs))
      faults.push(`${value.batchId} differs`);
  }
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(`meridian events tail ended with ${code}`);
  return { points, faults: [...faults, ...[...missing.keys()].map((id) => `${id} is missing`)] };
}

function pointsOf({ points: { latE7, lngE7, timeMs } }: Recorded['value']): SentBatch['locs'] {
  return timeMs.map((ms, i) => [latE7[i]! / 1e7, lngE7[i]! / 1e7, ms] as const);
}
