import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { processResidentMib } from '#bench/process-cpu.js';
import { percentile } from '#bench/routing/statistics.js';
import type { LocationsAccepted } from '#schemas/http/locations.js';
import { proves } from '#tools/acceptance/proves.js';
import { required } from '../contracts/required-variable.js';
import { type RunningProgram, startProgram } from '../main-job/running-platform.js';
import { driversOf, unlimited } from '../programs/drivers-of.js';
import { postLocations } from '../programs/post-locations.js';
import { batchesInLog } from '../programs/read-back.js';
import type { Driver } from '../programs/recorded-senders.js';
import { NarrowLine } from './narrow-line.js';

const bytesPerSecond = 100_000;
const narrowMs = 20_000;
/** More batches than the 512 that wait when shedding begins. */
const senders = 800;
/** `append` waits for 10 s; a busy machine is a little late. */
const answerMsMax = 15_000;
const growthMibMax = 250;

let data: string;
let line: NarrowLine;
let ingest: RunningProgram;
let drivers: Driver[];
beforeAll(async () => {
  const server = new URL(required('EVENT_LOG', 'kafka://'));
  line = await NarrowLine.open(Number(server.port));
  data = await mkdtemp(join(tmpdir(), 'meridian-narrow-line-'));
  const env = { LOCATIONS: `lmdb:${join(data, 'locations')}`, CACHE: 'memory:' };
  const address = `kafka://127.0.0.1:${line.port}`;
  ingest = await startProgram('ingest', {
    data,
    args: ['door'],
    env: { ...unlimited, ...env, EVENT_LOG: address },
  });
  const users = Array.from({ length: senders }, () => `narrow-${randomUUID()}`);
  drivers = await driversOf(data, users);
}, 120_000);
afterAll(async () => {
  await ingest?.stop();
  await line?.close();
  if (data !== undefined) await rm(data, { recursive: true, force: true });
});

interface Seen {
  readonly batchId: string;
  readonly isParked: boolean;
  readonly status: number;
  readonly ms: number;
  readonly shed: number;
  readonly retryAfterS: number;
}

/** Every fourth sender is parked; the others drive 15 points. */
async function send({ token }: Driver, at: number): Promise<Seen> {
  const isParked = at % 4 === 0;
  const [batchId, nowMs, from] = [randomUUID(), Date.now(), performance.now()];
  const locs = Array.from({ length: 15 }, (_, n) => [
    35.9 + (isParked ? 0 : n * 1e-3 * Math.random()),
    14.5,
    nowMs - 15_000 + n * 1_000,
  ]);
  const answer = await postLocations(ingest.url, token, locs, batchId);
  const { shed = 0 } = (await answer.json()) as Partial<LocationsAccepted>;
  const retryAfterS = Number(answer.headers.get('retry-after'));
  return { batchId, isParked, status: answer.status, ms: performance.now() - from, shed, retryAfterS };
}

proves('F5', {
  asked: '100 KB/s: back-pressure, shed early, p99 of accepted within the limit',
  shown: '800 senders, 100 KB/s to the broker: only parked batches are shed, p99 of accepted within 15 s',
  settings: ['no rate limits'],
  control: {
    in: 'ingest/shedding.ts',
    change: '    if (waiting < pressedFromWaiting || this.#isNavigating(userId)) return false;',
    to: '    if (waiting < 1e9 || this.#isNavigating(userId)) return false;',
  },
  from: 'outside',
});
it('F5: behind a narrow line what adds nothing is shed, and nothing that was accepted is lost', async () => {
  const seen: Seen[] = [];
  const before = processResidentMib(ingest.pid);
  line.bytesPerSecond = bytesPerSecond;
  const endMs = performance.now() + narrowMs;
  await Promise.all(
    drivers.map(async (driver, at) => {
      while (performance.now() < endMs) {
        seen.push(await send(driver, at));
        await sleep(100);
      }
    }),
  );
  const grownMib = processResidentMib(ingest.pid) - before;
  line.bytesPerSecond = Number.POSITIVE_INFINITY;
  const accepted = seen.filter(({ status, shed }) => status === 202 && shed === 0);
  const shed = seen.filter((one) => one.shed > 0);
  const refused = seen.filter(({ status }) => status === 503);
  const p99Ms = percentile(
    accepted.map(({ ms }) => ms),
    0.99,
  );
  console.log(
    `${accepted.length} accepted, ${shed.length} shed, ${refused.length} refused;`,
    `p99 ${Math.round(p99Ms)} ms, ${Math.round(grownMib)} MiB more`,
  );
  expect(accepted.length + shed.length + refused.length).toBe(seen.length);
  expect(accepted.length).toBeGreaterThan(senders);
  expect(shed.length).toBeGreaterThan(0);
  expect(shed.filter(({ isParked }) => !isParked)).toEqual([]);
  expect(refused.filter(({ retryAfterS }) => !(retryAfterS > 0))).toEqual([]);
  // Without waiting the line was not narrow.
  expect(
    percentile(
      accepted.map(({ ms }) => ms),
      0.5,
    ),
  ).toBeGreaterThan(500);
  expect(p99Ms).toBeLessThan(answerMsMax);
  expect(grownMib).toBeLessThan(growthMibMax);
  const inLog = new Set(await batchesInLog({ MERIDIAN_DATA: data }, drivers));
  expect(accepted.filter(({ batchId }) => !inLog.has(batchId))).toEqual([]);
  expect(shed.filter(({ batchId }) => inLog.has(batchId))).toEqual([]);
}, 180_000);
