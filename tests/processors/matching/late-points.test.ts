import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLogger } from '#platform/telemetry/logger.js';
import { createMetrics } from '#platform/telemetry/prometheus-metrics.js';
import { startMatching } from '#processors/matching/start-matching.js';
import type { Running } from '#processors/start-group.js';
import { type EdgeObservation, observationKind } from '#schemas/messages.js';
import type { UserId } from '#schemas/units.js';
import { proves } from '#tools/acceptance/proves.js';
import { until } from '../../contracts/until.js';
import { type IngestRoom, startIngestRoom } from '../../ingest/ingest-fixture.js';
import { MemoryObjectStore } from '../../tile-builder/memory-object-store.js';
import { driveAlong, type Fix } from '../drivers.js';
import { gridNetwork } from '../grid-network.js';

const grid = await gridNetwork(6, 4, 200);
const { network } = grid;
const way = grid.way([0, 1], [1, 1], [2, 1], [3, 1], [3, 2], [3, 3]);
const mps = 12;
const hourMs = 3_600_000;

describe('late points, from the request to the processors', () => {
  let room: IngestRoom;
  let matching: Running;
  beforeAll(async () => {
    room = await startIngestRoom();
    matching = await startMatching({
      ...{ log: room.log, codecs: room.codecs, network, pseudonymKey: 'test key' },
      ...{ objects: new MemoryObjectStore(), logger: silentLogger, metrics: createMetrics() },
    });
    await matching.ready;
  });
  afterAll(async () => {
    await matching?.close();
    await room?.close();
  });

  const driveFrom = (startMs: number): Fix[] =>
    driveAlong(grid, way, { startMs, mps, fromFraction: 0.3, toFraction: 0.8 });
  const locsOf = (fixes: readonly Fix[]) =>
    fixes.map(({ lat, lng, timeMs }) => [Math.round(lat * 1e7) / 1e7, Math.round(lng * 1e7) / 1e7, timeMs]);
  async function send(fixes: readonly Fix[]): Promise<void> {
    const answer = await room.post('late', { locs: locsOf(fixes) });
    expect([answer.status, await answer.json()]).toMatchObject([202, { accepted: fixes.length }]);
  }
  async function passages(): Promise<EdgeObservation[]> {
    const codec = room.codecs.trafficEdgeObserved;
    const { topic } = codec;
    const found: EdgeObservation[] = [];
    for (let partition = 0; partition < topic.partitions; partition++)
      for await (const { value } of room.log.read(topic.name, partition, 0))
        found.push(
          ...codec.decode(value!).observations.filter(({ kind }) => kind === observationKind.passed),
        );
    return found.toSorted((a, b) => a.enteredMs - b.enteredMs);
  }
  /** The times at which a drive enters and leaves each edge that it passes from end to end. */
  function timesOf(startMs: number): (readonly [id: string, enteredMs: number, leftMs: number])[] {
    let alongM = -0.3 * network.edgeLengthM(way[0]!);
    return way
      .map((edge) => {
        const enteredMs = startMs + (alongM / mps) * 1_000;
        alongM += network.edgeLengthM(edge);
        return [network.edgeId(edge), enteredMs, startMs + (alongM / mps) * 1_000] as const;
      })
      .slice(1, -1);
  }

  proves('M-007', {
    asked: 'late and out-of-order points are stored at their own time, and reach the processors with it',
    shown: 'by POST to the store and the consumer group: a drive of now, then two older ones, one shuffled',
    control: {
      in: 'processors/matching/match-batch.ts',
      change: 'if (isProcessed(taken, timeMs) || timeMs <= batch.receivedMs - lateMaxMs) counts.late++;',
      to: 'if (timeMs <= newestMs) counts.late++;',
    },
  });
  it('M-007: late drives come out of the group with their own times, and are stored at them', async () => {
    const nowMs = Date.now();
    const starts = [nowMs - 3 * hourMs, nowMs - hourMs, nowMs - 120_000] as const;
    const [oldest, old, present] = starts.map(driveFrom) as [Fix[], Fix[], Fix[]];
    await send(present);
    await send(old);
    await send(oldest.toSorted((a, b) => (a.timeMs % 7_000) - (b.timeMs % 7_000)));
    const wanted = starts.flatMap(timesOf);
    await until(
      'a passage of each edge of each drive',
      async () => (await passages()).length >= wanted.length,
    );
    const found = await passages();
    expect(found.map(({ edgeId }) => edgeId)).toEqual(wanted.map(([id]) => id));
    for (const [i, { enteredMs, leftMs }] of found.entries()) {
      const [, entered, left] = wanted[i]!;
      expect(Math.abs(enteredMs - entered)).toBeLessThan(2_000);
      expect(Math.abs(leftMs - left)).toBeLessThan(2_000);
    }
    // None was taken for the present: the counts of the group say which came late.
    expect(matching.stats()).toMatchObject({
      ...{ matched: present.length, corrected: old.length + oldest.length, late: 0 },
    });
    await until('all in the store', async () => {
      const page = { fromMs: 0, toMs: nowMs + 1, limit: 1_000 };
      const { locations } = await room.store.read('late' as UserId, page);
      return locations.length === oldest.length + old.length + present.length;
    });
    const page = { fromMs: 0, toMs: nowMs + 1, limit: 1_000 };
    const { locations } = await room.store.read('late' as UserId, page);
    expect(locations.map(({ lat, lng, timestamp }) => [lat, lng, timestamp])).toEqual(
      locsOf([...oldest, ...old, ...present]),
    );
  });
});
