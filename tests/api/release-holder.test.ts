import { expect, test } from 'vitest';
import { indexGeocoder } from '#api/geocode/index-geocoder.js';
import { tilesOnEventLoop } from '#api/map/tiles-on-event-loop.js';
import { ReleaseHolder } from '#api/release/release-holder.js';
import { addressTown, geocodeTown, sourceOf } from '../geocoding/address-town.js';
import { paperTown } from './paper-town.js';

function openRelease(name: string, closed: string[]) {
  const town = paperTown();
  const roads = { ...town.roads, tilesetId: name };
  return {
    release: { ...town, roads, roadTiles: tilesOnEventLoop(roads) },
    close: () => Promise.resolve(void closed.push(name)),
  };
}
const failed = (error: Error): never => {
  throw error;
};

test('a request that started before a swap keeps its release, which is closed afterwards', async () => {
  const closed: string[] = [];
  const holder = new ReleaseHolder(openRelease('old', closed), failed);
  const ends: (() => void)[] = [];
  const answers = [1, 2].map(() =>
    holder.use(async ({ roads }) => {
      await new Promise<void>((resolve) => ends.push(resolve));
      return roads.tilesetId;
    }),
  );
  holder.swap(openRelease('new', closed));
  expect(holder.current.roads.tilesetId).toBe('new');
  expect(await holder.use(({ roads }) => Promise.resolve(roads.tilesetId))).toBe('new');
  expect([holder.retiring, closed]).toEqual([1, []]);
  ends[0]!();
  await answers[0];
  expect(closed).toEqual([]);
  ends[1]!();
  expect(await Promise.all(answers)).toEqual(['old', 'old']);
  expect([holder.retiring, closed]).toEqual([0, ['old']]);
  holder.swap(openRelease('third', closed));
  expect(closed).toEqual(['old', 'new']);
  await holder.close();
  expect(closed).toEqual(['old', 'new', 'third']);
});

test('a failed request releases its release too', async () => {
  const closed: string[] = [];
  const holder = new ReleaseHolder(openRelease('old', closed), failed);
  const answer = holder.use(() => Promise.reject(new Error('no')));
  holder.swap(openRelease('new', closed));
  await expect(answer).rejects.toThrow('no');
  expect(closed).toEqual(['old']);
});

test('M-028: new places on the same roads are available at once, and nothing is closed', async () => {
  const { index, network } = await geocodeTown();
  const closed: string[] = [];
  const holder = new ReleaseHolder(openRelease('old', closed), failed);
  expect(holder.current.geocoder).toBeUndefined();
  holder.amend({ releaseId: 'with places', geocoder: indexGeocoder(index, network) });
  expect(holder.current.releaseId).toBe('with places');
  expect(holder.current.geocoder!.search('Storgatan 2', { language: '', limit: 1 })[0]?.result.place_id).toBe(
    'n42.2',
  );
  holder.amend({});
  expect(holder.current.geocoder).toBeUndefined();
  expect(closed).toEqual([]);
});

test('rejects an index built on other roads', async () => {
  const { index } = await geocodeTown();
  const other = await geocodeTown(
    sourceOf({ ...addressTown, ways: addressTown.ways.filter(({ id }) => id !== 106) }),
  );
  expect(() => indexGeocoder(index, other.network)).toThrow(/build the map again/);
});
