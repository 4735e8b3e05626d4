import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MetricCoverage } from '#map-data/metric/metric-coverage.js';
import { MetricFollower } from '#map-data/metric/metric-follower.js';
import {
  decodeMetricManifest,
  encodeMetricManifest,
  InvalidMetricManifest,
  metricKeys,
} from '#map-data/metric/metric-manifest.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { startCustomization } from '#processors/customization/start-customization.js';
import type { Running } from '#processors/start-group.js';
import { CLOSED, freeFlowMs } from '#routing-engine/overlay/metric.js';
import { type IncidentChanged, incidentKind } from '#schemas/messages.js';
import { until } from '../../contracts/until.js';
import { gridNetwork } from '../grid-network.js';
import { groupDeps, type LocalPlatform, openLocalPlatform } from '../local-platform.js';
import { operatorClosure } from '../operator-closure.js';

// Wide enough for several cells.
const grid = await gridNetwork(40, 30);
const { network } = grid;
const { tilesetId } = network;
const closed = [grid.edge([1, 1], [2, 1]), grid.edge([38, 28], [39, 28]), grid.edge([20, 15], [21, 15])];
/** In the cell of the first, so that an earlier version of its weights is in the store too. */
const [firstEdge] = network.cellEdges(network.edgeCell(closed[0]!));
closed.push(firstEdge === closed[0] ? firstEdge + 1 : firstEdge);
/** Opens while no process writes the metric. */
const passing = grid.edge([38, 1], [39, 1]);
const currentKey = metricKeys.current(tilesetId);
const versionsFolder = metricKeys.version(tilesetId, 0).slice(0, -1);

const incident = (incidentId: string, at: number, more: Partial<IncidentChanged> = {}): IncidentChanged =>
  operatorClosure(network, incidentId, at, more);

