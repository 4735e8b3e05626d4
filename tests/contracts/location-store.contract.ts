import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  InvalidCursor,
  type LocationPageRequest,
  type LocationStore,
} from '#platform/location-store/location-store.js';
import type { LocationBatch } from '#schemas/location.js';
import { type LocationField, type LocationFieldValues, locationFields } from '#schemas/location-fields.js';
import type { UserId } from '#schemas/units.js';
import { proves } from '#tools/acceptance/proves.js';
import { until } from './until.js';

export interface LocationStoreUnderTest {
  /** Two handles on the same locations, prepared, as two processes would have them. */
  readonly one: LocationStore;
  readonly other: LocationStore;
  readonly retentionMs: number;
  readonly runs: number;
  dispose(): Promise<void>;
}

type Point = readonly [
  latE7: number,
  lngE7: number,
  timestamp: number,
  fields?: LocationFieldValues | undefined,
];

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const everything = { fromMs: 0, toMs: 8.64e15, limit: 1_000 };

/**
 * The requirements of every location store. Each test has its own user names, so that a shared cluster can be
 * used.
 */
export function locationStoreContract(adapter: string, start: () => Promise<LocationStoreUnderTest>): void {
  describe(`location store contract: ${adapter}`, () => {
    let under: LocationStoreUnderTest;
    let store: LocationStore;
    let users = 0;
    const user = (name = '') => `contract-${process.pid}-${Date.now()}-${users++}${name}` as UserId;
    /** Noon, so that a test knows where a day ends. */
    const noon = Math.floor(Date.now() / dayMs) * dayMs - dayMs / 2;

    beforeAll(async () => {
      under = await start();
      store = under.one;
    });
    afterAll(async () => {
      await under?.dispose();
    });

    proves('M-001', {
      asked: 'the tuples read back from the store are equal to the ones sent',
      shown: 'five tuples, of both poles, both ends of longitude and 1e-7 degrees, read by a second handle',
    });
    test('M-001: returns exactly what was written', async () => {
      const id = user();
      const points: Point[] = [
        [577_089_123, 119_746_789, noon],
        [-900_000_000, -1_800_000_000, noon + 1],
        [900_000_000, 1_800_000_000, noon + 2],
        [0, 0, noon + 3],
        [1, -1, noon + 4],
      ];
      await store.write([batchOf(id, points)]);
      expect(await all(under.other, id)).toEqual(asLocations(points));
    });

    test('M-003, M-007: returns points in order of time, however written, across days', async () => {
      const id = user();
      const points = Array.from(
        { length: 300 },
        (_, index): Point => [index, 300 - index, noon - 2 * dayMs + index * 900_001],
      );
      const mixed = points.toSorted((a, b) => ((a[2] * 7919) % 1009) - ((b[2] * 7919) % 1009));
      for (let at = 0; at < mixed.length; at += 37)
        await store.write([batchOf(id, mixed.slice(at, at + 37))]);
      expect(await all(store, id)).toEqual(asLocations(points));
    });

    test('pages of any size return each location once, in order; only the last has no cursor', async () => {
      const id = user();
      const points = Array.from(
        { length: 60 },
        (_, index): Point => [index, index, noon - dayMs + index * 3_000_000],
      );
      await store.write([batchOf(id, points)]);
      for (const limit of [1, 7, 20, 59, 60, 61, 1_000]) {
        const pages = await pagesOf(store, id, { ...everything, limit });
        expect(pages.flat()).toEqual(asLocations(points));
        expect(pages).toHaveLength(Math.max(1, Math.ceil(60 / limit)));
        expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
      }
    });

    test('one process immediately reads what the other wrote', async () => {
      const id = user();
      for (let count = 1; count <= 60; count += 1) {
        expect(await all(under.other, id)).toHaveLength(count - 1);
        await under.one.write([batchOf(id, [[count, count, noon + count]])]);
        expect(await all(under.other, id)).toHaveLength(count);
      }
    });

    test('the range includes its start and excludes its end', async () => {
      const id = user();
      await store.write([
        batchOf(id, [
          [1, 1, noon],
          [2, 2, noon + 1],
          [3, 3, noon + dayMs],
          [4, 4, noon + dayMs + 1],
        ]),
      ]);
      const times = async (fromMs: number, toMs: number) =>
        (await store.read(id, { fromMs, toMs, limit: 10 })).locations.map(
          (location) => location.timestamp - noon,
        );
      expect(await times(noon, noon + dayMs)).toEqual([0, 1]);
      expect(await times(noon + 1, noon + dayMs + 1)).toEqual([1, dayMs]);
      expect(await times(noon + 2, noon + dayMs)).toEqual([]);
      expect(await times(noon + 1, noon + 1)).toEqual([]);
      expect(await times(noon + 1, noon)).toEqual([]);
      expect(await times(noon - 30 * dayMs, noon - 29 * dayMs)).toEqual([]);
    });

    test('stores a repeated point once, and the later write of a timestamp wins on any clock', async () => {
      const id = user();
      const batch = batchOf(id, [
        [1, 1, noon],
        [2, 2, noon + 1],
        [3, 3, noon + 1],
      ]);
      await Promise.all([store.write([batch]), under.other.write([batch])]);
      await store.write([batch, batch]);
      expect(await all(store, id)).toEqual(
        asLocations([
          [1, 1, noon],
          [3, 3, noon + 1],
        ]),
      );
      await store.write([{ ...batchOf(id, [[9, 9, noon]]), receivedMs: Date.now() + hourMs }]);
      await store.write([{ ...batchOf(id, [[8, 8, noon]]), receivedMs: Date.now() - hourMs }]);
      expect(await all(store, id)).toEqual(
        asLocations([
          [8, 8, noon],
          [3, 3, noon + 1],
        ]),
      );
      await store.write([batchOf(id, [[7, 7, noon]]), batchOf(id, [[6, 6, noon]])]);
      expect((await all(store, id))[0]?.lat).toBe(6e-7);
    });

    const everyField = { accuracy: 4.5, speed: 13.89, heading: 359.9, mode: 'bicycling' } as const;

    proves('M-001', {
      asked: 'the tuples read back from the store are equal to the ones sent',
      shown: 'accuracy, speed, heading and travel mode come back as sent; a point without them has none',
    });
    test('M-001: speed, heading, accuracy and travel mode are stored with the point', async () => {
      const id = user();
      const points: Point[] = [
        [1, 1, noon, everyField],
        [2, 2, noon + 1],
        [3, 3, noon + 2, { speed: 0 }],
        [4, 4, noon + 3, { mode: 'driving', heading: 0 }],
        [5, 5, noon + 4, { accuracy: 100_000, speed: 1_000 }],
      ];
      await store.write([batchOf(id, points)]);
      expect(await all(under.other, id)).toEqual(asLocations(points));
    });

    test('of two writes of a timestamp no field of the earlier one stays', async () => {
      const id = user();
      const last: Point[] = [
        [7, 7, noon],
        [8, 8, noon + 1, { speed: 2 }],
        [9, 9, noon + 2, everyField],
      ];
      await store.write([
        batchOf(
          id,
          last.map(([, , at], index): Point => [1, 1, at, index < 2 ? everyField : undefined]),
        ),
      ]);
      // One at a time, so that a batch without any field is among them.
      for (const point of last) await under.other.write([batchOf(id, [point])]);
      expect(await all(store, id)).toEqual(asLocations(last));
    });

    test('a field outside of its bounds is left out, and the point stays', async () => {
      const id = user();
      const { points, ...batch } = batchOf(id, [[1, 1, noon, everyField]]);
      const speedMps = Float32Array.of(4e7);
      await store.write([{ ...batch, points: { ...points, speedMps, modeIndex: Float32Array.of(3) } }]);
      const { accuracy, heading } = everyField;
      expect(await all(store, id)).toEqual(asLocations([[1, 1, noon, { accuracy, heading }]]));
    });

    proves('M-003', {
      asked: 'two users never share a partition',
      shown: 'nine user ids that begin alike: each reads its own point only, also after one is erased',
    });
    test('M-003: two users never see each other, even if their names start alike', async () => {
      const base = user();
      const ids = ['', '1', '\u0000', ' ', '/', ':a', 'å', '\u{1f697}', '0'.repeat(60)].map(
        (end) => (base + end) as UserId,
      );
      await store.write(ids.map((id, index) => batchOf(id, [[index, index, noon]])));
      for (const [index, id] of ids.entries())
        expect(await all(store, id)).toEqual(asLocations([[index, index, noon]]));
      await store.erase(ids[0]!);
      expect(await all(store, ids[0]!)).toEqual([]);
      for (const [index, id] of ids.slice(1).entries()) {
        expect(await all(store, id)).toEqual(asLocations([[index + 1, index + 1, noon]]));
      }
    });

    proves('M-009', {
      asked: 'a history can be erased',
      shown: '40 points of 20 days are erased by another handle; over HTTP in ingest/erase-history',
    });
    test('M-009: erase removes every day of the user and can be repeated', async () => {
      const id = user();
      const points = Array.from(
        { length: 40 },
        (_, index): Point => [index, index, noon - index * (dayMs / 2)],
      );
      await store.write([batchOf(id, points)]);
      await under.other.erase(id);
      expect(await all(store, id)).toEqual([]);
      await store.erase(id);
      await store.erase(user());
    });

    test.each([
      ['right', 0],
      ['an hour fast', hourMs],
      ['an hour slow', -hourMs],
    ])('F16: a write after an erase is stored, with a clock that was %s', async (_, before) => {
      for (const after of [-hourMs, 0, hourMs]) {
        const id = user();
        await store.write([
          {
            ...batchOf(id, [
              [1, 1, noon],
              [2, 2, noon - dayMs],
            ]),
            receivedMs: Date.now() + before,
          },
        ]);
        await store.erase(id);
        await store.write([{ ...batchOf(id, [[3, 3, noon]]), receivedMs: Date.now() + after }]);
        expect(await all(under.other, id)).toEqual(asLocations([[3, 3, noon]]));
        await store.erase(id);
        expect(await all(store, id)).toEqual([]);
      }
    });

    test('P1: a point is removed when the retention has passed since its receipt', async () => {
      const id = user();
      const near = Date.now() - under.retentionMs + 6_000;
      await store.write([
        { ...batchOf(id, [[1, 1, noon]]), receivedMs: Date.now() - under.retentionMs - 1 },
        { ...batchOf(id, [[2, 2, noon + 1]]), receivedMs: near },
        { ...batchOf(id, [[3, 3, noon + 2]]), receivedMs: Date.now() },
      ]);
      expect(await all(store, id)).toEqual(
        asLocations([
          [2, 2, noon + 1],
          [3, 3, noon + 2],
        ]),
      );
      await until('the end of the retention', async () => (await all(store, id)).length === 1);
      expect(await all(store, id)).toEqual(asLocations([[3, 3, noon + 2]]));
    });

    test('M-009: rejects a cursor of another user or range, a forged one and a truncated one', async () => {
      const [mine, theirs] = [user(), user()];
      const points: Point[] = [
        [1, 1, noon],
        [2, 2, noon + 1],
        [3, 3, noon + 2],
      ];
      await store.write([batchOf(mine, points), batchOf(theirs, points)]);
      const request = { ...everything, limit: 1 };
      const { nextCursor: cursor = '' } = await store.read(mine, request);
      const flipped = `${cursor[0] === 'A' ? 'B' : 'A'}${cursor.slice(1)}`;
      const refused = (id: UserId, given: string, range: Partial<LocationPageRequest> = {}) =>
        expect(store.read(id, { ...request, ...range, cursor: given })).rejects.toThrow(InvalidCursor);
      await refused(theirs, cursor);
      await refused(mine, cursor, { toMs: noon });
      await refused(mine, cursor, { fromMs: noon + dayMs });
      for (const forged of [
        '',
        'x',
        flipped,
        cursor.slice(0, -1),
        `${cursor}A`,
        `${cursor}=`,
        'A'.repeat(100_000),
        '../..',
      ]) {
        await refused(mine, forged);
      }
      expect((await under.other.read(mine, { ...request, cursor })).locations).toEqual(
        asLocations([points[1]!]),
      );
    });

    test.each([
      ['limit 0', { limit: 0 }],
      ['limit 1,001', { limit: 1_001 }],
      ['a huge limit', { limit: 2 ** 40 }],
      ['half a limit', { limit: 1.5 }],
      ['limit NaN', { limit: Number.NaN }],
      ['a beginning of NaN', { fromMs: Number.NaN }],
      ['an endless end', { toMs: Number.POSITIVE_INFINITY }],
      ['an end beyond all dates', { toMs: 2 ** 53 }],
    ])('rejects a page with %s', async (_, wrong) => {
      await expect(store.read(user(), { ...everything, ...wrong })).rejects.toThrow(RangeError);
    });

    test.each<[string, Point]>([
      ['timestamp NaN', [1, 1, Number.NaN]],
      ['timestamp 0.5', [1, 1, 0.5]],
      ['timestamp 2^53', [1, 1, 2 ** 53]],
      ['latitude 91', [910_000_000, 1, noon]],
      ['longitude -181', [1, -1_810_000_000, noon]],
    ])('rejects a write with %s and stores nothing of it', async (_, point) => {
      const [id, bystander] = [user(), user()];
      const batches = [batchOf(bystander, [[1, 1, noon]]), batchOf(id, [[1, 1, noon], point])];
      await expect(store.write(batches)).rejects.toThrow(RangeError);
      expect(await all(store, id)).toEqual([]);
      expect(await all(store, bystander)).toEqual([]);
    });

    test('accepts an empty write, an empty batch, a longer buffer and the bounds of time', async () => {
      const id = user('y'.repeat(60));
      await store.write([]);
      await store.write([batchOf(id, [])]);
      const long = batchOf(id, [
        [1, 1, 0],
        [2, 2, noon],
        [3, 3, noon + 1],
      ]);
      await store.write([{ ...long, points: { ...long.points, count: 2 } }]);
      expect(await all(store, id)).toEqual(
        asLocations([
          [1, 1, 0],
          [2, 2, noon],
        ]),
      );
    });

    test('check resolves while the store works', async () => {
      await expect(store.check()).resolves.toBeUndefined();
      await expect(store.prepare()).resolves.toBeUndefined();
    });

    test('behaves as a Map under any sequence of calls', async () => {
      const time = fc.record({
        day: fc.integer({ min: -2, max: 1 }),
        step: fc.integer({ min: 0, max: 40 }),
      });
      const fields: fc.Arbitrary<LocationFieldValues | undefined> = fc.option(
        fc.record(
          {
            accuracy: fc.integer({ min: 0, max: 1_000_000 }).map((dm) => dm / 10),
            speed: fc.integer({ min: 0, max: 100_000 }).map((cm) => cm / 100),
            heading: fc.integer({ min: 0, max: 3_599 }).map((tenths) => tenths / 10),
            mode: fc.constantFrom('driving', 'walking', 'bicycling'),
          },
          { requiredKeys: [] },
        ),
        { nil: undefined },
      );
      const coordinate = fc.integer({ min: -9, max: 9 });
      const point = fc.tuple(coordinate, coordinate, time, fields);
      const owner = fc.integer({ min: 0, max: 2 });
      const batch = fc.record({
        owner,
        points: fc.array(point, { maxLength: 60 }),
        skewMs: fc.constantFrom(0, hourMs, -hourMs),
      });
      const call = fc.oneof(
        {
          weight: 5,
          arbitrary: fc.record({
            kind: fc.constant('write' as const),
            batches: fc.array(batch, { maxLength: 4 }),
          }),
        },
        { weight: 1, arbitrary: fc.record({ kind: fc.constant('erase' as const), owner }) },
        {
          weight: 3,
          arbitrary: fc.record({
            kind: fc.constant('read' as const),
            owner,
            from: time,
            to: time,
            limit: fc.integer({ min: 1, max: 50 }),
          }),
        },
      );
      const ms = ({ day, step }: { day: number; step: number }) =>
        noon + day * dayMs + (step - 20) * 2_160_000;
      await fc.assert(
        fc.asyncProperty(fc.array(call, { maxLength: 12 }), async (calls) => {
          const ids = [user(), user('b'), user('bb')];
          const model = ids.map(() => new Map<number, Point>());
          const pairs: Array<readonly [found: unknown, expected: unknown]> = [];
          for (const [index, step] of calls.entries()) {
            const side = index % 2 ? under.one : under.other;
            switch (step.kind) {
              case 'write':
                await side.write(
                  step.batches.map(({ owner, points, skewMs }) => {
                    const written = points.map(([lat, lng, at, more]): Point => [lat, lng, ms(at), more]);
                    for (const one of written) model[owner]!.set(one[2], one);
                    return { ...batchOf(ids[owner]!, written), receivedMs: Date.now() + skewMs };
                  }),
                );
                break;
              case 'erase':
                await side.erase(ids[step.owner]!);
                model[step.owner]!.clear();
                break;
              case 'read': {
                const [fromMs, toMs] = [ms(step.from), ms(step.to)];
                const expected = [...model[step.owner]!.values()]
                  .filter(([, , at]) => at >= fromMs && at < toMs)
                  .toSorted((a, b) => a[2] - b[2]);
                const pages = await pagesOf(side, ids[step.owner]!, { fromMs, toMs, limit: step.limit });
                pairs.push([pages.flat(), asLocations(expected)]);
                break;
              }
            }
          }
          for (const [owner, id] of ids.entries()) {
            const expected = [...model[owner]!.values()].toSorted((a, b) => a[2] - b[2]);
            pairs.push([await all(store, id), asLocations(expected)]);
          }
          for (const [found, expected] of pairs) expect(found).toEqual(expected);
        }),
        { seed: 20261121, numRuns: under.runs },
      );
    });
  });
}

