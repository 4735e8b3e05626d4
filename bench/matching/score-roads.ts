import type { CandidateRoad } from '#processors/new-roads/candidate-roads.js';
import { type FlatMap, toFlat } from '#processors/new-roads/flat-map.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { HiddenRoad } from './hidden-roads.js';

type Place = readonly [x: number, y: number];

/** A line is drawn right where it runs within this of the surveyed one. */
const nearM = 15;
/** Of its length; of a hidden road, what must be found, of a proposed one what must be real. */
const shareMin = 0.6;
const stepM = 4;

/** Precision: proposed roads that lie on hidden ones. Recall: hidden roads that lie on proposed ones. */
export function judgeRoads(
  network: RoadNetwork,
  map: FlatMap,
  hidden: readonly HiddenRoad[],
  proposals: readonly CandidateRoad[],
): { precision: number; recall: number } {
  const surveyed = hidden.map(({ edges }) =>
    edges.flatMap((edge) => {
      const line = network.edgeGeometry(edge);
      const places: Place[] = [];
      for (let p = 0; p < line.length; p += 2)
        places.push(toFlat(map, Math.round(line[p]! * 1e7), Math.round(line[p + 1]! * 1e7)));
      return dense(places);
    }),
  );
  const drawn = proposals.map(({ line }) => dense(line));
  const allSurveyed = surveyed.flat();
  const allDrawn = drawn.flat();
  const right = drawn.filter((line) => shareNear(line, allSurveyed) >= shareMin).length;
  const found = surveyed.filter((line) => shareNear(line, allDrawn) >= shareMin).length;
  return { precision: proposals.length === 0 ? 1 : right / proposals.length, recall: found / hidden.length };
}

function dense(line: readonly Place[]): Place[] {
  const places: Place[] = [];
  for (let i = 1; i < line.length; i++) {
    const [from, to] = [line[i - 1]!, line[i]!];
    const steps = Math.max(1, Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]) / stepM));
    for (let s = 0; s <= steps; s++)
      places.push([from[0] + ((to[0] - from[0]) * s) / steps, from[1] + ((to[1] - from[1]) * s) / steps]);
  }
  return places;
}

const shareNear = (line: readonly Place[], others: readonly Place[]): number =>
  line.filter((place) =>
    others.some((other) => Math.hypot(place[0] - other[0], place[1] - other[1]) <= nearM),
  ).length / Math.max(1, line.length);
