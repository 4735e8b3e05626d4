import type { CellId, EdgeId } from '#schemas/units.js';
import { CellsMissing } from './cells-missing.js';
import { EdgeFinder } from './edge-finder.js';
import { edgeFlag, type RoadClass, roadClasses } from './edge-flags.js';
import { limits } from './limits.js';
import type { NetworkArrays, NetworkMeta } from './network-arrays.js';
import { type AlongAndAgainst, noSigns, type RoadSign, type RoadSigns, unpackSigns } from './road-sign.js';
import { formatEdgeId } from './stable-edge-id.js';
import { modeIndex, type TravelMode } from './travel-mode.js';

/** Structured-cloneable: the arrays lie on SharedArrayBuffers, so passing it to a worker copies nothing. */
export interface SharedNetwork {
  readonly meta: NetworkMeta;
  readonly arrays: NetworkArrays;
}

/**
 * The immutable, edge-based topology of one tileset. Edges are directed and numbered from 0; a number holds
 * within the tileset only, `edgeId` survives a rebuild.
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
  /** Cached texts by their number: the roads of a town have few names, each many times. */
  readonly #names = new Map<number, string>();
  readonly #signs = new Map<number, RoadSigns>();
  readonly #finder: EdgeFinder;
  /** All cells were loaded from the start. */
  readonly #isWhole: boolean;

  constructor(meta: NetworkMeta, arrays: NetworkArrays) {
    this.meta = meta;
    this.arrays = arrays;
    this.tilesetId = meta.tilesetId;
    this.bounds = meta.bounds;
    this.nodeCount = arrays.firstOut.length - 1;
    this.edgeCount = arrays.tail.length;
    this.cellCount = meta.cellCounts[0] ?? 0;
    this.levelCount = meta.cellCounts.length;
    this.#isWhole = !arrays.loaded.includes(0);
    this.#finder = new EdgeFinder(this);
  }

  /** Stable name: `way:fromNode-toNode` and `+` along the way's drawn direction or `-` against it. */
  edgeId(edge: number): EdgeId {
    this.#demand(edge);
    const { wayId, nodeOsmId, tail, head, flags, ordinal } = this.arrays;
    return formatEdgeId({
      way: wayId[edge]!,
      from: nodeOsmId[tail[edge]!]!,
      to: nodeOsmId[head[edge]!]!,
      against: (flags[edge]! & edgeFlag.against) !== 0,
      ordinal: ordinal[edge]!,
    });
  }

  /**
   * Undefined when the tileset has no such edge, or the text is not an edge id. Never a copy. Throws
   * `CellsMissing` when the edge may lie in a cell that is not loaded.
   */
  edgeByStableId(id: string): number | undefined {
    return this.#finder.find(id);
  }

  /** The level-0 cell that the edge belongs to: the one of its tail. */
  edgeCell(edge: number): CellId {
    return cellOf(this.arrays.cellFirstEdge, this.cellCount, edge);
  }

  nodeCell(node: number): CellId {
    return cellOf(this.arrays.cellFirstNode, this.cellCount, node);
  }

  isLoaded(cell: CellId): boolean {
    return this.#isWhole || Atomics.load(this.arrays.loaded, cell) !== 0;
  }

  /** The edges of a cell are numbered contiguously. */
  cellEdges(cell: CellId): readonly [first: number, end: number] {
    const { cellFirstEdge } = this.arrays;
    return [cellFirstEdge[cell]!, cellFirstEdge[cell + 1]!];
  }

  /** Cell of `level` that holds the level-0 cell; `level` 0 is the cell itself. */
  ancestor(cell: CellId, level: number): CellId {
    if (level === 0) return cell;
    return this.arrays.cellAncestor[(level - 1) * this.cellCount + cell] as CellId;
  }

  edgeLengthM(edge: number): number {
    return this.arrays.lengthCm[edge]! / 100;
  }

  /** 0 if the mode may not use it. */
  freeFlowKph(edge: number, mode: TravelMode): number {
    return this.arrays.speedKph[modeIndex(mode) * this.edgeCount + edge]!;
  }

  /** Empty when the road has none. */
  edgeName(edge: number): string {
    this.#demand(edge);
    return this.nameText(this.arrays.name[edge]!);
  }

  /** Road number such as `E 6`; empty when the road has none. */
  edgeRef(edge: number): string {
    this.#demand(edge);
    return this.nameText(this.arrays.ref[edge]!);
  }

  /** The signs at the start of the road. */
  edgeSign(edge: number): RoadSign {
    this.#demand(edge);
    const { copyOf, piece, pieceEdge, speedKph } = this.arrays;
    const drawn = pieceEdge[piece[edge]!]!;
    // On a road that cars drive against the drawn direction, signs are for that direction.
    const stored = drawn === copyOf[edge] || (speedKph[drawn] === 0 && speedKph[edge]! > 0);
    return stored ? this.#signsOf(edge).sign : noSigns.sign;
  }

  /** How the name is said, as on the map; empty if the map does not say. */
  edgePronunciation(edge: number): string {
    this.#demandLine(edge);
    return this.#signsOf(edge).pronunciation;
  }

  /** The signed directions of its numbers, as in `RoadSigns`; empty if there are none. */
  edgeDirections(edge: number): string {
    this.#demandLine(edge);
    return this.#ofTravel(edge, this.#signsOf(edge).directions);
  }

  /** Instructions that the map states for those who come from the road (`asStated`); empty for none. */
  edgeManeuvers(edge: number): string {
    this.#demandLine(edge);
    return this.#signsOf(edge).maneuvers;
  }

  /** Percent uphill in its direction; `undefined` where the map states none. */
  edgeSlopePercent(edge: number): number | undefined {
    this.#demandLine(edge);
    const { slope } = this.#signsOf(edge);
    if (slope === '') return undefined;
    return (this.arrays.flags[edge]! & edgeFlag.against) === 0 ? Number(slope) : -Number(slope);
  }

  /** The lanes before the crossing at the end of the road, as in `RoadSigns`; empty if not known. */
  edgeLanes(edge: number): string {
    this.#demandLine(edge);
    return this.#ofTravel(edge, this.#signsOf(edge).lanes);
  }

  #signsOf(edge: number): RoadSigns {
    const text = this.arrays.pieceSign[this.arrays.piece[edge]!]!;
    if (text === 0) return noSigns;
    let signs = this.#signs.get(text);
    if (signs === undefined) {
      if (this.#signs.size === limits.namesKept) this.#signs.clear();
      signs = unpackSigns(this.nameText(text));
      this.#signs.set(text, signs);
    }
    return signs;
  }

  #ofTravel(edge: number, { along, against }: AlongAndAgainst): string {
    return (this.arrays.flags[edge]! & edgeFlag.against) === 0 ? along : against;
  }

  /** Bits of `edgeFlag`. */
  edgeFlags(edge: number): number {
    return this.arrays.flags[edge]!;
  }

  edgeClass(edge: number): RoadClass {
    return roadClasses[this.arrays.roadClass[edge]!]!;
  }

  /** The opposite direction of the same road piece, if any mode may use it. */
  reverseOf(edge: number): number | undefined {
    const reverse = this.arrays.reverse[edge]!;
    return reverse < 0 ? undefined : reverse;
  }

  /**
   * The edge itself and the copies that turn restrictions made of it; all stand for the same road in the same
   * direction.
   */
  copiesOf(edge: number): readonly number[] {
    const { copyOf, tail, firstOut } = this.arrays;
    this.#demand(edge);
    const original = copyOf[edge]!;
    const copies = [original];
    const node = tail[edge]!;
    for (let other = firstOut[node]!; other < firstOut[node + 1]!; other++)
      if (copyOf[other] === original && other !== original) copies.push(other);
    return copies;
  }

  /** [lng, lat, lng, lat, …] in degrees, in the direction of travel, both end nodes included. */
  edgeGeometry(edge: number): Float64Array {
    const out = new Float64Array(2 * this.edgePoints(edge));
    this.edgeGeometryInto(edge, out, 0);
    return out;
  }

  /** Points of an edge's line, both end nodes included. */
  edgePoints(edge: number): number {
    this.#demandLine(edge);
    const { piece, firstShape } = this.arrays;
    return firstShape[piece[edge]! + 1]! - firstShape[piece[edge]!]! + 2;
  }

  /** Writes the result of `edgeGeometry` from position `at` on; returns the position after it. */
  edgeGeometryInto(edge: number, out: Float64Array, at: number): number {
    this.#demandLine(edge);
    const { piece, firstShape, shapeLngE7, shapeLatE7, nodeLngE7, nodeLatE7, tail, head, flags } =
      this.arrays;
    const against = (flags[edge]! & edgeFlag.against) !== 0;
    const first = firstShape[piece[edge]!]!;
    const last = firstShape[piece[edge]! + 1]! - 1;
    const [start, end] = [tail[edge]!, head[edge]!];
    out[at++] = nodeLngE7[start]! / 1e7;
    out[at++] = nodeLatE7[start]! / 1e7;
    for (let i = first; i <= last; i++) {
      const point = against ? first + last - i : i;
      out[at++] = shapeLngE7[point]! / 1e7;
      out[at++] = shapeLatE7[point]! / 1e7;
    }
    out[at++] = nodeLngE7[end]! / 1e7;
    out[at++] = nodeLatE7[end]! / 1e7;
    return at;
  }

  /** The text of a number in `arrays.name`, `arrays.ref` or `arrays.pieceSign`; 0 is the empty text. */
  nameText(index: number): string {
    if (index === 0) return '';
    const known = this.#names.get(index);
    if (known !== undefined) return known;
    const { nameAt, nameBytes } = this.arrays;
    const at = nameAt[index]!;
    const length = (nameBytes[at + 4]! << 8) | nameBytes[at + 5]!;
    // A TextDecoder refuses shared memory, hence the copy.
    const text = this.#text.decode(nameBytes.slice(at + 6, at + 6 + length));
    if (this.#names.size === limits.namesKept) this.#names.clear();
    this.#names.set(index, text);
    return text;
  }

  /** Throws `CellsMissing` unless the roads at a node are loaded. */
  requireNode(node: number): void {
    if (!this.#isWhole) this.#requireCell(this.nodeCell(node));
  }

  /** Throws `CellsMissing` unless the name of an edge is loaded. */
  requireEdge(edge: number): void {
    this.#demand(edge);
  }

  /** The shape has the drawn direction of the way. */
  #demandLine(edge: number): void {
    this.#demand(edge);
    const { flags, reverse } = this.arrays;
    if ((flags[edge]! & edgeFlag.against) !== 0 && reverse[edge]! >= 0) this.#demand(reverse[edge]!);
  }

  /** The data of an edge is available after its cell is loaded. */
  #demand(edge: number): void {
    if (!this.#isWhole) this.#requireCell(this.edgeCell(edge));
  }

  #requireCell(cell: CellId): void {
    if (!this.isLoaded(cell)) throw new CellsMissing([cell]);
  }
}

/** The last cell that begins at or before an item; `first` has one entry more than there are cells. */
function cellOf(first: Uint32Array, cells: number, item: number): CellId {
  let low = 0;
  let high = cells - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (first[middle]! <= item) low = middle;
    else high = middle - 1;
  }
  return low as CellId;
}

export const shareNetwork = (network: RoadNetwork): SharedNetwork => ({
  meta: network.meta,
  arrays: network.arrays,
});
export const networkFromShared = (shared: SharedNetwork): RoadNetwork =>
  new RoadNetwork(shared.meta, shared.arrays);
