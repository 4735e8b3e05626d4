import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { MetricFollower } from '#map-data/metric/metric-follower.js';
import { openTileset } from '#map-data/open-tileset.js';
import type { EventLog } from '#platform/event-log/event-log.js';
import { openEventLog } from '#platform/event-log/open-event-log.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { openObjectStore } from '#platform/object-store/open-object-store.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { openSchemaRegistry } from '#platform/wire/open-schema-registry.js';
import type { SchemaRegistry } from '#platform/wire/schema-registry.js';
import { openTopicCodecs, type TopicCodecs } from '#platform/wire/topic-codecs.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { CLOSED, freeFlowMetric } from '#routing-engine/overlay/metric.js';
import { proves } from '#tools/acceptance/proves.js';
import { type RunningProgram, startProgram } from '../main-job/running-platform.js';
import { operatorClosure } from '../processors/operator-closure.js';

const kills = 4;
const roadsPerKill = 12;

describe('the writer of the metric and its standby', () => {
  let data: string;
  let log: EventLog;
  let registry: SchemaRegistry;
  let codecs: TopicCodecs;
  let objects: ObjectStore;
  let network: RoadNetwork;
  let programs: RunningProgram[] = [];
  const start = (): Promise<RunningProgram> =>
    startProgram('processors', { data, args: ['customization'], env: { LOG_LEVEL: 'warn' } });

  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'meridian-standby-'));
    // One after the other: the first builds the map.
    programs = [await start(), await start()];
    log = await openEventLog(`embedded:${join(data, 'log')}`);
    registry = await openSchemaRegistry(`embedded:${join(data, 'schemas')}`);
    codecs = await openTopicCodecs(registry);
    objects = await openObjectStore(`dir:${join(data, 'objects')}`);
    network = await openTileset(objects);
  });
  afterAll(async () => {
    await Promise.all(programs.map((program) => program.stop()));
    await log?.close();
    await registry?.close();
    await objects?.close();
    await rm(data, { recursive: true, force: true });
  });

  const close = (edge: number): Promise<unknown> => {
    const message = operatorClosure(network, `i-${edge}`, edge);
    const value = codecs.trafficIncidentChanged.encode(message);
    return log.append(codecs.trafficIncidentChanged.topic.name, [{ key: message.incidentId, value }]);
  };

  proves('F10', {
    asked: 'kill -9 in a batch, 20 times: each effect once',
    shown: 'the writer of the metric is killed repeatedly during its work: no version lost or mixed',
    scaled: '4 : 20; the group traffic is killed 100 times in the long run',
    proof: 'stream-crashes',
  });
  it('F10: kill -9 of the leader, repeatedly: the other continues, no version is lost or mixed', async () => {
    const follower = await MetricFollower.open({
      ...{ network, objects, log, instanceId: 'test', logger: silentLogger },
      codec: codecs.roadMetricCustomized,
    });
    const seen: number[] = [];
    follower.onChange(({ after }) => seen.push(after.version));
    const free = freeFlowMetric(network, 'driving').costMs;
    const roads: number[] = [];
    for (let edge = 0; roads.length < (kills + 1) * roadsPerKill; edge += 97)
      if (free[edge] !== CLOSED && network.arrays.copyOf[edge] === edge) roads.push(edge);
    const expectClosed = (edges: readonly number[]): Promise<void> =>
      vi.waitFor(() => expect(edges.filter((edge) => follower.current.costMs[edge] !== CLOSED)).toEqual([]), {
        timeout: 60_000,
        interval: 50,
      });
    for (let nth = 0; nth <= kills; nth++) {
      const now = roads.slice(nth * roadsPerKill, (nth + 1) * roadsPerKill);
      for (const [i, edge] of now.entries()) {
        await close(edge);
        // In the middle of the work: the last process that took over is killed next.
        if (nth < kills && i === roadsPerKill / 2) programs[nth % 2]!.signal('SIGKILL');
      }
      await expectClosed(roads.slice(0, (nth + 1) * roadsPerKill));
      if (nth < kills) programs[nth % 2] = await start();
    }
    // The stream of versions has no gap, and the last one equals the incidents, for all roads.
    const announced = new Set<number>();
    for await (const { value } of log.read(codecs.roadMetricCustomized.topic.name, 0, 0))
      if (value !== null) announced.add(codecs.roadMetricCustomized.decode(value).version);
    const versions = [...announced].sort((a, b) => a - b);
    expect(versions).toEqual(Array.from(versions, (_, i) => i + 1));
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    const closed = new Set(roads.flatMap((edge) => network.copiesOf(edge)));
    const wrong = [...free.keys()].filter(
      (edge) => follower.current.costMs[edge] !== (closed.has(edge) ? CLOSED : free[edge]),
    );
    expect(wrong).toEqual([]);
    expect(follower.refused).toBe(0);
    await follower.close();
  }, 200_000);
});