describe('a damaged stored metric', () => {
  let platform: LocalPlatform;
  const open: { close(): Promise<void> }[] = [];
  beforeEach(async () => {
    platform = await openLocalPlatform();
  });
  afterEach(async () => {
    for (const each of open.splice(0).reverse()) await each.close();
    await platform.close();
  });
  const start = async (): Promise<Running> => {
    const running = await startCustomization({ ...groupDeps(platform), network });
    open.push(running);
    await running.ready;
    return running;
  };
  let followers = 0;
  const follow = async () => {
    const { log, codecs, objects } = platform;
    const instanceId = `follower-${++followers}`;
    const shared = { network, log, instanceId, logger: silentLogger };
    const metric = await MetricFollower.open({ ...shared, objects, codec: codecs.roadMetricCustomized });
    open.push(metric);
    const coverage = await MetricCoverage.open({ ...shared, metric, codec: codecs.trafficIncidentChanged });
    open.push(coverage);
    return { metric, gap: () => coverage.gap() };
  };
  const report = (record: IncidentChanged): Promise<void> =>
    platform.append(platform.codecs.trafficIncidentChanged, record.incidentId, record);
  const keys = async (prefix: string): Promise<string[]> => {
    const found: string[] = [];
    for await (const key of platform.objects.list(prefix)) found.push(key);
    return found;
  };
  const cellKeys = async (): Promise<string[]> => {
    const bytes = await platform.objects.get(currentKey);
    return [...decodeMetricManifest(bytes!).cells.values()];
  };
  const cellKeyOf = (edge: number, named: readonly string[]): string =>
    named.find((key) => key.includes(`/cells/${network.edgeCell(edge)}/`))!;
  const flip = async (key: string, at: (bytes: Uint8Array) => number, bit = 0): Promise<void> => {
    const bytes = Uint8Array.from((await platform.objects.get(key))!);
    bytes[at(bytes)]! ^= 1 << bit;
    await platform.objects.put(key, bytes);
  };
  const truncate = async (key: string): Promise<void> => {
    const bytes = (await platform.objects.get(key))!;
    await platform.objects.put(key, bytes.subarray(0, bytes.length >> 1));
  };
  const remove = async (prefix: string): Promise<void> => {
    for (const key of await keys(prefix)) await platform.objects.delete(key);
  };
  /** Three roads are closed one after another, so that earlier versions are in the store too. */
  const closeRoads = async (): Promise<Running> => {
    const running = await start();
    const { metric } = await follow();
    for (const [i, edge] of [passing, ...closed].entries()) {
      await report(incident(`i${i}`, edge));
      await until(`closure ${i}`, () => metric.current.costMs[edge] === CLOSED);
    }
    return running;
  };
  const holdsAll = ({ metric }: { readonly metric: MetricFollower }): boolean =>
    closed.every((edge) => metric.current.costMs[edge] === CLOSED);

  const damages: readonly (readonly [what: string, damage: () => Promise<void>])[] = [
    ['a flipped bit in the middle of `current`', () => flip(currentKey, ({ length }) => length >> 1)],
    ['a flipped bit at the beginning of `current`', () => flip(currentKey, () => 0, 3)],
    [
      'a flipped bit in the number of a cell in `current`',
      () => flip(currentKey, (bytes) => Buffer.from(bytes).lastIndexOf('":"metrics') - 1),
    ],
    [
      'a flipped bit in `current` and in the kept version',
      async () => {
        await flip(currentKey, ({ length }) => length >> 1);
        for (const key of await keys(versionsFolder)) await flip(key, ({ length }) => length >> 1);
      },
    ],
    ...[0, 1, 2].map(
      (at) =>
        [
          `a flipped bit in cell ${at}`,
          async () => flip((await cellKeys()).at(at)!, ({ length }) => length >> 1, at),
        ] as const,
    ),
    ['a truncated cell', async () => truncate((await cellKeys())[0]!)],
    ['a deleted cell', async () => platform.objects.delete((await cellKeys())[1]!)],
    [
      'weights of another cell in the place of a cell',
      async () => {
        const [a, b] = await cellKeys();
        await platform.objects.put(a!, (await platform.objects.get(b!))!);
      },
    ],
    [
      'a flipped bit in the cell of a road that opens meanwhile',
      async () => flip(cellKeyOf(passing, await cellKeys()), ({ length }) => length >> 1),
    ],
    [
      'earlier weights of a cell in the place of the present ones',
      async () => {
        const present = cellKeyOf(closed[0]!, await cellKeys());
        const [earlier] = (await keys(present.slice(0, present.lastIndexOf('/') + 1))).filter(
          (key) => key !== present,
        );
        await platform.objects.put(present, (await platform.objects.get(earlier!))!);
      },
    ],
    ['a truncated `current`', () => truncate(currentKey)],
    ['an empty `current`', () => platform.objects.put(currentKey, new Uint8Array(0))],
    ['`current` deleted', () => platform.objects.delete(currentKey)],
    [
      '`current` and all versions deleted',
      async () => {
        await platform.objects.delete(currentKey);
        await remove(versionsFolder);
      },
    ],
    ['all cells deleted', () => remove(`${metricKeys.folder(tilesetId)}cells/`)],
    ['an emptied folder', () => remove(metricKeys.folder(tilesetId))],
    [
      '`current` of a version before',
      async () => {
        const manifest = decodeMetricManifest((await platform.objects.get(currentKey))!);
        const [kept] = manifest.cells;
        const earlier = {
          ...manifest,
          version: 1,
          cells: new Map([kept!]),
          announcement: { ...manifest.announcement, version: 1 },
        };
        await remove(versionsFolder);
        await platform.objects.put(currentKey, encodeMetricManifest(earlier));
      },
    ],
  ];

  it('F31: rejects a manifest with any flipped bit', async () => {
    await closeRoads();
    const bytes = (await platform.objects.get(currentKey))!;
    for (let bit = 0; bit < 8 * bytes.length; bit++) {
      const wrong = Uint8Array.from(bytes);
      wrong[bit >> 3]! ^= 1 << (bit & 7);
      expect(() => decodeMetricManifest(wrong), `bit ${bit}`).toThrow(InvalidMetricManifest);
    }
  });

  it('has its closures in several cells', async () => {
    await closeRoads();
    expect(new Set([passing, ...closed].map((edge) => network.edgeCell(edge))).size).toBe(4);
    expect(await cellKeys()).toHaveLength(4);
  });

  it.each(damages)(
    'I7, F31: %s: no routes are answered until it is rebuilt from the log',
    async (_, damage) => {
      const running = await closeRoads();
      const before = await follow();
      await running.close();
      await damage();
      await report(incident('i0', passing, { active: false }));
      const early = await follow();
      expect(holdsAll(early) || early.gap() !== undefined).toBe(true);
      expect(early.metric.refused).toBeGreaterThan(0);
      await start();
      // Whenever it may serve, it contains every closure.
      await until('all closures', () => {
        if (early.gap() === undefined) expect(holdsAll(early)).toBe(true);
        return early.gap() === undefined && holdsAll(early);
      });
      await until('the opened road', () =>
        [before, early].every(({ metric }) => metric.current.costMs[passing] !== CLOSED),
      );
      const late = await follow();
      await until('a later follower', () => late.gap() === undefined);
      expect(holdsAll(late)).toBe(true);
      expect(late.metric.current.version).toBe(early.metric.current.version);
      // Later versions arrive too.
      const next = grid.edge([5, 20], [6, 20]);
      await report(incident('next', next));
      await until('the next closure', () =>
        [before, early, late].every(({ metric }) => metric.current.costMs[next] === CLOSED),
      );
      for (const { metric } of [before, early])
        expect([...metric.current.costMs]).toEqual([...late.metric.current.costMs]);
    },
  );

  it.each(damages.filter((_, at) => at % 3 === 0))(
    'I7, F31: %s while it is followed: it is restored, and no follower loses a closure',
    async (_, damage) => {
      await closeRoads();
      const before = await follow();
      expect(before.gap()).toBeUndefined();
      await damage();
      await until('a new follower', async () => {
        const after = await follow();
        if (after.gap() === undefined) expect(holdsAll(after)).toBe(true);
        return after.gap() === undefined;
      });
      expect(holdsAll(before)).toBe(true);
      expect(before.gap()).toBeUndefined();
    },
  );

  it('F31: a version damaged before it is read is counted, skipped, and repaired', async () => {
    const running = await closeRoads();
    const follower = await follow();
    const { objects } = platform;
    const put = objects.put.bind(objects);
    let damaged = 0;
    // The disk flips a bit in the weights of the next version.
    objects.put = async (key, bytes) => {
      if (!key.includes('/cells/') || damaged > 0) return put(key, bytes);
      damaged++;
      const wrong = Uint8Array.from(bytes);
      wrong[wrong.length >> 1]! ^= 4;
      await put(key, wrong);
    };
    const next = grid.edge([5, 20], [6, 20]);
    await report(incident('next', next));
    await until('a refusal', () => follower.metric.refused > 0);
    expect(holdsAll(follower)).toBe(true);
    expect(follower.metric.current.costMs[next] === CLOSED || follower.gap() !== undefined).toBe(true);
    await until('the next closure', () => follower.metric.current.costMs[next] === CLOSED);
    expect(follower.gap()).toBeUndefined();
    // Counted after the restored version can be read.
    await until('the count', () => running.stats()['restored']! > 0);
  });

  it('I7: a damaged metric without incidents is rebuilt too: it may contain live speeds', async () => {
    const running = await start();
    const slow = closed[0]!;
    await report(incident('slow', slow, { kind: incidentKind.slow, speedKph: 7 }));
    const { metric } = await follow();
    await until('slow', () => metric.current.costMs[slow]! > freeFlowMs(network, slow, 'driving'));
    await report(incident('slow', slow, { active: false }));
    await until('flowing', () => metric.current.costMs[slow] === freeFlowMs(network, slow, 'driving'));
    await running.close();
    await truncate(currentKey);
    const late = await follow();
    expect(late.gap()).toMatch(/^The stored driving metric cannot be used/);
    await start();
    await until('the rebuilt metric', () => late.gap() === undefined);
  });

  it('I7: an incident that is missing from the metric for a while stops the answers', async () => {
    const { log, codecs } = platform;
    const metric = await MetricFollower.open({
      ...{ network, log, objects: platform.objects, instanceId: 'alone', logger: silentLogger },
      codec: codecs.roadMetricCustomized,
    });
    open.push(metric);
    let monotonicMs = 0;
    const coverage = await MetricCoverage.open({
      ...{ network, log, metric, instanceId: 'alone', logger: silentLogger },
      codec: codecs.trafficIncidentChanged,
      monotonic: () => monotonicMs,
    });
    open.push(coverage);
    const expiresMs = Date.now() + 60_000;
    await report(incident('i0', closed[0]!, { expiresMs }));
    await until('the incident', () => {
      monotonicMs += 5_000;
      return coverage.gap() !== undefined;
    });
    expect(coverage.gap()).toBe('The driving metric does not have the incident i0 yet.');
    // The same record again is no reason to wait longer.
    await report(incident('i0', closed[0]!, { expiresMs }));
    await report(incident('i1', closed[1]!, { kind: incidentKind.slow, speedKph: 3 }));
    await report(incident('i0', closed[0]!, { active: false }));
    await until('the slow road', () => {
      monotonicMs += 5_000;
      return coverage.gap()?.includes('i1') === true;
    });
    await start();
    await until('all of them', () => coverage.gap() === undefined);
  });

  it('knows the edges that are blocked for every mode, until the incident ends or expires', async () => {
    const { log, codecs } = platform;
    const { metric } = await follow();
    let nowMs = Date.now();
    const coverage = await MetricCoverage.open({
      ...{ network, log, metric, instanceId: 'blocks', logger: silentLogger },
      codec: codecs.trafficIncidentChanged,
      clock: () => nowMs,
    });
    open.push(coverage);
    const kind = incidentKind.blocked;
    await report(incident('closed', closed[0]!));
    await report(incident('ends', closed[1]!, { kind }));
    await report(incident('expires', closed[2]!, { kind, expiresMs: nowMs + 60_000 }));
    const both = [closed[1]!, closed[2]!];
    await until('both blocks', () => coverage.blocked().length === both.length);
    expect(coverage.blocked()).toEqual(both);
    expect(coverage.blocked()).toBe(coverage.blocked());
    nowMs += 60_000;
    expect(coverage.blocked()).toEqual([closed[1]!]);
    await report(incident('ends', closed[1]!, { kind, active: false }));
    await until('the end', () => coverage.blocked().length === 0);
    // A closure for driving may become a block.
    await report(incident('closed', closed[0]!, { kind }));
    await until('the other kind', () => coverage.blocked().length === 1);
  });
});
