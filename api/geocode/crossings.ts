import type { GeocodeIndex } from '#geocoding/index/geocode-index.js';
import { type IndexedMode, indexedModes } from '#geocoding/index/indexed-modes.js';
import { searchPlaces } from '#geocoding/query/search-places.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { E7, type LatLng } from '#schemas/units.js';

/** Where two named streets meet. */
export interface Crossing {
  readonly node: number;
  /** Rows of the two streets in the index. */
  readonly streets: readonly [number, number];
  readonly partial: boolean;
}

interface AskedCrossing {
  readonly streets: readonly [string, string];
  /** The text after the first comma. */
  readonly rest: string;
}

/** Signs, and "and" in the most used languages of guidance. */
const between = /\s*[&@/]\s*|\s+(?:and|och|und|et|og|y|e|en|ja|corner(?:\s+of)?)\s+/iu;
/** Streets of one name that are searched. */
const streetsMax = 6;

/** `A & B, Town`; undefined for a text that does not name two streets. */
export function askedCrossing(text: string): AskedCrossing | undefined {
  const [places = '', ...rest] = text.split(',');
  const [a, b, ...more] = places.split(between).map((part) => part.trim());
  if (a === undefined || b === undefined || more.length > 0 || a === '' || b === '') return undefined;
  return { streets: [a, b], rest: rest.join(' ') };
}

/** The best match of both names that has a crossing; undefined if streets with these names do not meet. */
export function findCrossing(
  index: GeocodeIndex,
  network: RoadNetwork,
  { streets, rest }: AskedCrossing,
  options: { readonly prefix: boolean; readonly near?: LatLng },
): Crossing | undefined {
  const near = options.near === undefined ? {} : { near: options.near };
  const [first, second] = streets.map((name, i) =>
    searchPlaces(index, `${name}, ${rest}`, {
      prefix: options.prefix && i === 1,
      limit: 4 * streetsMax,
      ...near,
    })
      .filter(({ row }) => index.kind(row) === 'street')
      .slice(0, streetsMax),
  );
  const pairs = first!
    .flatMap((a) => second!.map((b) => ({ a, b, score: a.score + b.score })))
    .toSorted((one, other) => other.score - one.score);
  for (const { a, b } of pairs) {
    if (a.row === b.row) continue;
    const node = meetingOf(index, network, a.row, b.row);
    if (node !== undefined) return { node, streets: [a.row, b.row], partial: a.partial || b.partial };
  }
  return undefined;
}

/** The crossing of the node with this OpenStreetMap id, if two named streets of the index meet there. */
export function crossingAt(index: GeocodeIndex, network: RoadNetwork, osmId: number): Crossing | undefined {
  const node = network.arrays.nodeOsmId.indexOf(osmId);
  if (node < 0) return undefined;
  const near = placeOf(network, node);
  const rows = [...namesAt(network, node)].flatMap((name) => {
    const found = searchPlaces(index, name, { near, limit: streetsMax });
    return found.find(({ row }) => index.kind(row) === 'street' && index.name(row, '') === name)?.row ?? [];
  });
  const [a, b] = rows;
  return a === undefined || b === undefined ? undefined : { node, streets: [a, b], partial: false };
}

export const placeOf = ({ arrays }: RoadNetwork, node: number): LatLng => ({
  lat: arrays.nodeLatE7[node]! / E7,
  lng: arrays.nodeLngE7[node]! / E7,
});

/** An edge that leaves the crossing, by mode. */
export function edgesFrom(network: RoadNetwork, node: number): ReadonlyMap<IndexedMode, number> {
  const { firstOut } = network.arrays;
  const edges = new Map<IndexedMode, number>();
  for (const mode of indexedModes)
    for (let edge = firstOut[node]!; edge < firstOut[node + 1]! && !edges.has(mode); edge++)
      if (network.freeFlowKph(edge, mode) > 0) edges.set(mode, edge);
  return edges;
}

/** The first node in the boxes of both streets at which roads of both names meet. */
function meetingOf(index: GeocodeIndex, network: RoadNetwork, a: number, b: number): number | undefined {
  const { box } = index.data;
  const [west, south, east, north] = [
    Math.max(box[4 * a]!, box[4 * b]!),
    Math.max(box[4 * a + 1]!, box[4 * b + 1]!),
    Math.min(box[4 * a + 2]!, box[4 * b + 2]!),
    Math.min(box[4 * a + 3]!, box[4 * b + 3]!),
  ];
  if (west > east || south > north) return undefined;
  const [nameA, nameB] = [index.name(a, ''), index.name(b, '')];
  const { cellBounds, cellFirstNode, nodeLngE7, nodeLatE7 } = network.arrays;
  for (let cell = 0; cell < network.cellCount; cell++) {
    const isApart =
      cellBounds[4 * cell]! > east ||
      cellBounds[4 * cell + 1]! > north ||
      cellBounds[4 * cell + 2]! < west ||
      cellBounds[4 * cell + 3]! < south;
    if (isApart) continue;
    for (let node = cellFirstNode[cell]!; node < cellFirstNode[cell + 1]!; node++) {
      const [lng, lat] = [nodeLngE7[node]!, nodeLatE7[node]!];
      if (lng < west || lng > east || lat < south || lat > north) continue;
      const names = namesAt(network, node);
      if (names.has(nameA) && names.has(nameB)) return node;
    }
  }
  return undefined;
}

function namesAt(network: RoadNetwork, node: number): Set<string> {
  const { firstOut, firstIn, inEdges } = network.arrays;
  const names = new Set<string>();
  for (let edge = firstOut[node]!; edge < firstOut[node + 1]!; edge++) names.add(network.edgeName(edge));
  for (let i = firstIn[node]!; i < firstIn[node + 1]!; i++) names.add(network.edgeName(inEdges[i]!));
  names.delete('');
  return names;
}
