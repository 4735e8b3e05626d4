import { writeFileSync } from 'node:fs';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { ChangeSet } from './change-set.js';
import type { RawMap } from './raw-map.js';
import { stepsOf } from './raw-steps.js';

/**
 * Writes the changes in the format of OSRM: two consecutive OpenStreetMap nodes, and km/h. Returns the number
 * of lines.
 */
export function writeSpeedFile(file: string, map: RawMap, network: RoadNetwork, changes: ChangeSet): number {
  const lines: string[] = [];
  for (const [edge, kph] of changes)
    for (const { from, to } of stepsOf(map, network.edgeId(edge)) ?? []) lines.push(`${from},${to},${kph}\n`);
  writeFileSync(file, lines.join(''));
  return lines.length;
}
