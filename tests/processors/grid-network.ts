import { openTileset } from '#map-data/open-tileset.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { LatLng } from '#schemas/units.js';
import { buildTileset } from '#tile-builder/build-tileset.js';
import { MemoryObjectStore } from '../tile-builder/memory-object-store.js';
import { playFixture } from '../tile-builder/osm-fixture.js';

/** A town of straight two-way streets that cross every `blockM` metres, north to south and west to east. */
export interface Grid {
  readonly network: RoadNetwork;
  /**
   * The directed edge from one crossing to the next; crossings are [column, row] from the south-west corner.
   */
  edge(from: Crossing, to: Crossing): number;
  /** Edges along a list of crossings. */
  way(...crossings: readonly Crossing[]): number[];
  ids(edges: readonly number[]): string[];
  /** A place on a directed edge, `offM` metres to its right. */
  place(edge: number, fraction: number, offM?: number): LatLng;
}

type Crossing = readonly [column: number, row: number];

const perDegree = 111_195;
const corner = { lat: 57.7, lng: 11.9 };
const perLngDegree = perDegree * Math.cos((corner.lat * Math.PI) / 180);

/**
 * `blockM`: a list is from each column to the next, from the west; the rows are as far apart as its first.
 * Streets are named `Row 0`, `Row 1`, … from the south and `Column 0`, … from the west; cells contain a few
 * crossings.
 */
export async function gridNetwork(
  columns: number,
  rows: number,
  blockM: number | readonly number[] = 200,
  kph = 50,
  objects: ObjectStore = new MemoryObjectStore(),
): Promise<Grid> {
  const widths = typeof blockM === 'number' ? new Array<number>(columns - 1).fill(blockM) : blockM;
  const eastM = (c: number): number => widths.slice(0, c).reduce((sum, width) => sum + width, 0);
  const id = ([column, row]: Crossing): number => 1 + row * columns + column;
  const row = (r: number): Crossing[] => Array.from({ length: columns }, (_, c) => [c, r]);
  const column = (c: number): Crossing[] => Array.from({ length: rows }, (_, r) => [c, r]);
  const street = (name: string, way: number, crossings: readonly Crossing[]) => ({
    id: way,
    refs: crossings.map(id),
    tags: { highway: 'residential', name, maxspeed: String(kph) },
  });
  const fixture = {
    nodes: Array.from({ length: rows }, (_, r) => row(r))
      .flat()
      .map(([c, r]) => ({
        id: id([c, r]),
        lat: corner.lat + (r * widths[0]!) / perDegree,
        lng: corner.lng + eastM(c) / perLngDegree,
      })),
    ways: [
      ...Array.from({ length: rows }, (_, r) => street(`Row ${r}`, 101 + r, row(r))),
      ...Array.from({ length: columns }, (_, c) => street(`Column ${c}`, 201 + c, column(c))),
    ],
    relations: [],
  };
  const source = {
    kind: 'elements' as const,
    read: (sink: Parameters<typeof playFixture>[1]) => playFixture(fixture, sink),
  };
  await buildTileset(source, objects, { cellNodesMax: [8, 64] });
  const network = await openTileset(objects);
  const { tail, head, nodeOsmId, nodeLatE7, nodeLngE7, copyOf } = network.arrays;
  const byEnds = new Map<string, number>();
  for (let e = 0; e < network.edgeCount; e++)
    if (copyOf[e] === e) byEnds.set(`${nodeOsmId[tail[e]!]} ${nodeOsmId[head[e]!]}`, e);
  const edge = (from: Crossing, to: Crossing): number => {
    const found = byEnds.get(`${id(from)} ${id(to)}`);
    if (found === undefined) throw new Error(`no street from ${from} to ${to}`);
    return found;
  };
  return {
    network,
    edge,
    way: (...crossings) => crossings.slice(1).map((to, i) => edge(crossings[i]!, to)),
    ids: (some) => some.map((each) => network.edgeId(each)),
    place(at, fraction, offM = 0) {
      const [a, b] = [tail[at]!, head[at]!];
      const [dx, dy] = [(nodeLngE7[b]! - nodeLngE7[a]!) / 1e7, (nodeLatE7[b]! - nodeLatE7[a]!) / 1e7];
      const metres = Math.hypot(dx * perLngDegree, dy * perDegree);
      return {
        lat: nodeLatE7[a]! / 1e7 + dy * fraction - ((dx * perLngDegree) / metres) * (offM / perDegree),
        lng: nodeLngE7[a]! / 1e7 + dx * fraction + ((dy * perDegree) / metres) * (offM / perLngDegree),
      };
    },
  };
}