function batchOf(userId: UserId, points: readonly Point[]): LocationBatch {
  return {
    userId,
    batchId: `batch-${points.length}`,
    receivedMs: Date.now(),
    points: {
      count: points.length,
      latE7: Int32Array.from(points, (point) => point[0]),
      lngE7: Int32Array.from(points, (point) => point[1]),
      timeMs: Float64Array.from(points, (point) => point[2]),
      ...fieldColumns(points),
    },
  };
}

/** A column for each field that a point has, as the readers of uploads make them. */
function fieldColumns(points: readonly Point[]): Record<string, Float32Array> {
  const columns: Record<string, Float32Array> = {};
  for (const { name, column, values } of locationFields as readonly LocationField[]) {
    const given = points.map(([, , , fields]) => fields?.[name as keyof LocationFieldValues]);
    if (given.every((value) => value === undefined)) continue;
    columns[column] = Float32Array.from(given, (value) =>
      value === undefined ? Number.NaN : typeof value === 'string' ? values!.indexOf(value) : value,
    );
  }
  return columns;
}

const asLocations = (points: readonly Point[]) =>
  points.map(([latE7, lngE7, timestamp, fields]) => ({
    lat: latE7 / 1e7,
    lng: lngE7 / 1e7,
    timestamp,
    ...fields,
  }));

async function all(store: LocationStore, userId: UserId) {
  return (await pagesOf(store, userId, everything)).flat();
}

async function pagesOf(store: LocationStore, userId: UserId, request: LocationPageRequest) {
  const pages = [];
  let cursor: string | undefined;
  do {
    const page = await store.read(userId, cursor === undefined ? request : { ...request, cursor });
    pages.push([...page.locations]);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return pages;
}
