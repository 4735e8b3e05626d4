import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { crashInput } from '#bench/streams/crash-input.js';
import { appendInput, live, newWorld } from '#bench/streams/crash-lives.js';
import { compareOutputs, readOutputs } from '#bench/streams/crash-outputs.js';
import { seededRandom } from '#platform/random/random.js';
import { startTraffic } from '#processors/traffic/start-traffic.js';
import { observationKind } from '#schemas/messages.js';
import { eventually } from '../../eventually.js';
import { type Grid, gridNetwork } from '../grid-network.js';
import { groupDeps, type LocalPlatform, openLocalPlatform } from '../local-platform.js';

describe('the consumer group traffic', () => {
  let platform: LocalPlatform;
  let grid: Grid;
  beforeEach(async () => {
    platform = await openLocalPlatform();
    grid = await gridNetwork(3, 3);
  });
  afterEach(() => platform.close());

  it('F12: dead-letters a corrupt record and one of an unknown schema; later speeds arrive', async () => {
    const { codecs, log } = platform;
    const { network } = grid;
    const edge = grid.edge([0, 0], [1, 0]);
    const cell = network.edgeCell(edge);
    const nowMs = Date.UTC(2026, 10, 16, 8);
    const good = codecs.trafficEdgeObserved.encode({
      tilesetId: network.tilesetId,
      cell,
      observations: [1, 2, 3].map((driver) => ({
        edgeId: network.edgeId(edge),
        kind: observationKind.passed,
        enteredMs: nowMs - 60_000,
        leftMs: nowMs + driver,
        driver,
        receivedMs: nowMs + 1_000,
      })),
    });
    const unknownSchema = Buffer.from(good);
    unknownSchema.writeUInt32BE(4_000_000, 1);
    const corrupt = Buffer.from(good.subarray(0, good.length - 7));
    const values = [unknownSchema, corrupt, good];
    await log.append(
      codecs.trafficEdgeObserved.topic.name,
      values.map((value) => ({ key: String(cell), value })),
    );
    const settings = { window: { ...windowOfTests, driversMin: 3 } };
    const running = await startTraffic({ ...groupDeps(platform), network, settings });
    await running.ready;
    await eventually(async () => {
      const letters = await platform.read(codecs.deadLetter);
      expect(letters.map(({ group, offset }) => [group, offset])).toEqual([
        ['traffic', 0],
        ['traffic', 1],
      ]);
      expect(letters[0]!.cause).toMatch(/schema 4000000/);
      const speeds = await platform.read(codecs.trafficSegmentSpeed);
      expect(speeds[0]?.segments[0]).toMatchObject({ edgeId: network.edgeId(edge), probes: 3 });
    });
    await running.close();
  });

  it('F10: ends with the same output after crashes in the middle of windows as without a crash', async () => {
    const random = seededRandom(7);
    const [crashed, calm] = [await newWorld(), await newWorld()];
    let killed = 0;
    for (let life = 0; life < 2; life++) {
      const input = crashInput(400, life * 6_000, 6_000, random);
      await appendInput(crashed, input);
      await appendInput(calm, input);
      if ((await live(crashed, 20, 30 + 100 * random.next())) === undefined) killed++;
    }
    expect(killed).toBeGreaterThanOrEqual(1);
    await live(crashed, 20);
    await live(calm, null);
    const after = await crashed.withLog((log) => readOutputs(log, crashed.codecs, crashed.suffix));
    const batch = await calm.withLog((log) => readOutputs(log, calm.codecs, calm.suffix));
    expect(batch.records).toBeGreaterThan(50);
    expect(compareOutputs(after, batch)).toMatchObject({ cellsThatDiffer: 0, contradicted: 0 });
    for (const world of [crashed, calm]) await world.remove();
  });
});

const windowOfTests = {
  ...{ windowMs: 300_000, ageHalfLifeMs: 180_000, passagesMax: 64, deviationsMax: 6 },
  ...{ typicalPassages: 8, unusualRatio: 0.25 },
};
