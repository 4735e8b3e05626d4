import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isParked } from '#ingest/batch-priority.js';
import { pressedFromWaiting } from '#ingest/limits.js';
import { followNavigatingUsers, type NavigatingUsers } from '#ingest/navigating-users.js';
import { LocationReceiver } from '#ingest/receive-location-batch.js';
import { SendHints } from '#ingest/send-hint.js';
import { Shedding } from '#ingest/shedding.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { createMetrics } from '#platform/telemetry/prometheus-metrics.js';
import type { LocationPoints } from '#schemas/location.js';
import type { UserId } from '#schemas/units.js';
import { type IngestRoom, startIngestRoom } from './ingest-fixture.js';

const now = Date.now();
const points = (positions: ReadonlyArray<readonly [number, number]>, speeds?: number[]): LocationPoints => ({
  count: positions.length,
  latE7: Int32Array.from(positions, ([lat]) => Math.round(lat * 1e7)),
  lngE7: Int32Array.from(positions, ([, lng]) => Math.round(lng * 1e7)),
  timeMs: Float64Array.from(positions, (_, i) => now + i),
  ...(speeds === undefined ? {} : { speedMps: Float32Array.from(speeds) }),
});

const parked = points([
  [57.7, 11.97],
  [57.70005, 11.97005],
  [57.7001, 11.97],
]);
const driving = points([
  [57.7, 11.97],
  [57.701, 11.97],
]);

describe('the priority of a batch', () => {
  it('is parked for two fixes or more within 20 m, none of them moving', () => {
    expect(isParked(parked)).toBe(true);
    expect(isParked(driving)).toBe(false);
    expect(isParked(points([[57.7, 11.97]]))).toBe(false);
    expect(
      isParked(
        points(
          [
            [57.7, 11.97],
            [57.7, 11.97],
          ],
          [0, 3],
        ),
      ),
    ).toBe(false);
    expect(
      isParked(
        points(
          [
            [57.7, 11.97],
            [57.7, 11.97],
          ],
          [0, Number.NaN],
        ),
      ),
    ).toBe(true);
  });

  it('measures east and west in metres too: 20 m are more degrees in the north', () => {
    expect(
      isParked(
        points([
          [0, 10],
          [0, 10.0003],
        ]),
      ),
    ).toBe(false);
    expect(
      isParked(
        points([
          [60, 10],
          [60, 10.0003],
        ]),
      ),
    ).toBe(true);
    expect(
      isParked(
        points([
          [60, 10],
          [60, 10.0005],
        ]),
      ),
    ).toBe(false);
  });
});

describe('F38: shedding under pressure', () => {
  it('drops nothing without pressure, parked phones under it, no navigating user; all counted', async () => {
    const metrics = createMetrics();
    const shedding = new Shedding((user) => user === 'navigator', metrics);
    expect(shedding.leavesOut('u', parked, pressedFromWaiting - 1)).toBe(false);
    expect(shedding.leavesOut('u', driving, pressedFromWaiting)).toBe(false);
    expect(shedding.leavesOut('navigator', parked, pressedFromWaiting * 100)).toBe(false);
    expect(shedding.leavesOut('u', parked, pressedFromWaiting)).toBe(true);
    expect((await metrics.scrape()).text).toContain('location_points_shed_total{reason="parked"} 3');
  });

  it('is reported in the response with a hint, and ends when the log has caught up', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const appended: string[] = [];
    const room = await startIngestRoom();
    const receiver = new LocationReceiver({
      log: {
        append: async (topic, records) => {
          await held;
          appended.push(...records.map(({ key }) => key));
          return room.log.append(topic, records);
        },
      },
      codec: room.codecs.locationBatchRecorded,
      cache: { get: async () => undefined, set: async () => undefined },
      nowMs: () => now,
      hints: new SendHints({ isNavigating: (user) => user === 'navigator' }),
      shedding: new Shedding((user) => user === 'navigator', createMetrics()),
    });
    const send = async (user: string) => {
      const outcome = receiver.receive({
        userId: user as UserId,
        body: Buffer.from(
          JSON.stringify({
            locs: [
              [57.7, 11.97, now - 1],
              [57.7, 11.97, now],
            ],
          }),
        ),
        contentType: 'application/json',
        queryLocs: undefined,
      });
      return typeof outcome === 'function' ? new Promise(outcome) : outcome;
    };
    const under = Array.from({ length: pressedFromWaiting }, (_, i) => send(`driver-${i}`));
    expect(await send('parked')).toMatchObject({
      outcome: 'accepted',
      answer: { accepted: 0, shed: 2, send_every_s: 60 },
    });
    const navigator = send('navigator');
    release();
    expect(await navigator).toMatchObject({ answer: { accepted: 2 } });
    await Promise.all(under.map((one) => Promise.resolve(one)));
    expect(await send('parked')).toMatchObject({ answer: { accepted: 2 } });
    expect(appended).toContain('navigator');
    expect(appended.filter((key) => key === 'parked')).toHaveLength(1);
    await room.close();
  });
});

describe('the set of navigating users', () => {
  let room: IngestRoom;
  let users: NavigatingUsers;
  beforeAll(async () => {
    room = await startIngestRoom();
    users = await followNavigatingUsers({
      log: room.log,
      codec: room.codecs.navSessionChanged,
      logger: silentLogger,
    });
  });
  afterAll(async () => {
    await users.close();
    await room.close();
  });

  it('is read from the topic: started, ended, removed, and unreadable', async () => {
    const codec = room.codecs.navSessionChanged;
    const change = (user: string, state: number) =>
      room.log.append(codec.topic.name, [
        {
          key: user,
          value: codec.encode({
            navigationId: 'n',
            userId: user,
            state,
            tilesetId: 't',
            destinationLatE7: 0,
            destinationLngE7: 0,
            edgeIds: [],
            tiles: [],
            durationS: 1,
            metricVersion: 1,
            routeVersion: 1,
            avoid: [],
            changedMs: now,
          }),
        },
      ]);
    await change('begun', 1);
    await change('rerouted', 2);
    await change('ended', 1);
    await change('ended', 3);
    await change('gone', 1);
    await room.log.append(codec.topic.name, [{ key: 'gone', value: null }]);
    await room.log.append(codec.topic.name, [{ key: 'unreadable', value: Uint8Array.of(9, 9) }]);
    const names = ['begun', 'rerouted', 'ended', 'gone', 'unreadable', 'nobody'];
    await expect
      .poll(() => names.map((name) => users.has(name)))
      .toEqual([true, true, false, false, true, false]);
  });
});
