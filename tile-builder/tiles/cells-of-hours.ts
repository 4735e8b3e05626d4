import type { TilesetManifest } from '#map-data/tiles/manifest.js';
import type { EdgeHours } from '#routing-engine/network/network-arrays.js';

/**
 * Cells in which other edges are open at some hours only, or to other modes, than in an earlier tileset with
 * the same cells: the bytes of a cell do not say for which modes.
 */
export function cellsOfOtherHours(
  hours: readonly EdgeHours[],
  cellFirstEdge: Uint32Array,
  { hours: hoursBefore = [], counts }: TilesetManifest,
): ReadonlySet<number> {
  const firstBefore = new Uint32Array(counts.edges.length + 1);
  for (const [cell, count] of counts.edges.entries()) firstBefore[cell + 1] = firstBefore[cell] + count;
  const now = edgesByCell(hours, cellFirstEdge);
  const before = edgesByCell(hoursBefore, firstBefore);
  const cells = [...now.keys(), ...before.keys()];
  return new Set(cells.filter((cell) => key(now.get(cell)) !== key(before.get(cell))));
}

const key = (edges: ReadonlySet<string> = new Set()): string => [...edges].sort().join();

/** By cell: mode and place in the cell of each edge that has hours. */
function edgesByCell(
  hours: readonly EdgeHours[],
  cellFirstEdge: Uint32Array,
): ReadonlyMap<number, ReadonlySet<string>> {
  const byCell = new Map<number, Set<string>>();
  for (const { edges } of hours)
    for (const [mode, ofMode] of edges.entries()) {
      // Both ascend.
      let cell = 0;
      for (const edge of ofMode) {
        while (cellFirstEdge[cell + 1] <= edge) cell++;
        const known = byCell.get(cell) ?? new Set();
        byCell.set(cell, known.add(`${mode} ${edge - cellFirstEdge[cell]}`));
      }
    }
  return byCell;
}
