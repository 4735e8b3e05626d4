import { Worker } from 'node:worker_threads';
import polyline from '@mapbox/polyline';
import { beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '#bench/routing/seeded.js';
import { guidanceLanguages, guide } from '#routing-engine/guidance/guide.js';
import { distanceM } from '#routing-engine/network/earth.js';
import { encodePolyline } from '#routing-engine/network/polyline.js';
import { networkFromShared, type RoadNetwork, shareNetwork } from '#routing-engine/network/road-network.js';
import {
  applyCellMetrics,
  decodeCellMetric,
  encodeCellMetric,
  InvalidCellMetric,
} from '#routing-engine/overlay/cell-metric.js';
import {
  applyChanges,
  CLOSED,
  changedCells,
  freeFlowMetric,
  MetricMismatch,
} from '#routing-engine/overlay/metric.js';
import { findNear, type NearOutcome } from '#routing-engine/route/find-near.js';
import type { RoutePath } from '#routing-engine/route/find-route.js';
import { pathGeometry } from '#routing-engine/route/path-geometry.js';
import { snap } from '#routing-engine/snap/snap.js';
import { answerRouteTask, type RouteTask, type RouteTaskOutcome } from '#routing-engine/tasks/route-task.js';
import type { LatLng } from '#schemas/units.js';
import { proves } from '#tools/acceptance/proves.js';
import { gothenburg, networkOf } from '../tile-builder/real-maps.js';

const central = { lat: 57.7089, lng: 11.9746 };
const slottsskogen = { lat: 57.6857, lng: 11.9435 };

describe('on the roads of Gothenburg', () => {
  let network: RoadNetwork;
  beforeAll(async () => {
    network = await networkOf(gothenburg);
  });

  const near = (from: LatLng, to: LatLng, maxMeters: number, count = 1): NearOutcome =>
    findNear(network, freeFlowMetric(network, 'driving'), {
      ...{ from: { point: from }, to: { point: to }, avoid: 0, maxMeters, count },
    });
  const route = (): RoutePath => {
    const outcome = near(central, slottsskogen, 500);
    if (outcome.status !== 'ok') throw new Error(outcome.status);
    return outcome.paths[0]!;
  };

  it('snaps to the nearest road, like a scan of all roads', () => {
    const random = seeded(3);
    const [west, south, east, north] = network.bounds;
    for (let i = 0; i < 40; i++) {
      const place = { lng: west + (east - west) * random(), lat: south + (north - south) * random() };
      const [nearest] = snap(network, place, { mode: 'driving', maxMeters: 2000 });
      let least = Number.POSITIVE_INFINITY;
      for (let edge = 0; edge < network.edgeCount; edge++) {
        if (network.freeFlowKph(edge, 'driving') === 0) continue;
        const line = network.edgeGeometry(edge);
        for (let p = 2; p < line.length; p += 2)
          least = Math.min(least, segmentM(place, line[p - 2]!, line[p - 1]!, line[p]!, line[p + 1]!));
      }
      if (nearest === undefined) expect(least).toBeGreaterThan(1990);
      else expect(Math.abs(nearest.distanceM - least)).toBeLessThan(0.5 + least * 0.002);
    }
  });

  it('snaps by side and heading; the sea has no road', () => {
    const both = snap(network, central, { mode: 'driving', maxMeters: 300, limit: 20 });
    const pair = both.find(({ edge }) => both.some((other) => other.edge === network.reverseOf(edge)))!;
    const twin = both.find(({ edge }) => edge === network.reverseOf(pair.edge))!;
    expect(pair.fraction + twin.fraction).toBeCloseTo(1, 9);
    if (pair.side !== 'on') expect(twin.side).toBe(pair.side === 'left' ? 'right' : 'left');
    const line = network.edgeGeometry(pair.edge);
    const east = Math.atan2(
      (line.at(-2)! - line[0]!) * Math.cos((57.7 * Math.PI) / 180),
      line.at(-1)! - line[1]!,
    );
    const headingDeg = ((east * 180) / Math.PI + 360) % 360;
    const along = snap(network, pair.point, { mode: 'driving', maxMeters: 5, headingDeg }).map(
      ({ edge }) => edge,
    );
    expect(along).not.toContain(twin.edge);
    expect(snap(network, { lat: 57.6, lng: 11.2 }, { mode: 'driving', maxMeters: 1000 })).toEqual([]);
  });

  proves('M-023', {
    asked: 'starts and ends at the snapped points; its length equals the distance within 1 %',
    shown: 'of 60 pairs in Gothenburg: ends within half a metre; over 30 of over 200 m within 1 %',
    control: {
      in: 'routing-engine/route/path-geometry.ts',
      change: 'i === 0 ? path.fromFraction : 0,',
      to: '0,',
    },
  });
  it('M-023: the line starts and ends at the snapped points, has no gap, and is as long as the route', () => {
    const random = seeded(9);
    let measured = 0;
    for (let i = 0; i < 60; i++) {
      const from = { lat: 57.66 + 0.08 * random(), lng: 11.88 + 0.16 * random() };
      const to = { lat: 57.66 + 0.08 * random(), lng: 11.88 + 0.16 * random() };
      const outcome = near(from, to, 1000);
      if (outcome.status !== 'ok') continue;
      const path = outcome.paths[0]!;
      const { lngLat, edgeStart } = pathGeometry(network, path);
      const start = outcome.from.point;
      const end = outcome.to.point;
      expect(distanceM(lngLat[0]!, lngLat[1]!, start.lng, start.lat)).toBeLessThan(0.5);
      expect(distanceM(lngLat.at(-2)!, lngLat.at(-1)!, end.lng, end.lat)).toBeLessThan(0.5);
      const decoded = polyline.decode(encodePolyline(lngLat, 6), 6);
      expect(decoded.length).toBe(lngLat.length / 2);
      let meters = 0;
      for (let p = 1; p < decoded.length; p++)
        meters += distanceM(decoded[p - 1]![1], decoded[p - 1]![0], decoded[p]![1], decoded[p]![0]);
      if (path.lengthM > 200) {
        measured++;
        expect(Math.abs(meters / path.lengthM - 1)).toBeLessThan(0.01);
      }
      expect(edgeStart.at(-1)).toBe(lngLat.length / 2 - 1);
      expect([...edgeStart]).toEqual([...edgeStart].sort((a, b) => a - b));
    }
    expect(measured).toBeGreaterThan(30);
  });

  it('guides in several languages: steps add up, maneuvers have modifiers, only <b> tags', () => {
    const metric = freeFlowMetric(network, 'driving');
    const path = route();
    const geometry = pathGeometry(network, path);
    expect(guidanceLanguages).toEqual(expect.arrayContaining(['en', 'sv', 'de']));
    const texts = new Set<string>();
    for (const language of ['en', 'sv', 'de-AT', 'xx']) {
      const steps = guide(network, metric, path, geometry, { language });
      texts.add(steps.map(({ instruction }) => instruction).join('\n'));
      expect(steps[0]!.maneuver.type).toBe('depart');
      expect(steps.at(-1)!.maneuver.type).toBe('arrive');
      expect(steps.reduce((sum, { distanceM: m }) => sum + m, 0)).toBeCloseTo(path.lengthM, 3);
      expect(
        Math.abs(steps.reduce((sum, { durationS }) => sum + durationS, 0) - path.durationMs / 1000),
      ).toBeLessThan(0.01);
      for (const [i, step] of steps.entries()) {
        if (!['depart', 'arrive'].includes(step.maneuver.type)) expect(step.maneuver.modifier).toBeDefined();
        if (step.maneuver.type === 'roundabout') expect(step.maneuver.exit).toBeGreaterThan(0);
        expect(step.geometryFrom).toBe(i === 0 ? 0 : steps[i - 1]!.geometryTo);
        expect(step.htmlInstruction.replaceAll(/<\/?b>/g, '')).not.toMatch(/[<>]/);
        expect(step.instruction).not.toBe('');
      }
    }
    // Unknown languages fall back to English.
    expect(texts.size).toBe(3);
  });

  it('offers alternatives that differ, none much longer, best first', () => {
    const found = near(central, slottsskogen, 500, 3);
    if (found.status !== 'ok') throw new Error(found.status);
    expect(found.paths.length).toBeGreaterThan(1);
    expect(found.paths[0]!.durationMs).toBe(route().durationMs);
    const lists = new Set(found.paths.map(({ edges }) => edges.join()));
    expect(lists.size).toBe(found.paths.length);
    for (const { durationMs } of found.paths) {
      expect(durationMs).toBeGreaterThanOrEqual(found.paths[0]!.durationMs);
      expect(durationMs).toBeLessThanOrEqual(1.4 * found.paths[0]!.durationMs);
    }
  });

  it('offers two others for nearly every pair across the city', () => {
    const metric = freeFlowMetric(network, 'driving');
    const random = seeded(11);
    const [west, south, east, north] = network.bounds;
    const place = () => ({ lng: west + (east - west) * random(), lat: south + (north - south) * random() });
    let asked = 0;
    let enough = 0;
    while (asked < 30) {
      const found = near(place(), place(), 500, 3);
      if (found.status !== 'ok' || found.paths[0]!.lengthM < 3_000) continue;
      asked++;
      if (found.paths.length === 3) enough++;
      const [best] = found.paths;
      for (const [i, path] of found.paths.entries()) {
        expect(path.durationMs).toBeLessThanOrEqual(1.4 * best!.durationMs);
        for (const other of found.paths.slice(0, i)) {
          const roads = new Set(other.edges);
          const shared = path.edges.reduce(
            (ms, edge) => ms + (roads.has(edge) ? metric.costMs[edge]! : 0),
            0,
          );
          expect(shared).toBeLessThanOrEqual(0.61 * Math.max(path.durationMs, other.durationMs));
        }
      }
    }
    expect(enough).toBeGreaterThanOrEqual(24);
  });

  it('M-044: a changed cell is sent as bytes and gives the same metric', () => {
    const before = freeFlowMetric(network, 'driving');
    const edges = [...route().edges].slice(3, 9);
    const after = applyChanges(
      network,
      before,
      edges.map((edge) => ({ edge, closed: true as const })),
      5,
    );
    expect(before.costMs[edges[0]!]).not.toBe(CLOSED);
    const cells = changedCells(network, before, after);
    expect(cells).toEqual([...new Set(edges.map((edge) => network.edgeCell(edge)))].sort((a, b) => a - b));
    const parts = cells.map((cell) => decodeCellMetric(network, encodeCellMetric(network, after, cell)));
    expect(parts[0]).toMatchObject({ version: 5, mode: 'driving', tilesetId: network.tilesetId });
    const applied = applyCellMetrics(network, before, parts, 5);
    expect(Buffer.compare(bytesOf(applied.costMs), bytesOf(after.costMs))).toBe(0);
    expect(applied.version).toBe(5);

    const bytes = encodeCellMetric(network, after, cells[0]!);
    for (let at = 0; at < bytes.length; at += 37) {
      const damaged = Uint8Array.from(bytes);
      damaged[at]! ^= 4;
      expect(() => decodeCellMetric(network, damaged)).toThrow(InvalidCellMetric);
    }
    expect(() => decodeCellMetric(network, bytes.subarray(0, 20))).toThrow(InvalidCellMetric);
    const other = networkFromShared({
      ...shareNetwork(network),
      meta: { ...network.meta, tilesetId: 'f'.repeat(16) },
    });
    expect(() => decodeCellMetric(other, bytes)).toThrow(MetricMismatch);
  });

  it('a change applies to every copy of an edge, and to none that the mode may not use', () => {
    const metric = freeFlowMetric(network, 'driving');
    const walkway = network.arrays.tail.findIndex((_, edge) => network.freeFlowKph(edge, 'driving') === 0);
    const road = network.arrays.tail.findIndex((_, edge) => network.freeFlowKph(edge, 'driving') > 0);
    const changed = applyChanges(network, metric, [{ edge: walkway, speedKph: 50 }], 1);
    expect(changed.costMs[walkway]).toBe(CLOSED);
    expect(() => applyChanges(network, metric, [{ edge: road, speedKph: 0 }], 1)).toThrow(RangeError);
    expect(() => applyChanges(network, metric, [{ edge: -1, closed: true }], 1)).toThrow(RangeError);
  });

  it('a worker thread on the same memory gives the same answer', async () => {
    const metric = freeFlowMetric(network, 'driving');
    const task: RouteTask = {
      metric,
      from: { point: central },
      to: { point: slottsskogen },
      avoid: 0,
      alternatives: 0,
      language: 'en',
    };
    const here = answerRouteTask(network, task);
    expect(here).toMatchObject({ status: 'ok', metricVersion: 0 });
    const entry = new URL('../../dist/routing-engine/tasks/route-worker.js', import.meta.url).href;
    const script = `import { parentPort } from 'node:worker_threads';
      const { default: route } = await import(${JSON.stringify(entry)});
      parentPort.on('message', (task) => parentPort.postMessage(route(task)));`;
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(script)}`), {
      workerData: { network: shareNetwork(network) },
    });
    try {
      const there = await new Promise<RouteTaskOutcome>((resolve, reject) => {
        worker.once('message', resolve);
        worker.once('error', reject);
        worker.postMessage(task);
      });
      expect(there).toEqual(here);
    } finally {
      await worker.terminate();
    }
  });

  proves('M-041', {
    asked: 'a long route reads few detailed tiles, counted in the debug field of the response',
    shown:
      'over 10 cells crossed, at most 4 read, by the count of the engine; the field in api/nav-across-city',
    control: {
      in: 'routing-engine/search/open-cells.ts',
      change: 'if (opened[finest] === this.#round) return -1;',
      to: 'if (finest >= 0) return -1;',
    },
  });
  it('M-041: a route across the city reads few of the detailed tiles', () => {
    const [west, south, east, north] = network.bounds;
    const inset = (low: number, high: number, share: number): number => low + (high - low) * share;
    const outcome = near(
      { lng: inset(west, east, 0.2), lat: inset(south, north, 0.2) },
      { lng: inset(west, east, 0.8), lat: inset(south, north, 0.8) },
      3000,
    );
    if (outcome.status !== 'ok') throw new Error(outcome.status);
    const path = outcome.paths[0]!;
    const cells = new Set(Array.from(path.edges, (edge) => network.edgeCell(edge)));
    expect(cells.size).toBeGreaterThan(10);
    expect(path.debug.cellsTouched).toBeLessThanOrEqual(4);
  });

  it('answers tasks from a position on the road, to the sea, and with everything avoided', () => {
    const metric = freeFlowMetric(network, 'driving');
    const path = route();
    const task = { metric, avoid: 0, alternatives: 0 };
    const onward = answerRouteTask(network, {
      ...task,
      from: { edge: path.edges[5]!, fraction: 0.25 },
      to: { point: slottsskogen },
    });
    if (onward.status !== 'ok') throw new Error(onward.status);
    expect(onward.routes[0]!.path.edges[0]).toBe(path.edges[5]);
    expect(onward.routes[0]!.path.edges.at(-1)).toBe(path.edges.at(-1));
    expect(
      answerRouteTask(network, { ...task, from: { point: central }, to: { point: { lat: 57.5, lng: 11 } } }),
    ).toEqual({ status: 'no-snap', metricVersion: 0, missing: 'destination' });
  });
});

const bytesOf = (numbers: Int32Array): Buffer => Buffer.from(numbers.buffer);

function segmentM(
  place: { lng: number; lat: number },
  ax: number,
  ay: number,
  bx: number,
  by: number,
): number {
  const perLat = 111_195;
  const perLng = perLat * Math.cos((place.lat * Math.PI) / 180);
  const x = (ax - place.lng) * perLng;
  const y = (ay - place.lat) * perLat;
  const dx = (bx - ax) * perLng;
  const dy = (by - ay) * perLat;
  const square = dx * dx + dy * dy;
  const t = square === 0 ? 0 : Math.max(0, Math.min(1, -(x * dx + y * dy) / square));
  return Math.hypot(x + t * dx, y + t * dy);
}
