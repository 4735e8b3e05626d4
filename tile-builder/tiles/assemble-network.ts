import { buildOverlay } from '#routing-engine/overlay/overlay-topology.js';
import type { SharedNetwork } from '#routing-engine/road-network.js';
import { buildSnapIndex } from '#routing-engine/snap-index.js';
import { travelModes } from '#routing-engine/travel-mode.js';
import { connectedParts } from './connected-parts.js';
import { decodeLabelTile, shareLabels } from './decode-label-tile.js';
import { decodeRoadTile, resolveReverse } from './decode-road-tile.js';
import { endsOnlyZones } from './ends-only-zones.js';
import type { TilesetManifest } from './manifest.js';
import {
  type NetworkUnderAssembly,
  sharedUint8,
  sharedUint16,
  sharedUint32,
  startAssembly,
} from './network-under-assembly.js';
import { tabulateTurns } from './turn-tables.js';

/** Typed arrays only: whatever else the assembly holds would be copied to every worker. */
type KeptColumns = Omit<NetworkUnderAssembly, 'names' | 'forbidden' | 'pieces' | 'shapes'>;

/** Joins the unpacked tiles of all cells into one network. Throws a RangeError when they do not fit together. */
export function assembleNetwork(
  manifest: TilesetManifest,
  roads: readonly Uint8Array[],
  labels: readonly Uint8Array[],
): SharedNetwork {
  const columns = startAssembly(manifest);
  for (const [cell, payload] of roads.entries()) decodeRoadTile(columns, cell, payload);
  resolveReverse(columns);
  for (const [cell, payload] of labels.entries()) decodeLabelTile(columns, cell, payload);
  shareLabels(columns);

  const cellAncestor = sharedUint32(manifest.ancestors.length * manifest.cells.length);
  for (const [level, row] of manifest.ancestors.entries())
    cellAncestor.set(row, level * manifest.cells.length);
  const cellCounts = [manifest.cells.length, ...manifest.ancestors.map((row) => Math.max(...row) + 1)];
  const kept = Object.fromEntries(
    Object.entries(columns).filter(([, column]) => ArrayBuffer.isView(column)),
  ) as unknown as KeptColumns;
  const turns = tabulateTurns(columns, manifest.turns, manifest.drivingSide);
  const zone = endsOnlyZones(columns, travelModes.length);
  return {
    meta: {
      tilesetId: manifest.tilesetId,
      bounds: manifest.bounds,
      cellCounts,
      drivingSide: manifest.drivingSide,
    },
    arrays: {
      ...kept,
      ...turns,
      zone,
      part: connectedParts(columns, turns, zone, travelModes.length),
      ...packNames(columns.names),
      cellAncestor,
      ...buildOverlay({ ...columns, cellAncestor }, cellCounts),
      ...cellFacts(columns, zone),
      ...buildSnapIndex(columns),
      edgesByWay: orderByWay(columns.wayId),
    },
  };
}

function cellFacts({ flags, tail, cellFirstNode, firstOut }: NetworkUnderAssembly, zone: Uint32Array) {
  const cells = cellFirstNode.length - 1;
  const cellFlags = sharedUint16(cells);
  const cellOfEdge = new Uint32Array(tail.length);
  for (let cell = 0; cell < cells; cell++)
    for (let edge = firstOut[cellFirstNode[cell]]; edge < firstOut[cellFirstNode[cell + 1]]; edge++) {
      cellFlags[cell] |= flags[edge];
      cellOfEdge[edge] = cell;
    }
  const cellsOfZone = new Map<number, Set<number>>();
  for (let row = 0; row < zone.length; row++) {
    if (zone[row] === 0) continue;
    const there = cellsOfZone.get(zone[row]);
    if (there === undefined) cellsOfZone.set(zone[row], new Set([cellOfEdge[row % tail.length]]));
    else there.add(cellOfEdge[row % tail.length]);
  }
  const pairs = [...cellsOfZone]
    .filter(([, there]) => there.size > 1)
    .flatMap(([number, there]) => [...there].map((cell) => [number, cell] as const))
    .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const zoneCells = sharedUint32(2 * pairs.length);
  zoneCells.set(pairs.flat());
  return { cellFlags, zoneCells, loaded: sharedUint8(cells).fill(1) };
}

function packNames(names: ReadonlyMap<string, number>): {
  firstNameByte: Uint32Array;
  nameBytes: Uint8Array;
} {
  const encoder = new TextEncoder();
  const encoded = [...names.keys()].map((name) => encoder.encode(name));
  const firstNameByte = sharedUint32(encoded.length + 1);
  for (const [i, bytes] of encoded.entries()) firstNameByte[i + 1] = firstNameByte[i] + bytes.length;
  const nameBytes = sharedUint8(firstNameByte[encoded.length]);
  for (const [i, bytes] of encoded.entries()) nameBytes.set(bytes, firstNameByte[i]);
  return { firstNameByte, nameBytes };
}

function orderByWay(wayId: Float64Array): Uint32Array {
  const order = sharedUint32(wayId.length);
  for (let edge = 0; edge < order.length; edge++) order[edge] = edge;
  return order.sort((a, b) => wayId[a] - wayId[b] || a - b);
}
