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
      ...buildSnapIndex(columns),
      edgesByWay: orderByWay(columns.wayId),
    },
  };
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
