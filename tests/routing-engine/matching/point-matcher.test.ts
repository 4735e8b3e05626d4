import { expect, test } from 'vitest';
import { seeded } from '#bench/routing/seeded.js';
import { PointMatcher } from '#routing-engine/matching/point-matcher.js';
import { freeFlowMetric } from '#routing-engine/overlay/metric.js';
import { durationOf } from '#routing-engine/route/path-times.js';
import { drivenLegs } from '#routing-engine/tasks/driven-legs.js';
import { gothenburg, networkOf } from '../../tile-builder/real-maps.js';
import { drawRoute, pointsAlong } from './drives.js';

const network = await networkOf(gothenburg);
const { copyOf } = network.arrays;
const metric = freeFlowMetric(network, 'driving');
const matcher = new PointMatcher(network, { mode: 'driving', avoid: 0 });
const endlessMs = Number.POSITIVE_INFINITY;

test.each([31, 32, 33, 34, 35, 36])('the legs of drive %d are the route, point by point', (seed) => {
  const random = seeded(seed);
  const route = drawRoute(network, random);
  const points = pointsAlong(network, route, { everyM: 30, errorM: 2, random });
  const drives = matcher.match(points, endlessMs);
  expect(drives).toHaveLength(1);
  expect(drives[0]!.map(({ index }) => index)).toEqual(points.map((_, i) => i));

  const legs = drivenLegs(network, metric, drives[0]!)!;
  expect(legs).toHaveLength(points.length - 1);
  const edges = legs.flatMap((leg) => [...leg.edges]).filter((edge, i, all) => edge !== all[i - 1]);
  expect(edges).toEqual(Array.from(route.edges, (edge) => copyOf[edge]!));
  const lengthM = legs.reduce((sum, leg) => sum + leg.lengthM, 0);
  expect(Math.abs(lengthM / route.lengthM - 1)).toBeLessThan(0.02);
  for (const leg of legs) expect(leg.durationMs).toBe(durationOf(network, metric, leg));
  for (const [i, { toFraction, edges: own }] of legs.slice(0, -1).entries()) {
    const next = legs[i + 1]!;
    const [last, begin] = [own.at(-1)!, next.edges[0]!];
    // Each leg begins where the one before ended; at a crossing, half a metre of a road is none of it.
    const leftM = (1 - toFraction) * network.edgeLengthM(last);
    const skippedM = next.fromFraction * network.edgeLengthM(begin);
    if (last === begin) expect(next.fromFraction).toBeCloseTo(toFraction, 6);
    // A vehicle that turned in the road was seen no farther on.
    else if (network.reverseOf(last) === begin) expect(next.fromFraction).toBeCloseTo(1 - toFraction, 6);
    else expect(Math.max(leftM, skippedM)).toBeLessThan(0.51);
  }

  const whole = drivenLegs(network, metric, drives[0]!, [0, points.length - 1]);
  const turns = legs.some(
    (leg, i) => i > 0 && network.reverseOf(legs[i - 1]!.edges.at(-1)!) === leg.edges[0],
  );
  if (turns) expect(whole).toBeUndefined();
  else expect(Math.abs(whole![0]!.lengthM - lengthM)).toBeLessThan(2);
});

test('a drive breaks where no vehicle can have driven, and goes on behind outliers', () => {
  const [first, second] = [41, 42].map((seed) =>
    pointsAlong(network, drawRoute(network, seeded(seed)), { everyM: 25 }).slice(0, 20),
  ) as [ReturnType<typeof pointsAlong>, ReturnType<typeof pointsAlong>];
  const lastMs = first.at(-1)!.timeMs;
  const after = second.map((point, i) => ({ ...point, timeMs: lastMs + 3_000 * (i + 1) }));
  const lost = first.map((point, i) => (i === 7 || i === 12 ? { ...point, latE7: 570_000_000 } : point));
  const drives = matcher.match([...lost, ...after], endlessMs);
  const spans = drives.map((drive) => [drive[0]!.index, drive.at(-1)!.index, drive.length]);
  expect(spans).toEqual([
    [0, 19, 18],
    [20, 39, 20],
  ]);
  // More outliers than ten break a drive, too, and so does a pause.
  const gone = first.map((point, i) => (i > 3 && i < 15 ? { ...point, latE7: 570_000_000 } : point));
  expect(matcher.match(gone, endlessMs)).toHaveLength(2);
  const paused = first.map((point, i) => (i < 10 ? point : { ...point, timeMs: point.timeMs + 60_000 }));
  expect(matcher.match(paused, 50_000)).toHaveLength(2);
  expect(matcher.match(paused, 70_000)).toHaveLength(1);
});

test('an end of a leg that is not in the drive has no legs', () => {
  const points = pointsAlong(network, drawRoute(network, seeded(44)), { everyM: 25 }).slice(0, 10);
  const [drive] = matcher.match(points, endlessMs);
  expect(drivenLegs(network, metric, drive!.slice(0, 5), [0, 7])).toBeUndefined();
  expect(drivenLegs(network, metric, drive!, [0, 7, 9])).toHaveLength(2);
});
