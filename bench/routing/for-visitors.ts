import type { TravelMode } from '#routing-engine/network/travel-mode.js';
import type { Tags } from '#schemas/osm-sink.js';
import { hasOwnTag, mayPassNode, mayUseWay, travelsAs } from './raw-access.js';
import type { RawMap } from './raw-map.js';
import type { Step } from './raw-steps.js';

/**
 * The ways for visitors that a route passes through: those whose area it neither begins nor ends in. An area
 * is connected by private ways and by the pieces of road at private gates, each up to the next crossing.
 */
export function passedThrough(map: RawMap, mode: TravelMode, steps: readonly Step[]): number[] {
  const visits = steps.filter(
    (step) => isPrivate(map, mode, step.way, [step.along]) || isAtGate(map, mode, step.way, segmentOf(step)),
  );
  if (visits.length === 0) return [];
  const isVisited = (way: number, segment: number): boolean => isForVisitors(map, mode, way, segment);
  // A line across an area to its gate is the piece of road at the gate.
  const leadsToGate = ({ at, from, to }: Step): boolean =>
    at < 0 && [from, to].some((node) => mayPassNode(map.nodeTags.get(node), mode) === 'visitors');
  const seeds = [steps[0]!, steps.at(-1)!]
    .filter((step) => isVisited(step.way, segmentOf(step)) || leadsToGate(step))
    .flatMap(({ from, to }) => [from, to]);
  const area = connected(map, seeds, isVisited);
  return visits.filter(({ from, to }) => !area.has(from) || !area.has(to)).map(({ way }) => way);
}

/** The nodes that such segments connect with any of these. */
function connected(
  map: RawMap,
  nodes: readonly number[],
  leads: (way: number, segment: number) => boolean,
): Set<number> {
  const found = new Set<number>();
  const open = [...nodes];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (found.has(node)) continue;
    found.add(node);
    for (const way of waysAt(map, node)) {
      const refs = map.ways.get(way)?.refs ?? [];
      // From each place of an area one walks to all of them.
      if (map.areas.tagsOf(way) !== undefined && leads(way, -1)) open.push(...map.areas.nodesAround(way));
      for (const [at, ref] of refs.entries()) {
        if (ref !== node) continue;
        if (at > 0 && leads(way, at - 1)) open.push(refs[at - 1]!);
        if (at + 1 < refs.length && leads(way, at)) open.push(refs[at + 1]!);
      }
    }
  }
  return found;
}

/** Number of the part between two neighbouring nodes of the way; -1 across an area. */
const segmentOf = ({ at, along }: Step): number => (along ? at : at - 1);

const tagsOf = (map: RawMap, way: number): Tags => map.ways.get(way)?.tags ?? map.areas.tagsOf(way)!;

const isForVisitors = (map: RawMap, mode: TravelMode, way: number, segment: number): boolean =>
  isPrivate(map, mode, way) || isAtGate(map, mode, way, segment);

const isAtGate = (map: RawMap, mode: TravelMode, way: number, segment: number): boolean =>
  gateSegments(map, mode).get(way)?.has(segment) === true;

/** In one of the directions, `true` for that in which it is drawn. */
function isPrivate(map: RawMap, mode: TravelMode, way: number, directions = [true, false]): boolean {
  const tags = tagsOf(map, way);
  return directions.some((along) => mayUseWay(tags, travelsAs(tags, mode, along), along) === 'visitors');
}

const byMode = new WeakMap<RawMap, Map<TravelMode, Map<number, Set<number>>>>();

/** By way: segments at private gates, up to the next crossings. A gate of a private way closes no others. */
function gateSegments(map: RawMap, mode: TravelMode): Map<number, Set<number>> {
  let known = byMode.get(map);
  if (known === undefined) {
    known = new Map();
    byMode.set(map, known);
  }
  let segments = known.get(mode);
  if (segments === undefined) {
    segments = new Map();
    known.set(mode, segments);
    for (const [gate, tags] of map.nodeTags) {
      if (mayPassNode(tags, mode) !== 'visitors') continue;
      const ways = waysAt(map, gate);
      if (ways.some((way) => isPrivate(map, mode, way))) continue;
      const isNamed = hasOwnTag(tags, mode);
      if (!isNamed && ways.every((way) => hasOwnTag(tagsOf(map, way), mode))) continue;
      for (const way of ways) addPieces(map, way, gate, segments);
    }
  }
  return segments;
}

function addPieces(map: RawMap, way: number, gate: number, segments: Map<number, Set<number>>): void {
  const refs = map.ways.get(way)?.refs ?? [];
  const own = segments.get(way) ?? new Set<number>();
  segments.set(way, own);
  const isCrossing = (at: number): boolean => waysAt(map, refs[at]!).length > 1;
  for (const [at, ref] of refs.entries()) {
    if (ref !== gate) continue;
    for (let next = at; next + 1 < refs.length && (next === at || !isCrossing(next)); next++) own.add(next);
    for (let next = at; next > 0 && (next === at || !isCrossing(next)); next--) own.add(next - 1);
  }
}

const byNode = new WeakMap<RawMap, Map<number, number[]>>();

function waysAt(map: RawMap, node: number): readonly number[] {
  let ways = byNode.get(map);
  if (ways === undefined) {
    ways = new Map();
    const lines = Array.from(map.ways, ([way, { refs }]) => [way, refs] as const);
    for (const [way, refs] of [...lines, ...map.areas.outlines()])
      for (const ref of refs) {
        const there = ways.get(ref);
        if (there === undefined) ways.set(ref, [way]);
        else if (!there.includes(way)) there.push(way);
      }
    byNode.set(map, ways);
  }
  return ways.get(node) ?? [];
}
