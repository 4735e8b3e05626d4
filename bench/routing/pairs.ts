import { readFileSync } from 'node:fs';
import { metersPerDegree, metersPerLngDegree } from '#routing-engine/network/earth.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { type Area, dataFile } from './areas.js';
import { seeded } from './seeded.js';

/** lat, lng of the origin, lat, lng of the destination. */
export type Pair = readonly [number, number, number, number];

const METERS_MIN = 500;

/** `random` by the seed, `known` from the pair file of the area, or from the named file. */
export function pairsOf(
  area: Area,
  network: RoadNetwork,
  wanted: string,
  count: number,
  seed: number,
): Pair[] {
  if (wanted === 'random') return randomPairs(network, count, seed);
  const file = wanted === 'known' ? dataFile(`pairs-${area}.json`) : wanted;
  const pairs = JSON.parse(readFileSync(file, 'utf8')) as [[number, number], [number, number]][];
  return pairs.slice(0, count).map(([from, to]): Pair => [...from, ...to]);
}

/**
 * Places on public roads, at least half a kilometre apart, each reachable from every other. They are drawn by
 * edge, so that dense quarters have more of them, as they have more people.
 */
export function randomPairs(network: RoadNetwork, count: number, seed: number): Pair[] {
  const random = seeded(seed);
  const { speedKph, part, zone, copyOf } = network.arrays;
  const place = (): [number, number] => {
    for (;;) {
      const edge = Math.floor(random() * network.edgeCount);
      if (speedKph[edge] === 0 || part[edge] !== 0 || zone[edge] !== 0 || copyOf[edge] !== edge) continue;
      const line = network.edgeGeometry(edge);
      const from = 2 * Math.floor(random() * (line.length / 2 - 1));
      const share = random();
      const between = (a: number, b: number): number => Number((a + (b - a) * share).toFixed(7));
      return [between(line[from + 1]!, line[from + 3]!), between(line[from]!, line[from + 2]!)];
    }
  };
  const pairs: Pair[] = [];
  while (pairs.length < count) {
    const [from, to] = [place(), place()];
    const meters = Math.hypot(
      (to[0] - from[0]) * metersPerDegree,
      (to[1] - from[1]) * metersPerLngDegree(from[0]),
    );
    if (meters >= METERS_MIN) pairs.push([...from, ...to]);
  }
  return pairs;
}
