import { edgeFlag } from '#routing-engine/edge-flags.js';
import type { NetworkArrays } from '#routing-engine/network-arrays.js';
import { RoadNetwork } from '#routing-engine/road-network.js';
import { buildSnapIndex } from '#routing-engine/snap-index.js';
import type { LatLng } from '#schemas/units.js';

/** A town of straight two-way streets that cross every `blockM` metres, north to south and west to east. */
export interface Grid {
  readonly network: RoadNetwork;
  /** The directed edge from one crossing to the next; crossings are [column, row] from the south-west corner. */
  edge(from: readonly [number, number], to: readonly [number, number]): number;
  /** Edges along a list of crossings. */
  way(...crossings: readonly (readonly [number, number])[]): number[];
  ids(edges: readonly number[]): string[];
  /** A place on a directed edge, `offM` metres to its right. */
  place(edge: number, fraction: number, offM?: number): LatLng;
}

const perDegree = 111_195;
const south = { lat: 57.7, lng: 11.9 };

/** Cells are the rows. A turn of 180 degrees costs 20 s at crossings with another way out, other turns nothing. */
export function gridNetwork(columns: number, rows: number, blockM = 200, kph = 50): Grid {
  const perLng = perDegree * Math.cos((south.lat * Math.PI) / 180);
  const nodes = columns * rows;
  const node = ([column, row]: readonly [number, number]): number => row * columns + column;
  const latE7 = Int32Array.from({ length: nodes }, (_, i) =>
    Math.round((south.lat + (Math.floor(i / columns) * blockM) / perDegree) * 1e7),
  );
  const lngE7 = Int32Array.from({ length: nodes }, (_, i) =>
    Math.round((south.lng + ((i % columns) * blockM) / perLng) * 1e7),
  );
  const out: number[][] = Array.from({ length: nodes }, (_, i) => {
    const [column, row] = [i % columns, Math.floor(i / columns)];
    const next: (readonly [number, number])[] = [
      [column, row - 1],
      [column - 1, row],
      [column + 1, row],
      [column, row + 1],
    ];
    return next.filter(([c, r]) => c >= 0 && r >= 0 && c < columns && r < rows).map(node);
  });
  const firstOut = new Uint32Array(nodes + 1);
  for (const [i, heads] of out.entries()) firstOut[i + 1] = firstOut[i]! + heads.length;
  const edges = firstOut[nodes]!;
  const tail = Uint32Array.from(out.flatMap((heads, i) => heads.map(() => i)));
  const head = Uint32Array.from(out.flat());
  const find = (from: number, to: number): number => {
    const at = out[from]!.indexOf(to);
    if (at < 0) throw new Error(`no street from ${from} to ${to}`);
    return firstOut[from]! + at;
  };
  const isAgainst = (edge: number): boolean => tail[edge]! > head[edge]!;
  const reverse = Int32Array.from({ length: edges }, (_, e) => find(head[e]!, tail[e]!));
  const pieces = Array.from({ length: edges }, (_, e) => e).filter((e) => !isAgainst(e));
  const pieceOf = new Map(pieces.map((edge, piece) => [edge, piece]));
  const inEdges = out.map((heads, i) => heads.map((from) => find(from, i)).sort((a, b) => a - b));
  const tables = out.map((heads, i) =>
    inEdges[i]!.flatMap((into) => heads.map((to) => (tail[into] === to && heads.length > 1 ? 200 : 0))),
  );
  const starts = tables.map((_, i) => tables.slice(0, i).reduce((sum, table) => sum + table.length, 0));
  // A street has one name from end to end: its row or its column.
  const names = [
    '',
    ...Array.from({ length: rows }, (_, r) => `Row ${r}`),
    ...Array.from({ length: columns }, (_, c) => `Column ${c}`),
  ];
  const nameBytes = names.map((name) => new TextEncoder().encode(name));
  const isRow = (edge: number): boolean =>
    Math.floor(tail[edge]! / columns) === Math.floor(head[edge]! / columns);
  const nameOf = (edge: number): number =>
    isRow(edge) ? 1 + Math.floor(tail[edge]! / columns) : 1 + rows + (tail[edge]! % columns);
  const bearing = (edge: number): number =>
    isRow(edge) ? (isAgainst(edge) ? 192 : 64) : isAgainst(edge) ? 128 : 0;
  const each = <Value>(value: (edge: number) => Value): Value[] =>
    Array.from({ length: edges }, (_, e) => value(e));
  const three = (values: readonly number[]): number[] => [...values, ...values, ...values];
  const flags = Uint16Array.from(each((e) => (isAgainst(e) ? edgeFlag.against : 0)));
  const shapes = {
    firstShape: new Uint32Array(pieces.length + 1),
    shapeLngE7: new Int32Array(0),
    shapeLatE7: new Int32Array(0),
    pieceEdge: Uint32Array.from(pieces),
    nodeLngE7: lngE7,
    nodeLatE7: latE7,
    ...{ tail, head, flags },
  };
  const arrays: NetworkArrays = {
    ...shapes,
    ...buildSnapIndex(shapes),
    nodeOsmId: Float64Array.from({ length: nodes }, (_, i) => i + 1),
    firstOut,
    firstIn: firstOut,
    inEdges: Uint32Array.from(inEdges.flat()),
    inRank: Uint16Array.from(each((e) => inEdges[head[e]!]!.indexOf(e))),
    turnTable: Uint32Array.from(three(starts)),
    turnCostsDs: Uint8Array.from(tables.flat()),
    lengthCm: new Uint32Array(edges).fill(blockM * 100),
    roadClass: new Uint8Array(edges),
    speedKph: new Uint8Array(3 * edges).fill(kph),
    zone: new Uint32Array(3 * edges),
    part: new Uint32Array(3 * edges),
    bearingOut: Uint8Array.from(each(bearing)),
    bearingIn: Uint8Array.from(each(bearing)),
    reverse,
    copyOf: Uint32Array.from(each((e) => e)),
    wayId: Float64Array.from(each((e) => 100 + nameOf(e))),
    ordinal: new Uint8Array(edges),
    name: Uint32Array.from(each(nameOf)),
    ref: new Uint32Array(edges),
    piece: Uint32Array.from(each((e) => pieceOf.get(isAgainst(e) ? reverse[e]! : e)!)),
    firstNameByte: Uint32Array.from(
      [...names, ''].map((_, i) => nameBytes.slice(0, i).reduce((sum, b) => sum + b.length, 0)),
    ),
    nameBytes: Uint8Array.from(nameBytes.flatMap((bytes) => [...bytes])),
    cellFirstNode: Uint32Array.from({ length: rows + 1 }, (_, r) => r * columns),
    cellAncestor: new Uint32Array(rows),
    edgesByWay: Uint32Array.from(each((e) => e).sort((a, b) => nameOf(a) - nameOf(b) || a - b)),
  };
  const network = new RoadNetwork(
    {
      tilesetId: (0x971d0000 + 256 * columns + rows).toString(16).padStart(16, '0'),
      bounds: [lngE7[0]! / 1e7, latE7[0]! / 1e7, lngE7.at(-1)! / 1e7, latE7.at(-1)! / 1e7],
      cellCounts: [rows, 1],
      drivingSide: 'right',
    },
    arrays,
  );
  const edge = (from: readonly [number, number], to: readonly [number, number]): number =>
    find(node(from), node(to));
  return {
    network,
    edge,
    way: (...crossings) => crossings.slice(1).map((to, i) => edge(crossings[i]!, to)),
    ids: (some) => some.map((each) => network.edgeId(each)),
    place(at, fraction, offM = 0) {
      const [a, b] = [tail[at]!, head[at]!];
      const [dx, dy] = [(lngE7[b]! - lngE7[a]!) / 1e7, (latE7[b]! - latE7[a]!) / 1e7];
      const metres = Math.hypot(dx * perLng, dy * perDegree);
      return {
        lat: latE7[a]! / 1e7 + dy * fraction - ((dx * perLng) / metres) * (offM / perDegree),
        lng: lngE7[a]! / 1e7 + dx * fraction + ((dy * perDegree) / metres) * (offM / perLng),
      };
    },
  };
}
