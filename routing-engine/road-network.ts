import type { CellId, EdgeId } from '#schemas/units.js';
import { edgeFlag, type RoadClass, roadClasses } from './edge-flags.js';
import type { NetworkArrays, NetworkMeta } from './network-arrays.js';
import { formatEdgeId, parseEdgeId } from './stable-edge-id.js';
import { modeIndex, type TravelMode } from './travel-mode.js';

/** Structured-cloneable: the arrays lie on SharedArrayBuffers, so passing it to a worker copies nothing. */
export interface SharedNetwork {
  readonly meta: NetworkMeta;
  readonly arrays: NetworkArrays;
}

/**
 * The immutable, edge-based topology of one tileset. Edges are directed and numbered from 0; a number holds within
 * the tileset only, `edgeId` survives a rebuild.
 */
export class RoadNetwork {
  readonly tilesetId: string;
  readonly nodeCount: number;
  readonly edgeCount: number;
  readonly cellCount: number;
  /** Levels of the partition; level 0 is the finest. */
  readonly levelCount: number;
  /** west, south, east, north in degrees. */
  readonly bounds: readonly [number, number, number, number];
  readonly meta: NetworkMeta;
  readonly arrays: NetworkArrays;
  readonly #text = new TextDecoder();
  #copies: ReadonlyMap<number, readonly number[]> | undefined;

  constructor(meta: NetworkMeta, arrays: NetworkArrays) {
    this.meta = meta;
    this.arrays = arrays;
    this.tilesetId = meta.tilesetId;
    this.bounds = meta.bounds;
    this.nodeCount = arrays.firstOut.length - 1;
    this.edgeCount = arrays.tail.length;
    this.cellCount = meta.cellCounts[0] ?? 0;
    this.levelCount = meta.cellCounts.length;
  }

  /** Stable name: `way:fromNode-toNode` and `+` along the way's drawn direction or `-` against it. */
  edgeId(edge: number): EdgeId {
    const { wayId, nodeOsmId, tail, head, flags, ordinal } = this.arrays;
    return formatEdgeId({
      way: wayId[edge]!,
      from: nodeOsmId[tail[edge]!]!,
      to: nodeOsmId[head[edge]!]!,
      against: (flags[edge]! & edgeFlag.against) !== 0,
      ordinal: ordinal[edge]!,
    });
  }

