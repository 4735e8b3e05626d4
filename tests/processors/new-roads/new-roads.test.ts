import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startMatching } from '#processors/matching/start-matching.js';
import { startNewRoads } from '#processors/new-roads/start-new-roads.js';
import { until } from '../../contracts/until.js';
import { batchOf, driveAlong, type Fix } from '../drivers.js';
import { gridNetwork } from '../grid-network.js';
import { groupDeps, type LocalPlatform, openLocalPlatform } from '../local-platform.js';

const grid = await gridNetwork(7, 5, 300);
const { network } = grid;

/** Along row 1, then diagonally through a block where the map has no road, then along row 2. */
function shortcut(startMs: number): Fix[] {
  const before = driveAlong(grid, grid.way([0, 1], [1, 1], [2, 1]), { startMs, mps: 10, fromFraction: 0.3 });
  const [from, to] = [grid.place(grid.edge([2, 1], [3, 1]), 0), grid.place(grid.edge([3, 2], [4, 2]), 0)];
  const slant = Array.from({ length: 41 }, (_, i) => ({
    lat: from.lat + ((to.lat - from.lat) * (i + 1)) / 42,
    lng: from.lng + ((to.lng - from.lng) * (i + 1)) / 42,
    timeMs: before.at(-1)!.timeMs + 1_000 * (i + 1),
  }));
  const after = driveAlong(grid, grid.way([3, 2], [4, 2], [5, 2]), {
    startMs: slant.at(-1)!.timeMs + 1_000,
    mps: 10,
    toFraction: 0.8,
  });
  return [...before, ...slant, ...after];
}

describe('drives through a block without a road', () => {
  let platform: LocalPlatform;
  const open: { close(): Promise<void> }[] = [];
  beforeEach(async () => {
    platform = await openLocalPlatform();
  });
  afterEach(async () => {
    await stop();
    await platform.close();
  });
  const stop = async (): Promise<void> => {
    for (const each of open.splice(0).reverse()) await each.close();
  };
  async function start(): Promise<void> {
    const deps = groupDeps(platform);
    const groups = [
      await startMatching({ ...deps, network, pseudonymKey: 'test key' }),
      await startNewRoads({ ...deps, tilesetId: network.tilesetId }),
    ];
    open.push(...groups);
    await Promise.all(groups.map(({ ready }) => ready));
  }
  const drive = async (userId: string): Promise<void> => {
    const fixes = shortcut(Date.now() - 200_000).map((fix) => ({ ...fix, accuracyM: 5 }));
    for (let i = 0; i < fixes.length; i += 25)
      await platform.append(
        platform.codecs.locationBatchRecorded,
        userId,
        batchOf(userId, `${userId}-${i}`, fixes.slice(i, i + 25), Date.now()),
      );
  };
  const strays = () => platform.read(platform.codecs.mapTraceStray);
  const proposed = () => platform.read(platform.codecs.mapRoadProposed);

  it('F10: proposes the missing road once, even after a restart, and names no driver', async () => {
    await start();
    for (const user of ['a', 'b']) await drive(user);
    await until('two off-road runs', async () => (await strays()).length === 2);
    expect(await proposed()).toEqual([]);
    await stop();
    await start();
    for (const user of ['c', 'd', 'e']) await drive(user);
    await until('a proposal', async () => (await proposed()).length === 1);
    const [road, ...others] = await proposed();
    expect(others).toEqual([]);
    expect(road).toMatchObject({ tilesetId: network.tilesetId, passes: 4, drivers: 4, oneWay: true });
    const [west, east] = [grid.place(grid.edge([2, 1], [3, 1]), 0), grid.place(grid.edge([3, 2], [4, 2]), 0)];
    for (const [i, lngE7] of road!.lngE7.entries()) {
      const share = (lngE7 / 1e7 - west.lng) / (east.lng - west.lng);
      const offM = Math.abs(road!.latE7[i]! / 1e7 - west.lat - share * (east.lat - west.lat)) * 111_195;
      expect(offM).toBeLessThan(12);
    }
    for (const { driver } of await strays()) expect(Number.isSafeInteger(driver)).toBe(true);
    expect(JSON.stringify(await strays())).not.toMatch(/"[a-e]"/);
  });

  it('a driver who stays on the roads leaves no record', async () => {
    await start();
    const way = grid.way([0, 1], [1, 1], [2, 1], [2, 2], [3, 2], [4, 2]);
    for (const user of ['a', 'b', 'c', 'd']) {
      const fixes = driveAlong(grid, way, { startMs: Date.now() - 200_000, mps: 10, fromFraction: 0.2 });
      await platform.append(
        platform.codecs.locationBatchRecorded,
        user,
        batchOf(user, user, fixes, Date.now()),
      );
    }
    await until(
      'passages',
      async () => (await platform.read(platform.codecs.trafficEdgeObserved)).length > 3,
    );
    expect(await strays()).toEqual([]);
  });
});
