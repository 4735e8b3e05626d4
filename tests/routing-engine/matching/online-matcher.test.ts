import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seeded } from '#bench/routing/seeded.js';
import { TraceMatcher } from '#routing-engine/matching/match-trace.js';
import { InvalidMatchWindow } from '#routing-engine/matching/match-window.js';
import { OnlineMatcher } from '#routing-engine/matching/online-matcher.js';
import type { MatchedStep, TracePoint } from '#routing-engine/matching/trace-point.js';
import { turnDs } from '#routing-engine/network/turn-cost.js';
import type { RoutePath } from '#routing-engine/route/find-route.js';
import { gothenburg, networkOf } from '../../tile-builder/real-maps.js';
import { drawRoute, pointsAlong, startMs, wrongTurns } from './drives.js';

const network = await networkOf(gothenburg);
const { copyOf } = network.arrays;

/** Decided steps, with the matcher saved and restored before the points at `cuts`. */
function matchOnline(points: readonly TracePoint[], cuts: readonly number[] = [], wayBytesMax?: number) {
  const make = () =>
    new OnlineMatcher(network, { mode: 'driving', ...(wayBytesMax === undefined ? {} : { wayBytesMax }) });
  let matcher = make();
  matcher.begin();
  const steps: MatchedStep[] = [];
  for (const [i, point] of points.entries()) {
    if (cuts.includes(i)) {
      const bytes = matcher.save();
      matcher = make();
      matcher.load(bytes);
    }
    matcher.add(point);
    steps.push(...matcher.decided);
  }
  matcher.finish();
  return [...steps, ...matcher.decided];
}

/** Edges of all connected paths. */
function drivenPaths(steps: readonly MatchedStep[]): number[][] {
  const paths: number[][] = [];
  for (const { edge, path } of steps) {
    if (edge < 0) continue;
    if (path === undefined) paths.push([edge]);
    else paths.at(-1)!.push(...path.slice(1));
  }
  return paths;
}

