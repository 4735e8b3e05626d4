import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acceptedRoadsKey, readAcceptedRoads } from '#map-data/accepted-roads/accepted-roads.js';
import { startAcceptedRoads } from '#processors/new-roads/start-accepted-roads.js';
import { freeFlowMetric } from '#routing-engine/overlay/metric.js';
import { findRoute } from '#routing-engine/route/find-route.js';
import type { RoadReviewed } from '#schemas/messages.js';
import { until } from '../../contracts/until.js';
import { gridNetwork } from '../grid-network.js';
import { groupDeps, type LocalPlatform, openLocalPlatform } from '../local-platform.js';

describe('a road that an operator accepted', () => {
  let platform: LocalPlatform;
  beforeEach(async () => {
    platform = await openLocalPlatform();
  });
  afterEach(() => platform.close());

  it('F10: is used by routes of the next build, and not after a later rejection', async () => {
    const { codecs, objects } = platform;
    const before = await gridNetwork(5, 5, 300);
    const [from, to] = [before.edge([0, 0], [1, 0]), before.edge([3, 4], [4, 4])];
    const [start, end] = [before.place(from, 1), before.place(to, 0)];
    const review: RoadReviewed = {
      ...{ roadId: 'road-1', tilesetId: before.network.tilesetId, accepted: true, oneWay: false },
      latE7: [start.lat, end.lat].map((lat) => Math.round(lat * 1e7) + 500),
      lngE7: [start.lng, end.lng].map((lng) => Math.round(lng * 1e7) - 500),
      ...{ highway: 'tertiary', name: 'Diagonal', reviewer: 'olga', reviewedMs: 1_000, note: '' },
    };
    let group = await startAcceptedRoads(groupDeps(platform));
    await group.ready;
    const say = (more: Partial<RoadReviewed>): Promise<void> =>
      platform.append(codecs.mapRoadReviewed, more.roadId ?? 'road-1', { ...review, ...more });
    await say({});
    await say({ roadId: 'road-2', accepted: false, highway: '' });
    await say({ roadId: 'road-3', latE7: [1], lngE7: [1] });
    await until('the list', async () => (await objects.get(acceptedRoadsKey)) !== undefined);
    await until('all reviews', () => group.stats()['invalid'] === 1);
    expect((await readAcceptedRoads(objects)).map(({ id }) => id)).toEqual(['road-1']);

    const after = await gridNetwork(5, 5, 300, 50, objects);
    const seconds = ({ network, edge }: typeof before): number => {
      const outcome = findRoute(network, freeFlowMetric(network, 'driving'), {
        from: [{ edge: edge([0, 0], [1, 0]), fraction: 0.5 }],
        to: [{ edge: edge([3, 4], [4, 4]), fraction: 0.5 }],
      });
      if (outcome.status !== 'ok') throw new Error(outcome.status);
      const names = [...outcome.path.edges].map((each) => network.edgeName(each));
      expect(names.includes('Diagonal')).toBe(network === after.network);
      return outcome.path.durationMs;
    };
    expect(seconds(after)).toBeLessThan(0.85 * seconds(before));
    expect(after.network.tilesetId).not.toBe(before.network.tilesetId);

    // The group has kept its state, and of two reviews the later one is valid.
    await group.close();
    group = await startAcceptedRoads(groupDeps(platform));
    await group.ready;
    await say({ roadId: 'road-4' });
    await say({ accepted: false, reviewedMs: 2_000 });
    await say({ accepted: true, reviewedMs: 1_500 });
    await until('the old review', () => group.stats()['old'] === 1);
    expect((await readAcceptedRoads(objects)).map(({ id }) => id)).toEqual(['road-4']);
    await group.close();
  });
});
