import { vi } from 'vitest';
import type { LocationHistory } from '#schemas/http/locations.js';
import { meridian } from '../main-job/running-platform.js';
import type { Driver, SentBatch } from './recorded-senders.js';

/** I2 allows 60 s; a running store needs no such time. */
const storeWithinMs = 20_000;

/** The acknowledged batches that are missing (I1): they expose a platform that lies about durability. */
export function lostBatches(batches: readonly SentBatch[], inLog: ReadonlySet<string>): string[] {
  return batches
    .filter(({ batchId, fate }) => fate === 'acknowledged' && !inLog.has(batchId))
    .map(({ batchId }) => batchId);
}

/** The batches that must not be there: refused, or never sent by these drivers. */
export function strangeBatches(batches: readonly SentBatch[], inLog: ReadonlySet<string>): string[] {
  const possible = new Set(
    batches.filter(({ fate }) => fate === 'acknowledged' || fate === 'unknown').map(({ batchId }) => batchId),
  );
  return [...inLog].filter((batchId) => !possible.has(batchId));
}

interface TailedBatch {
  readonly key: string;
  readonly value: { readonly batchId: string };
}

/**
 * The batch ids of these drivers in the log, as `meridian events tail` prints them; a duplicate one twice.
 */
export async function batchesInLog(
  env: Readonly<Record<string, string>>,
  drivers: readonly Driver[],
): Promise<readonly string[]> {
  const tail = [
    'events',
    'tail',
    'location.batch.recorded.v1',
    '--json',
    '--from',
    'earliest',
    '--no-follow',
  ];
  const { code, stdout, stderr } = await meridian(tail, env);
  if (code !== 0) throw new Error(`meridian events tail ended with ${code}: ${stderr}`);
  const users = new Set(drivers.map(({ userId }) => userId));
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as TailedBatch)
    .filter(({ key }) => users.has(key))
    .map(({ value }) => value.batchId);
}

/** A page of the points of a driver, as the driver reads them. */
export const historyOf = (
  url: string,
  { userId, token }: Driver,
  query: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  fetch(
    `${url}/v1/users/${userId}/locations?${new URLSearchParams({ from: '0', limit: '1000', ...query })}`,
    {
      headers: { authorization: `Bearer ${token}` },
    },
  );

/**
 * The faults in the stored points of a driver, read page by page as their owner (I2); empty if there are
 * none.
 */
async function storeFaults(url: string, driver: Driver, batches: readonly SentBatch[]): Promise<string[]> {
  const own = batches.filter(({ userId }) => userId === driver.userId);
  const stored = new Map<number, string>();
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const answer = await historyOf(url, driver, cursor === '' ? {} : { cursor });
    if (answer.status !== 200) return [`${answer.status} ${await answer.text()}`];
    const page = (await answer.json()) as LocationHistory;
    for (const { lat, lng, timestamp } of page.locations) stored.set(timestamp, `${lat},${lng}`);
    cursor = page.next_cursor ?? undefined;
  }
  const faults: string[] = [];
  for (const { batchId, locs, fate } of own) {
    for (const [lat, lng, timestamp] of locs) {
      const there = stored.get(timestamp);
      stored.delete(timestamp);
      if (there === undefined && fate === 'acknowledged') faults.push(`${batchId} ${timestamp} is missing`);
      if (there !== undefined && fate !== 'acknowledged' && fate !== 'unknown')
        faults.push(`${batchId} ${timestamp} was ${fate} and is there`);
      if (there !== undefined && there !== `${lat},${lng}`)
        faults.push(`${batchId} ${timestamp} is ${there}`);
    }
  }
  return [...faults, ...[...stored.keys()].map((timestamp) => `${timestamp} was never sent`)];
}

/**
 * Resolves when the read API returns exactly the acknowledged points (and optional ones), with the fields as
 * they were sent.
 */
export async function allStored(
  url: string,
  drivers: readonly Driver[],
  batches: readonly SentBatch[],
): Promise<void> {
  for (const driver of drivers) {
    await vi.waitFor(
      async () => {
        const faults = await storeFaults(url, driver, batches);
        if (faults.length > 0) throw new Error(`${faults.length} faults: ${faults.slice(0, 5).join('; ')}`);
      },
      { timeout: storeWithinMs, interval: 250 },
    );
  }
}