describe('matching point by point', () => {
  it('a drive without errors gives exactly the edges of its route', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.constantFrom(4, 8, 14), (seed, everyM) => {
        const path = drawRoute(network, seeded(seed));
        const paths = drivenPaths(matchOnline(pointsAlong(network, path, { everyM })));
        expect(paths).toEqual([Array.from(path.edges, (edge) => copyOf[edge]!)]);
      }),
      { seed: 5, numRuns: 40 },
    );
  });

  it('follows a driver who turns around at a crossing, behind a short edge, without a route', () => {
    const { firstOut, head, reverse, inEdges, firstIn, tail } = network.arrays;
    const isTwoWay = (edge: number): boolean =>
      copyOf[edge] === edge &&
      reverse[edge]! >= 0 &&
      network.freeFlowKph(edge, 'driving') > 0 &&
      network.freeFlowKph(reverse[edge]!, 'driving') > 0;
    let judged = 0;
    let followed = 0;
    for (let edge = 0; edge < network.edgeCount && judged < 200; edge++) {
      const isCrossing = firstOut[head[edge]! + 1]! - firstOut[head[edge]!]! > 2;
      const lengthM = network.edgeLengthM(edge);
      if (!isTwoWay(edge) || !isCrossing || lengthM < 20 || lengthM > 38) continue;
      if (turnDs(network, 'driving', edge, reverse[edge]!) !== undefined) continue;
      const into = inEdges.subarray(firstIn[tail[edge]!], firstIn[tail[edge]! + 1]);
      const before = into.find(
        (each) => isTwoWay(each) && each !== reverse[edge] && network.edgeLengthM(each) > 150,
      );
      if (before === undefined || turnDs(network, 'driving', before, edge) === undefined) continue;
      judged++;
      const edges = Uint32Array.of(before, edge, reverse[edge]!, reverse[before]!);
      const path = { edges, fromFraction: 0.1, toFraction: 0.9 } as RoutePath;
      const paths = drivenPaths(matchOnline(pointsAlong(network, path, { everyM: 60 })));
      if (paths.length === 1 && paths[0]!.join() === edges.join()) followed++;
    }
    expect(judged).toBe(200);
    // Points this far apart often skip the piece; with the crossing forbidden 7 were followed.
    expect(followed).toBeGreaterThan(50);
  });

  it('its decisions are connected and legal, however bad the points are', () => {
    let steps = 0;
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e6 }),
        fc.constantFrom(10, 60, 250),
        fc.constantFrom(5, 20, 60),
        (seed, everyM, errorM) => {
          const random = seeded(seed);
          const path = drawRoute(network, random);
          const decided = matchOnline(pointsAlong(network, path, { everyM, errorM, random }));
          steps += decided.length;
          for (const path of drivenPaths(decided)) expect(wrongTurns(network, path)).toEqual([]);
          for (const { edge, path } of decided) if (path !== undefined) expect(path.at(-1)).toBe(edge);
          for (const { edge } of decided) expect(edge < 0 || copyOf[edge] === edge).toBe(true);
        },
      ),
      { seed: 6, numRuns: 40 },
    );
    expect(steps).toBeGreaterThan(1_000);
  });

  it('F10: decides the same if saved and restored anywhere, also without its route cache', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.array(fc.nat(60), { maxLength: 6 }), (seed, cuts) => {
        const random = seeded(seed);
        const path = drawRoute(network, random);
        const points = pointsAlong(network, path, { everyM: 30, errorM: 25, random }).slice(0, 60);
        const whole = matchOnline(points);
        expect(matchOnline(points, cuts)).toEqual(whole);
        expect(matchOnline(points, [], 1)).toEqual(whole);
      }),
      { seed: 7, numRuns: 15 },
    );
  });

  it('decides in time: at most its bound waits, and few points on average', () => {
    const random = seeded(9);
    const points = pointsAlong(network, drawRoute(network, random), { everyM: 25, errorM: 20, random });
    const matcher = new OnlineMatcher(network, { mode: 'driving' });
    matcher.begin();
    let waiting = 0;
    let decided = 0;
    for (const point of points) {
      matcher.add(point);
      decided += matcher.decided.length;
      waiting += (point.timeMs - (matcher.decided.at(-1)?.timeMs ?? point.timeMs)) / 1_000;
      expect(matcher.save().length).toBeLessThan(8_000);
    }
    expect(decided).toBeGreaterThan(20);
    expect(waiting / points.length).toBeLessThan(30);
  });

  it('a phone that jumps breaks the trace: no path to the far place or back is claimed', () => {
    const path = drawRoute(network, seeded(11));
    const points = pointsAlong(network, path, { everyM: 20 });
    const far = points.map((point, i) => (i === 20 ? { ...point, latE7: point.latE7 + 300_000 } : point));
    const paths = drivenPaths(matchOnline(far));
    const driven = new Set(Array.from(path.edges, (edge) => copyOf[edge]!));
    // The exact start and end of a path near a crossing are unknown.
    for (const path of paths) for (const edge of path.slice(1, -1)) expect(driven.has(edge)).toBe(true);
  });

  it('a point that is not later than the last one changes nothing', () => {
    const points = pointsAlong(network, drawRoute(network, seeded(12)), { everyM: 20 });
    const matcher = new OnlineMatcher(network, { mode: 'driving' });
    matcher.begin();
    for (const point of points.slice(0, 10)) matcher.add(point);
    const before = matcher.save();
    for (const late of [points[3]!, { ...points[30]!, timeMs: points[9]!.timeMs }]) {
      expect(matcher.add(late)).toBe('out-of-order');
      expect(matcher.decided).toEqual([]);
      expect(matcher.save()).toEqual(before);
    }
  });

  it('bridges the silence of a tunnel, and stays in place at a red light', () => {
    const path = drawRoute(network, seeded(13));
    const points = pointsAlong(network, path, { everyM: 15 });
    const half = Math.floor(points.length / 2);
    const silent = points.filter((_, i) => i < half || i > half + 20);
    const edges = [Array.from(path.edges, (edge) => copyOf[edge]!)];
    expect(drivenPaths(matchOnline(silent))).toEqual(edges);
    const stands = points.slice(0, half);
    const random = seeded(14);
    for (let s = 1; s <= 90; s++)
      stands.push({
        ...points[half - 1]!,
        lngE7: points[half - 1]!.lngE7 + Math.round(500 * (random() - 0.5)),
        latE7: points[half - 1]!.latE7 + Math.round(300 * (random() - 0.5)),
        timeMs: points[half - 1]!.timeMs + 1_000 * s,
      });
    for (const point of points.slice(half)) stands.push({ ...point, timeMs: point.timeMs + 90_000 });
    expect(drivenPaths(matchOnline(stands))).toEqual(edges);
  });

  it('reports an off-road trace, and claims no path through', () => {
    const sea = Array.from({ length: 8 }, (_, i) => ({
      lngE7: 112_000_000 + 10_000 * i,
      latE7: 575_500_000,
      timeMs: startMs + 2_000 * i,
    }));
    expect(matchOnline(sea).map(({ edge, path }) => [edge, path])).toEqual(sea.map(() => [-1, undefined]));
  });

  it('rejects bytes of another layout, and survives any damage', () => {
    const random = seeded(15);
    const matcher = new OnlineMatcher(network, { mode: 'driving' });
    matcher.begin();
    const points = pointsAlong(network, drawRoute(network, random), { everyM: 20, errorM: 30, random });
    for (const point of points.slice(0, 12)) matcher.add(point);
    const bytes = matcher.save();
    expect(() => matcher.load(Uint8Array.of(9, ...bytes.slice(1)))).toThrow(InvalidMatchWindow);
    expect(() => matcher.load(bytes.slice(0, -1))).toThrow(InvalidMatchWindow);
    expect(() => matcher.load(new Uint8Array(0))).toThrow(InvalidMatchWindow);
    for (let at = 0; at < bytes.length; at++) {
      const damaged = Uint8Array.from(bytes);
      damaged[at]! ^= 0x41;
      try {
        matcher.load(damaged);
        matcher.add({ ...points[12]!, timeMs: points[12]!.timeMs + 1e9 });
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidMatchWindow);
      }
    }
  });
});