  /** Undefined when the tileset has no such edge, or the text is not an edge id. Never a copy. */
  edgeByStableId(id: string): number | undefined {
    const wanted = parseEdgeId(id);
    if (wanted === undefined) return undefined;
    const { edgesByWay, wayId, nodeOsmId, tail, head, flags, ordinal } = this.arrays;
    let low = 0;
    let high = edgesByWay.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (wayId[edgesByWay[middle]!]! < wanted.way) low = middle + 1;
      else high = middle;
    }
    const against = wanted.against ? edgeFlag.against : 0;
    for (; low < edgesByWay.length; low++) {
      const edge = edgesByWay[low]!;
      if (wayId[edge] !== wanted.way) return undefined;
      if (
        (flags[edge]! & (edgeFlag.against | edgeFlag.copy)) === against &&
        ordinal[edge] === wanted.ordinal &&
        nodeOsmId[tail[edge]!] === wanted.from &&
        nodeOsmId[head[edge]!] === wanted.to
      )
        return edge;
    }
    return undefined;
  }

  /** The level-0 cell that the edge belongs to: the one of its tail. */
  edgeCell(edge: number): CellId {
    return this.nodeCell(this.arrays.tail[edge]!);
  }

  nodeCell(node: number): CellId {
    const first = this.arrays.cellFirstNode;
    let low = 0;
    let high = this.cellCount - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (first[middle]! <= node) low = middle;
      else high = middle - 1;
    }
    return low as CellId;
  }

  /** The edges of a cell are neighbours in the numbering. */
  cellEdges(cell: CellId): readonly [first: number, end: number] {
    const { firstOut, cellFirstNode } = this.arrays;
    return [firstOut[cellFirstNode[cell]]!, firstOut[cellFirstNode[cell + 1]]!];
  }

  /** Cell of `level` that holds the level-0 cell; `level` 0 is the cell itself. */
  ancestor(cell: CellId, level: number): CellId {
    if (level === 0) return cell;
    return this.arrays.cellAncestor[(level - 1) * this.cellCount + cell] as CellId;
  }

  edgeLengthM(edge: number): number {
    return this.arrays.lengthCm[edge]! / 100;
  }

  /** 0 where the mode may not go. */
  freeFlowKph(edge: number, mode: TravelMode): number {
    return this.arrays.speedKph[modeIndex(mode) * this.edgeCount + edge]!;
  }

  /** Empty when the road has none. */
  edgeName(edge: number): string {
    return this.#name(this.arrays.name[edge]!);
  }

  /** Road number such as `E 6`; empty when the road has none. */
  edgeRef(edge: number): string {
    return this.#name(this.arrays.ref[edge]!);
  }

  /** Bits of `edgeFlag`. */
  edgeFlags(edge: number): number {
    return this.arrays.flags[edge]!;
  }

  edgeClass(edge: number): RoadClass {
    return roadClasses[this.arrays.roadClass[edge]!]!;
  }

  /** The opposite direction of the same road piece, where anybody may go that way. */
  reverseOf(edge: number): number | undefined {
    const reverse = this.arrays.reverse[edge]!;
    return reverse < 0 ? undefined : reverse;
  }

  /** The edge itself and the copies that turn restrictions made of it; all stand for the same road in the same direction. */
  copiesOf(edge: number): readonly number[] {
    this.#copies ??= groupCopies(this.arrays);
    const original = this.arrays.copyOf[edge]!;
    return this.#copies.get(original) ?? [original];
  }

  /** [lng, lat, lng, lat, …] in degrees, in the direction of travel, both end nodes included. */
  edgeGeometry(edge: number): Float64Array {
    const { piece, firstShape, shapeLngE7, shapeLatE7, nodeLngE7, nodeLatE7, tail, head, flags } =
      this.arrays;
    const first = firstShape[piece[edge]!]!;
    const inner = firstShape[piece[edge]! + 1]! - first;
    const out = new Float64Array(2 * inner + 4);
    out[0] = nodeLngE7[tail[edge]!]! / 1e7;
    out[1] = nodeLatE7[tail[edge]!]! / 1e7;
    const against = (flags[edge]! & edgeFlag.against) !== 0;
    for (let i = 0; i < inner; i++) {
      const point = against ? first + inner - 1 - i : first + i;
      out[2 * i + 2] = shapeLngE7[point]! / 1e7;
      out[2 * i + 3] = shapeLatE7[point]! / 1e7;
    }
    out[2 * inner + 2] = nodeLngE7[head[edge]!]! / 1e7;
    out[2 * inner + 3] = nodeLatE7[head[edge]!]! / 1e7;
    return out;
  }

  #name(index: number): string {
    const { firstNameByte, nameBytes } = this.arrays;
    if (index === 0) return '';
    // A TextDecoder refuses shared memory, hence the copy.
    return this.#text.decode(nameBytes.slice(firstNameByte[index]!, firstNameByte[index + 1]!));
  }
}

function groupCopies({ copyOf }: NetworkArrays): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (let edge = 0; edge < copyOf.length; edge++) {
    const original = copyOf[edge]!;
    if (original === edge) continue;
    const group = groups.get(original);
    if (group === undefined) groups.set(original, [original, edge]);
    else group.push(edge);
  }
  return groups;
}

export const shareNetwork = (network: RoadNetwork): SharedNetwork => ({
  meta: network.meta,
  arrays: network.arrays,
});
export const networkFromShared = (shared: SharedNetwork): RoadNetwork =>
  new RoadNetwork(shared.meta, shared.arrays);
