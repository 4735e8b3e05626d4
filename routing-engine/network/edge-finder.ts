import type { CellId } from '#schemas/units.js';
import { CellsMissing } from './cells-missing.js';
import { edgeFlag } from './edge-flags.js';
import type { NetworkArrays } from './network-arrays.js';
import { type EdgeIdParts, parseEdgeId } from './stable-edge-id.js';

/** What a search needs of a `RoadNetwork`. */
interface LoadedCells {
  readonly arrays: NetworkArrays;
  nodeCell(node: number): CellId;
  cellEdges(cell: CellId): readonly [first: number, end: number];
  isLoaded(cell: CellId): boolean;
}

/** Finds edges by their stable ids. */
export class EdgeFinder {
  readonly #network: LoadedCells;
  #last: number | undefined;

  constructor(network: LoadedCells) {
    this.#network = network;
  }

  /** See `RoadNetwork.edgeByStableId`. */
  find(id: string): number | undefined {
    const wanted = parseEdgeId(id);
    if (wanted === undefined) return undefined;
    const edge = this.#afterLast(wanted) ?? this.#byWay(wanted);
    if (edge !== undefined) this.#last = edge;
    return edge;
  }

  /** Ids mostly come as routes: each edge leaves the head of the one before. */
  #afterLast(wanted: EdgeIdParts): number | undefined {
    if (this.#last === undefined) return undefined;
    const network = this.#network;
    const { head, firstOut } = network.arrays;
    const node = head[this.#last]!;
    if (!network.isLoaded(network.nodeCell(node))) return undefined;
    return this.#among(firstOut[node]!, firstOut[node + 1]!, wanted);
  }

  #byWay(wanted: EdgeIdParts): number | undefined {
    const network = this.#network;
    const { wayIds, wayCells } = network.arrays;
    const missing: CellId[] = [];
    for (let i = firstAtLeast(wayIds, wanted.way); wayIds[i] === wanted.way; i++) {
      const cell = wayCells[i] as CellId;
      if (!network.isLoaded(cell)) {
        missing.push(cell);
        continue;
      }
      const edge = this.#among(...network.cellEdges(cell), wanted);
      if (edge !== undefined) return edge;
    }
    if (missing.length > 0) throw new CellsMissing(missing);
    return undefined;
  }

  #among(first: number, end: number, wanted: EdgeIdParts): number | undefined {
    const { wayId, nodeOsmId, tail, head, flags, ordinal } = this.#network.arrays;
    const against = wanted.against ? edgeFlag.against : 0;
    for (let edge = first; edge < end; edge++)
      if (
        wayId[edge] === wanted.way &&
        (flags[edge]! & (edgeFlag.against | edgeFlag.copy)) === against &&
        ordinal[edge] === wanted.ordinal &&
        nodeOsmId[tail[edge]!] === wanted.from &&
        nodeOsmId[head[edge]!] === wanted.to
      )
        return edge;
    return undefined;
  }
}

function firstAtLeast(ascending: Float64Array, value: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