describe('matching a whole trace', () => {
  const matcher = new TraceMatcher(network, 'driving');

  it('gives each point its position on the path, and null for an off-road point', () => {
    const path = drawRoute(network, seeded(21));
    const points = pointsAlong(network, path, { everyM: 9 });
    const odd: TracePoint[] = [
      ...points.slice(0, 40),
      { ...points[10]!, timeMs: points[39]!.timeMs },
      ...points.slice(40),
    ];
    const { matchings, places } = matcher.match(odd);
    expect(matchings).toHaveLength(1);
    expect(matchings[0]!.stretches.map(({ edge }) => edge)).toEqual(
      Array.from(path.edges, (edge) => copyOf[edge]!),
    );
    expect(Math.abs(matchings[0]!.lengthM / path.lengthM - 1)).toBeLessThan(0.02);
    expect(matchings[0]!.confidence).toBeGreaterThan(0.5);
    expect(places).toHaveLength(odd.length);
    expect(places[40]).toBeNull();
    for (const [i, place] of places.entries()) if (i !== 40) expect(place!.distanceM).toBeLessThan(1);
  });

  it('starts another matching after a silence, and reports when no road is near', () => {
    const points = pointsAlong(network, drawRoute(network, seeded(22)), { everyM: 12 });
    const half = Math.floor(points.length / 2);
    const silent = points.map((point, i) =>
      i < half ? point : { ...point, timeMs: point.timeMs + 300_000 },
    );
    expect(matcher.match(silent).matchings).toHaveLength(2);
    expect(matcher.match(silent, { gapMaxMs: 600_000 }).matchings).toHaveLength(1);
    const { matchings, places } = matcher.match(points.map((point) => ({ ...point, latE7: 570_000_000 })));
    expect(matchings).toEqual([]);
    expect(places.every((place) => place === null)).toBe(true);
  });
});
