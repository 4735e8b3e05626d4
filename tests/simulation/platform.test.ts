import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { platformBugs } from '#bench/platform/platform-bugs.js';
import { faultNames } from '#bench/platform/platform-faults.js';
import type { PlatformRun } from '#bench/platform/platform-run.js';
import { DirectoryObjectStore } from '#platform/object-store/directory-object-store.js';
import { gothenburg, storeOf } from '../tile-builder/real-maps.js';

// The hooks that plant bugs are compiled files.
const { spawnSimulation } = (await import(
  new URL('../../dist/bench/simulation/spawn-city.js', import.meta.url).href
)) as typeof import('#bench/simulation/spawn-city.js');

type Report = Pick<PlatformRun, 'broken' | 'digest' | 'counts'>;

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'meridian-platform-'));
  const objects = await DirectoryObjectStore.open(folder);
  for (const [key, bytes] of (await storeOf(gothenburg)).objects) await objects.put(key, bytes);
  await objects.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const simulate = (seed: number, bug?: string) =>
  spawnSimulation<Report>(
    'streams-platform-one.js',
    { folder, seed, drivers: 25, minutes: 2, faults: faultNames, faultScale: 3 },
    platformBugs.find(({ name }) => name === bug),
  );

describe('the whole platform under one seed and one clock', () => {
  it('M-005, M-006, M-024: holds through kills and lost, late and doubled messages, twice', async () => {
    const [first, again, other] = (await Promise.all([1, 1, 2].map((seed) => simulate(seed)))) as Report[];
    expect(first!.broken).toEqual([]);
    expect(other!.broken).toEqual([]);
    expect(first!.counts['kills']).toBeGreaterThan(0);
    expect(first!.counts['routes']).toBeGreaterThan(0);
    expect(first!.counts['versions']).toBeGreaterThan(0);
    expect(again!.digest).toBe(first!.digest);
    expect(other!.digest).not.toBe(first!.digest);
  });

  it('has a place in the code for every bug that is planted by hand', () => {
    const lost = platformBugs.filter(({ file, from }) => {
      const code = readFileSync(new URL(`../../dist/${file}`, import.meta.url), 'utf8');
      return !code.includes(from);
    });
    expect(lost.map(({ name }) => name)).toEqual([]);
  });

  it.concurrent.each([
    'a follower takes the number of a new metric and keeps the old weights',
    'a snapshot has the newest offsets and an empty state',
    'a batch is acknowledged although the log did not take it',
  ])('fails when %s', async (name) => {
    // Each change of the product changes the story of a seed, so a bug has a few seeds to show itself.
    for (const seed of [1, 2, 3, 4]) if ((await simulate(seed, name)).broken.length > 0) return;
    throw new Error('No seed detected the bug.');
  });
});
