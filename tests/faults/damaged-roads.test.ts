import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NavAnswer } from '#schemas/http/nav.js';
import type { LatLng } from '#schemas/units.js';
import { proves } from '#tools/acceptance/proves.js';
import { freePort, type RunningProgram, spawnProgram, startProgram } from '../main-job/running-platform.js';
import { unlimited } from '../programs/drivers-of.js';

/** Corners of the trips, all over the island. */
const places: readonly LatLng[] = [
  { lat: 35.911, lng: 14.502 },
  { lat: 35.878, lng: 14.472 },
  { lat: 35.953, lng: 14.357 },
  { lat: 35.842, lng: 14.543 },
  { lat: 35.886, lng: 14.403 },
];
const trips = places.flatMap((from, i) => places.filter((_, j) => j !== i).map((to) => [from, to] as const));
/** Trips that a program is asked for only after the next damage. */
const kept = 5;

/** `meridian api`, whose stored tiles of roads are damaged while it runs and before it starts again. */
describe('damaged tiles of the roads', () => {
  let data: string;
  let ports: readonly [number, number];
  let api: RunningProgram;
  /** Each trip's route on the roads as they are. */
  const right = new Map<number, string>();
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'meridian-damaged-roads-'));
    ports = [await freePort(), await freePort()];
    api = await startProgram('api', { data, ports, env: unlimited });
    for (const n of trips.keys()) right.set(n, (await route(n)) as string);
    expect(new Set(right.values()).size).toBe(trips.length);
    // The next program has none of the answers in its memory.
    await api.stop();
    api = await startProgram('api', { data, ports, env: unlimited });
  });
  afterAll(async () => {
    await api?.stop('SIGKILL');
    await rm(data, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });

  /** The line of the n-th trip, the status of a refusal, or undefined while there is no server. */
  async function route(n: number): Promise<string | number | undefined> {
    const [from, to] = trips[n]!;
    const query = `origin=${from.lat},${from.lng}&destination=${to.lat},${to.lng}`;
    const answer = await fetch(`${api.url}/v1/nav?${query}`).catch(() => undefined);
    if (answer?.status !== 200) return answer?.status;
    return ((await answer.json()) as NavAnswer).polyline!.points;
  }
  const isRight = async (n: number) => expect([n, await route(n)]).toEqual([n, right.get(n)]);

  async function tiles(kind: string): Promise<string[]> {
    const found = await readdir(join(data, 'objects', 'tilesets', 'tiles'), {
      recursive: true,
      withFileTypes: true,
    });
    const files = found.filter((one) => one.isFile() && one.name.endsWith(`.${kind}`));
    return files.map(({ parentPath, name }) => join(parentPath, name)).toSorted();
  }
  async function flipped(): Promise<void> {
    for (const file of await tiles('roads')) {
      const bytes = await readFile(file);
      bytes[bytes.length >> 1]! ^= 1;
      await writeFile(file, bytes);
    }
  }
  async function exchanged(): Promise<void> {
    const files = await tiles('roads');
    const whole = await Promise.all(files.map((file) => readFile(file)));
    for (const [i, file] of files.entries()) await writeFile(file, whole[(i + 1) % files.length]!);
  }
  async function cut(): Promise<void> {
    for (const file of await tiles('weights')) await truncate(file, (await readFile(file)).length - 3);
  }
  async function removed(): Promise<void> {
    for (const file of (await tiles('roads')).filter((_, i) => i % 2 === 0)) await rm(file);
  }

  proves('F31', {
    asked: 'bit flips, truncated, removed: refused, the previous version is used; never a wrong route',
    shown: 'four damages of road tiles: the running program has its routes, the next refuses or rebuilds',
    settings: ['no rate limits'],
    control: {
      in: 'cli/open/open-map.ts',
      change: "  'CorruptTileset',",
      to: '',
    },
    from: 'outside',
  });
  it.each([
    ['each with the bytes of another', exchanged],
    ['a flipped bit in each', flipped],
    ['cut off', cut],
    ['half of them removed', removed],
  ] as const)('F31: tiles of roads, %s: no route is another than it was', async (_, damage) => {
    await damage();
    // What runs has read its tiles: trips that it was not asked for before, and so has not in its memory.
    for (let n = 0; n < kept; n += 1) await isRight(n);
    await api.stop();
    api = await spawnProgram('api', { data, ports, env: unlimited });
    let isReady = false;
    const ready = api.ready().then(() => {
      isReady = true;
    });
    const seen = new Set<string>();
    for (let n = kept; !isReady; n = n + 1 < trips.length ? n + 1 : kept) {
      const answer = await route(n);
      if (typeof answer === 'string') expect([n, answer]).toEqual([n, right.get(n)]);
      else seen.add(String(answer));
      await new Promise((wake) => setTimeout(wake, 20));
    }
    await ready;
    expect([...seen].filter((status) => !['undefined', '503'].includes(status))).toEqual([]);
    for (let n = kept; n < trips.length; n += 1) await isRight(n);
  });
});
