import type { BuildMemory } from '#map-data/arrays/build-memory.js';
import { IdIndex } from '#osm/elements/id-index.js';
import { type Cells, cellsByNode } from './cells.js';

/** The cells of an earlier build, by the OpenStreetMap ids of the crossings, which stay valid. */
export interface KeptPartition {
  /** Nodes of a cell at most, by level, when it was made. */
  readonly cellNodesMax: readonly number[];
  /** In the order of the cells of level 0. */
  readonly nodeIds: Float64Array;
  /** [cells+1] first of each cell in `nodeIds`. */
  readonly cellFirstNode: Uint32Array;
  /** From level 1 up: how many cells of the level below each cell holds. */
  readonly children: readonly (readonly number[])[];
}

/** A cell may grow by this factor before all cells are computed again. */
const growth = 1.25;
/** With a higher share of new crossings, all cells are computed again. */
const newShareMax = 0.1;

interface Crossings {
  readonly nodeOsmId: Float64Array;
  readonly nodeLngE7: Int32Array;
  readonly nodeLatE7: Int32Array;
  /** Ends of road pieces. */
  readonly from: Uint32Array;
  readonly to: Uint32Array;
}

const UNPLACED = 0xffffffff;

/**
 * The previous cells with the current crossings: known ones stay in their cell. In rounds, a new one goes to
 * the lowest numbered adjacent cell; without one, to the cell of the nearest known crossing. Undefined if
 * another cell size is requested, a cell outgrew its limit, or too many crossings are new. `cellsBefore` has
 * the previous cell of each crossing, -1 for a new one; default: looked up by id.
 */
export function carryPartition(
  kept: KeptPartition,
  cellNodesMax: readonly number[],
  crossings: Crossings,
  { scratch, kept: columns }: BuildMemory,
  cellsBefore: Int32Array = knownCells(kept, crossings.nodeOsmId),
): Cells | undefined {
  const cellCount = kept.cellFirstNode.length - 1;
  if (kept.cellNodesMax.join() !== cellNodesMax.join() || cellNodesMax.length === 0) return undefined;
  const cellOf = scratch.uint32('cellOf', cellsBefore.length);
  const fresh: number[] = [];
  for (let node = 0; node < cellOf.length; node++) {
    cellOf[node] = cellsBefore[node] < 0 ? UNPLACED : cellsBefore[node];
    if (cellsBefore[node] < 0) fresh.push(node);
  }
  if (fresh.length === cellOf.length || fresh.length > Math.max(1, newShareMax * cellOf.length))
    return undefined;
  if (fresh.length > 0) place(fresh, cellOf, crossings);
  const cells = cellsByNode(
    cellOf,
    cellCount,
    kept.children,
    columns.uint32('partition order', cellOf.length),
  );
  const starts = cells.levels[0];
  for (let cell = 0; cell + 1 < starts.length; cell++)
    if (starts[cell + 1] - starts[cell] > growth * cellNodesMax[0]) return undefined;
  return cells;
}

/** By crossing its previous cell, or -1. */
function knownCells({ nodeIds, cellFirstNode }: KeptPartition, nodeOsmId: Float64Array): Int32Array {
  const known = new IdIndex(nodeIds);
  const cellOfKnown = new Int32Array(nodeIds.length);
  for (let cell = 0; cell + 1 < cellFirstNode.length; cell++)
    cellOfKnown.fill(cell, cellFirstNode[cell], cellFirstNode[cell + 1]);
  return Int32Array.from(nodeOsmId, (id) => {
    const place = known.find(id);
    return place < 0 ? -1 : cellOfKnown[place];
  });
}

function place(fresh: readonly number[], cellOf: Uint32Array, crossings: Crossings): void {
  const { from, to, nodeLngE7, nodeLatE7 } = crossings;
  const isFresh = new Uint8Array(cellOf.length);
  for (const node of fresh) isFresh[node] = 1;
  const roads: number[] = [];
  for (let piece = 0; piece < from.length; piece++)
    if (isFresh[from[piece]] === 1 || isFresh[to[piece]] === 1) roads.push(piece);
  const placed: number[] = [];
  for (let node = 0; node < cellOf.length; node++) if (isFresh[node] === 0) placed.push(node);

  for (let left = fresh.length; left > 0; ) {
    const found = new Map<number, number>();
    const reach = (node: number, other: number): void => {
      if (cellOf[node] !== UNPLACED || cellOf[other] === UNPLACED) return;
      found.set(node, Math.min(cellOf[other], found.get(node) ?? UNPLACED));
    };
    for (const piece of roads) {
      reach(from[piece], to[piece]);
      reach(to[piece], from[piece]);
    }
    if (found.size === 0) {
      // No road leads to the remaining ones: the first of them connects the others in the next round.
      const node = fresh.find((each) => cellOf[each] === UNPLACED)!;
      let nearest = Number.POSITIVE_INFINITY;
      const squeeze = Math.cos((nodeLatE7[node] / 1e7) * (Math.PI / 180));
      for (const other of placed) {
        const apart = Math.hypot(
          (nodeLngE7[other] - nodeLngE7[node]) * squeeze,
          nodeLatE7[other] - nodeLatE7[node],
        );
        if (apart >= nearest) continue;
        nearest = apart;
        found.set(node, cellOf[other]);
      }
    }
    for (const [node, cell] of found) cellOf[node] = cell;
    left -= found.size;
  }
}
