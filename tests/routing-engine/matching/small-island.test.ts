import { describe, expect, it } from 'vitest';
import { seededRandom } from '#platform/random/random.js';
import { OnlineMatcher } from '#routing-engine/matching/online-matcher.js';
import type { TracePoint } from '#routing-engine/matching/trace-point.js';
import { RouteWalker } from '#simulated-city/route-walker.js';
import { drawMap } from '../ascii-map.js';
import { startMs } from './drives.js';

const drives = 100;
/** One deviation of a phone in a street, metres; it claims a radius of half as much again. */
const errorM = 4;
const mps = 8;

/**
 * Whether a piece of road is closed shows in where drivers pass. Around an island, points 20 m apart miss its
 * corners.
 */
describe('a driver around a small island', async () => {
  const map = await drawMap(
    `
      D-F
      | |
    A-B-C-E
    `,
    { stepM: 12 },
  );
  const { network } = map;
  const edges = (path: string): number[] => Array.from(path.slice(1), (to, i) => map.edge(path[i]!, to));
  const piece = map.edge('B', 'C');

  function share(path: string): number {
    const random = seededRandom(3);
    let passed = 0;
    for (let drive = 0; drive < drives; drive++) {
      const matcher = new OnlineMatcher(network, { mode: 'driving' });
      matcher.begin();
      const driven = new Set<number>();
      const take = (): void => {
        for (const { path: way = [] } of matcher.decided) for (const edge of way) driven.add(edge);
      };
      for (const point of pointsOf(edges(path), random)) {
        matcher.add(point);
        take();
      }
      matcher.finish();
      take();
      if (driven.has(piece)) passed++;
    }
    return passed / drives;
  }

  function* pointsOf(
    path: readonly number[],
    random: ReturnType<typeof seededRandom>,
  ): Generator<TracePoint> {
    const walker = new RouteWalker(network, path, 5);
    for (let second = 0; ; second++) {
      const { lat, lng, headingDeg } = walker.place();
      yield {
        latE7: Math.round(1e7 * (lat + (random.normal() * errorM) / 111_195)),
        lngE7: Math.round(1e7 * (lng + (random.normal() * errorM) / 111_195)),
        timeMs: startMs + 1_000 * second,
        accuracyM: 1.5 * errorM,
        speedMps: mps,
        headingDeg,
      };
      const state = walker.drive(
        1,
        () => mps,
        () => true,
      );
      if (state === 'arrived') return;
    }
  }

  it('is not matched to the road that it avoids', () => {
    expect(share('ABDFCE')).toBeLessThanOrEqual(0.02);
  });

  it('is seen to pass where it passes', () => {
    expect(share('ABCE')).toBeGreaterThanOrEqual(0.98);
  });
});
