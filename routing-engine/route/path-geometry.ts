import { metersPerDegree, metersPerLngDegree } from '../network/earth.js';
import type { RoadNetwork } from '../network/road-network.js';
import type { RoutePath } from './find-route.js';

export interface PathGeometry {
  /**
   * [lng, lat, lng, lat, …] in degrees, from the snapped start to the snapped destination, no point twice in
   * a row; at least one point.
   */
  readonly lngLat: Float64Array;
  /** [edges+1] index of the point at which each edge of the path begins; the last entry is the last point. */
  readonly edgeStart: Uint32Array;
}

/** The part of a path that its line follows from. */
export type PathCourse = Pick<RoutePath, 'edges' | 'fromFraction' | 'toFraction'>;

export function pathGeometry(network: RoadNetwork, path: PathCourse): PathGeometry {
  const { edges } = path;
  const last = edges.length - 1;
  let most = 0;
  for (const edge of edges) most += network.edgePoints(edge);
  const points = new Float64Array(2 * most);
  const edgeStart = new Uint32Array(edges.length + 1);
  /** Numbers of `points` so far. */
  let length = 0;
  for (let i = 0; i <= last; i++) {
    const start = length;
    if (i > 0 && i < last) length = network.edgeGeometryInto(edges[i], points, start);
    else {
      const part = cutLine(
        network.edgeGeometry(edges[i]),
        i === 0 ? path.fromFraction : 0,
        i === last ? path.toFraction : 1,
      );
      points.set(part, start);
      length += part.length;
    }
    edgeStart[i] = start / 2 - (repeats(points, start) ? 1 : 0);
    length = closeUp(points, start, length);
  }
  edgeStart[edges.length] = length / 2 - 1;
  return { lngLat: points.subarray(0, length), edgeStart };
}

/** Removes points from `start` on that repeat the previous one; returns the new length. */
function closeUp(points: Float64Array, start: number, length: number): number {
  let end = start;
  for (let p = start; p < length; p += 2) {
    points[end] = points[p];
    points[end + 1] = points[p + 1];
    if (!repeats(points, end)) end += 2;
  }
  return end;
}

const repeats = (points: Float64Array, at: number): boolean =>
  at > 0 && points[at] === points[at - 2] && points[at + 1] === points[at - 1];

/** Metres from the start of a line to each of its points. */
export function runsOf(line: Float64Array): Float64Array {
  const count = line.length / 2;
  const perLng = metersPerLngDegree(line[1]);
  const runs = new Float64Array(count);
  for (let i = 1; i < count; i++)
    runs[i] =
      runs[i - 1] +
      Math.hypot(
        (line[2 * i] - line[2 * i - 2]) * perLng,
        (line[2 * i + 1] - line[2 * i - 1]) * metersPerDegree,
      );
  return runs;
}

/** The part of a line from one fraction of its length to another, ends interpolated. */
export function cutLine(line: Float64Array, from: number, to: number): number[] {
  const count = line.length / 2;
  const runs = runsOf(line);
  const total = runs[count - 1];
  const start = Math.max(0, Math.min(1, from)) * total;
  const end = Math.max(0, Math.min(1, to)) * total;
  const cut = [...pointAt(line, runs, start)];
  for (let i = 1; i < count - 1; i++)
    if (runs[i] > start && runs[i] < end) cut.push(line[2 * i], line[2 * i + 1]);
  cut.push(...pointAt(line, runs, Math.max(start, end)));
  return cut;
}

function pointAt(line: Float64Array, runs: Float64Array, run: number): [number, number] {
  let i = 1;
  while (i < runs.length - 1 && runs[i] < run) i++;
  const length = runs[i] - runs[i - 1];
  const share = length === 0 ? 0 : Math.min(1, (run - runs[i - 1]) / length);
  // The end points themselves come out exactly, so that neighbouring edges meet without a gap.
  if (share <= 0) return [line[2 * i - 2], line[2 * i - 1]];
  if (share >= 1) return [line[2 * i], line[2 * i + 1]];
  return [
    line[2 * i - 2] + (line[2 * i] - line[2 * i - 2]) * share,
    line[2 * i - 1] + (line[2 * i + 1] - line[2 * i - 1]) * share,
  ];
}
