import type { Scratch } from '#map-data/arrays/scratch.js';
import { type TurnRules, TurnTabulator } from '#map-data/tiles/turn-tables.js';
import type { NetworkArrays } from '#routing-engine/network/network-arrays.js';
import { travelModes } from '#routing-engine/network/travel-mode.js';
import type { CompleteRoads } from './complete-roads.js';

/** Turn tables of those cells of the map that were requested. */
export interface CellTurns extends Pick<NetworkArrays, 'turnTable' | 'turnCostsDs'> {
  /** By requested cell: bytes of its tables. */
  readonly bytes: ReadonlyMap<number, number>;
  readonly tabulator: TurnTabulator;
}

export function tabulateCells(
  { arrays, nodeFlags, forbidden }: CompleteRoads,
  rules: TurnRules,
  cells: Iterable<number>,
  scratch: Scratch,
): CellTurns {
  const tabulator = new TurnTabulator(rules);
  const nodeCount = arrays.nodeLngE7.length;
  const turnTable = scratch.uint32('turnTable', travelModes.length * nodeCount).fill(0);
  const tables: Uint8Array[] = [];
  const bytes = new Map<number, number>();
  let placed = 0;
  for (const cell of cells) {
    const firstNode = arrays.cellFirstNode[cell];
    const endNode = arrays.cellFirstNode[cell + 1];
    const crossings = {
      firstNode,
      endNode,
      nodeFlags: nodeFlags.subarray(firstNode, endNode),
      forbidden: forbidden[cell],
    };
    const own = tabulator.tabulate(arrays, crossings, (mode, node, start) => {
      turnTable[mode * nodeCount + node] = placed + start;
    });
    tables.push(own.slice());
    bytes.set(cell, own.length);
    placed += own.length;
  }
  return { turnTable, turnCostsDs: Buffer.concat(tables), bytes, tabulator };
}
