import type { DrivenPoint, PointDrive } from '../matching/point-matcher.js';
import type { RoadNetwork } from '../network/road-network.js';
import type { Metric } from '../overlay/metric.js';
import type { RoutePath } from '../route/find-route.js';
import { durationOf, shareOf } from '../route/path-times.js';
import { trimEnds } from '../route/trim-ends.js';

/**
 * The paths between the ends of legs of a drive; without ends, between all its points. Undefined if an end is
 * not a point of the drive, or if it turns round in the middle of a road within a leg, which no path can do.
 */
export function drivenLegs(
  network: RoadNetwork,
  metric: Metric,
  points: PointDrive,
  ends: readonly number[] = points.map(({ index }) => index),
): RoutePath[] | undefined {
  const at = ends.map((end) => points.findIndex(({ index }) => index === end));
  if (at.includes(-1)) return undefined;
  const legs: RoutePath[] = [];
  for (let leg = 1; leg < at.length; leg++) {
    const parts = points.slice(at[leg - 1], at[leg] + 1);
    const paths = parts.slice(1).map((next, i) => partBetween(network, parts[i], next));
    const edges = joined(paths);
    if (edges === undefined) return undefined;
    const path = { edges, fromFraction: paths[0].from, toFraction: paths.at(-1)!.to };
    legs.push(trimEnds(network, metric, measuredPath(network, metric, path), { start: true, goal: true }));
  }
  return legs;
}

interface Part {
  readonly edges: readonly number[];
  readonly from: number;
  readonly to: number;
}

/** A vehicle that turns in the middle of a road does so at the farther of the two points. */
function partBetween(network: RoadNetwork, { step: before }: DrivenPoint, { step }: DrivenPoint): Part {
  const path = step.path!;
  const from = before.fraction;
  if (path.length === 2 && network.arrays.reverse[path[0]] === path[1]) {
    const turn = Math.max(from, 1 - step.fraction);
    return turn > from
      ? { edges: [path[0]], from, to: turn }
      : { edges: [path[1]], from: 1 - from, to: step.fraction };
  }
  return { edges: path, from, to: path.length === 1 ? Math.max(from, step.fraction) : step.fraction };
}

/** Parts of which each begins on the edge on which the one before ended. */
function joined(parts: readonly Part[]): Uint32Array | undefined {
  const edges: number[] = [...parts[0].edges];
  for (const part of parts.slice(1)) {
    if (part.edges[0] !== edges.at(-1)) return undefined;
    edges.push(...part.edges.slice(1));
  }
  return Uint32Array.from(edges);
}

/** A path with its length and its time under the metric. */
export function measuredPath(
  network: RoadNetwork,
  metric: Metric,
  ends: Pick<RoutePath, 'edges' | 'fromFraction' | 'toFraction'>,
): RoutePath {
  const path = {
    ...ends,
    durationMs: 0,
    lengthM: 0,
    metricVersion: metric.version,
    closedAtStart: false,
    closedAtDestination: false,
    throughPrivate: false,
    debug: { settled: 0, cellsTouched: 0 },
  };
  const lengths = Array.from(ends.edges, (edge, at) => network.edgeLengthM(edge) * shareOf(path, at));
  return {
    ...path,
    durationMs: durationOf(network, metric, path),
    lengthM: lengths.reduce((sum, metres) => sum + metres, 0),
  };
}
