import { sharedUint32 } from '../arrays/shared-array.js';
import { borderOf } from './cell-border.js';
import { cellCounts } from './manifest.js';
import { type CellOffsets, type NetworkFrame, runningSum } from './network-frame.js';

/** What the roads of a cell refer to in the cells next to it. */
const ofNeighbours: ReadonlySet<string> = new Set(['nodes', 'edges', 'pieces']);

/**
 * The frame with space for some cells alone: columns that `reserveArrays` makes for it are as large as these
 * cells. Cells keep their numbers; their nodes, edges and pieces have others. Only the given cells can be
 * filled, and no search crosses other cells.
 */
export function frameOfCells(frame: NetworkFrame, cells: Iterable<number>): NetworkFrame {
  const { manifest, offsets, resident } = frame;
  const filled = new Uint8Array(offsets.nodes.length - 1);
  const present = new Uint8Array(filled.length);
  for (const cell of cells) {
    filled[cell] = 1;
    present[cell] = 1;
    for (const other of borderOf(resident, cell).adjacent) present[other] = 1;
  }
  const placed = Object.fromEntries(
    cellCounts.map((count) => {
      const has = ofNeighbours.has(count) ? present : filled;
      return [count, runningSum(manifest.counts[count], has)];
    }),
  ) as CellOffsets;
  return {
    ...frame,
    offsets: placed,
    resident: {
      ...resident,
      cellFirstNode: placed.nodes,
      cellFirstEdge: placed.edges,
      cellFirstSnap: placed.snapRows,
      boundaryEdge: placedEdges(resident, offsets.edges, placed.edges),
    },
  };
}

function placedEdges(
  { boundaryEdge, boundaryTailCell }: Pick<NetworkFrame['resident'], 'boundaryEdge' | 'boundaryTailCell'>,
  before: Uint32Array,
  now: Uint32Array,
): Uint32Array {
  const placed = sharedUint32(boundaryEdge.length);
  for (let i = 0; i < placed.length; i++) {
    const cell = boundaryTailCell[i];
    placed[i] = boundaryEdge[i] - before[cell] + now[cell];
  }
  return placed;
}
