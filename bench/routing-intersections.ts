import { writeFileSync } from 'node:fs';
import { guide, type RouteStep } from '#routing-engine/guidance/guide.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { freeFlowMetric } from '#routing-engine/overlay/metric.js';
import { pathGeometry } from '#routing-engine/route/path-geometry.js';
import { drawIntersections, type Intersection } from './routing/draw-intersections.js';
import { openArea } from './routing/open-area.js';
import { readOptions } from './routing/options.js';
import { ourWay } from './routing/our-engine.js';
import { randomPairs } from './routing/pairs.js';

/**
 * Draws intersections of random routes with the instruction that a driver is given there, to be looked at:
 * one of each kind of maneuver, the largest intersection of its kind first.
 */
const options = readOptions({ areas: ['goteborg', 'heidelberg', 'malta'], count: 400 });
/** Types of maneuvers, and how many pictures of them. */
const kinds: readonly (readonly [types: readonly string[], most: number])[] = [
  [['roundabout', 'rotary', 'roundabout turn'], 2],
  [['fork'], 2],
  [['off ramp'], 1],
  [['on ramp'], 1],
  [['merge'], 1],
  [['end of road'], 1],
  [['turn'], 2],
  [['continue'], 1],
  [['new name'], 1],
];

const found = new Map<string, Intersection & { readonly arms: number }>();
for (const area of options.areas) {
  const network = await openArea(area);
  const metric = freeFlowMetric(network, 'driving');
  for (const pair of randomPairs(network, options.count, options.seed)) {
    const path = ourWay(network, metric, pair);
    if (path === undefined) continue;
    const geometry = pathGeometry(network, path);
    for (const step of guide(network, metric, path, geometry, {})) {
      if (!kinds.some(([types]) => types.includes(step.maneuver.type))) continue;
      const key = kindOf(step);
      const arms = armsAround(network, path.edges, step);
      if ((found.get(key)?.arms ?? 0) >= arms) continue;
      found.set(key, { area, network, step, lngLat: geometry.lngLat, arms });
    }
  }
}
const chosen = kinds.flatMap(([types, most]) =>
  [...found.values()]
    .filter(({ step }) => types.includes(step.maneuver.type))
    .toSorted((a, b) => b.arms - a.arms)
    .slice(0, most),
);
const file = 'docs/images/routing-intersections.svg';
writeFileSync(file, drawIntersections(chosen));
for (const { area, step } of chosen) console.log(`${area}: ${kindOf(step)}: ${step.instruction}`);
console.log(`drawn in ${file}`);

function kindOf({ maneuver: { type, modifier } }: RouteStep): string {
  return modifier === undefined ? type : `${type} ${modifier}`;
}

/** Roads that leave the crossings which the maneuver leads over. */
function armsAround(network: RoadNetwork, edges: ArrayLike<number>, step: RouteStep): number {
  const { head, firstOut } = network.arrays;
  let arms = 0;
  for (let at = Math.max(0, step.edgeFrom - 1); at <= step.edgeBehind && at < edges.length; at++) {
    const node = head[edges[at]!]!;
    arms += firstOut[node + 1]! - firstOut[node]!;
  }
  return arms;
}
