import { distanceM, metersPerDegree, metersPerLngDegree } from '#routing-engine/network/earth.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { Pair } from './pairs.js';

/** Speeds of some driving edges, by edge number. */
export type ChangeSet = ReadonlyMap<number, number>;

/** An incident slows roads within this distance. */
const INCIDENT_METERS = 1_000;

/**
 * A share (0–1) of all driving edges becomes slower. `random`: all over the map. `clustered`: all edges
 * around incidents; incidents are added until the share is reached.
 */
export function changeSet(
  network: RoadNetwork,
  share: number,
  pattern: 'clustered' | 'random',
  random: () => number,
): ChangeSet {
  const { speedKph, copyOf, tail, nodeLngE7, nodeLatE7 } = network.arrays;
  const drivable: number[] = [];
  for (let edge = 0; edge < network.edgeCount; edge++)
    if (speedKph[edge]! > 0 && copyOf[edge] === edge) drivable.push(edge);
  const wanted = Math.max(1, Math.round(drivable.length * share));
  const changes = new Map<number, number>();
  // At most four fifths of the usual speed and not the previous one: every route over it is slower.
  const change = (edge: number): void => {
    changes.set(edge, Math.max(1, Math.floor(speedKph[edge]! * (0.2 + 0.6 * random()))));
  };
  if (pattern === 'random') {
    for (let i = 0; i < wanted; i++) {
      const other = i + Math.floor(random() * (drivable.length - i));
      [drivable[i], drivable[other]] = [drivable[other]!, drivable[i]!];
      change(drivable[i]!);
    }
    return changes;
  }
  if (wanted === drivable.length) {
    for (const edge of drivable) change(edge);
    return changes;
  }
  while (changes.size < wanted) {
    const center = tail[drivable[Math.floor(random() * drivable.length)]!]!;
    const perLng = metersPerLngDegree(nodeLatE7[center]! / 1e7) / 1e7;
    const perLat = metersPerDegree / 1e7;
    for (const edge of drivable) {
      if (changes.size === wanted) break;
      const node = tail[edge]!;
      const meters = Math.hypot(
        (nodeLngE7[node]! - nodeLngE7[center]!) * perLng,
        (nodeLatE7[node]! - nodeLatE7[center]!) * perLat,
      );
      if (meters < INCIDENT_METERS && !changes.has(edge)) change(edge);
    }
  }
  return changes;
}

/** A trip along a straight section of one road, from a tenth to nine tenths of it. */
export interface StraightTrip {
  readonly pair: Pair;
  readonly meters: number;
  /** Its duration at the new speed. */
  readonly seconds: number;
}

/**
 * Trips along the longest straight sections of changed through roads: the first answers must show the change.
 */
export function tripsAlong(network: RoadNetwork, changes: ChangeSet, count: number): StraightTrip[] {
  const trips: StraightTrip[] = [];
  for (const [edge, kph] of changes) {
    // Engines agree on through roads, but not on service roads, ferries and private roads.
    if (network.arrays.speedKph[edge]! < 20 || network.arrays.zone[edge] !== 0) continue;
    if (network.edgeClass(edge) === 'ferry') continue;
    const line = network.edgeGeometry(edge);
    for (let i = 0; i + 3 < line.length; i += 2) {
      const [fromLng, fromLat, toLng, toLat] = [line[i]!, line[i + 1]!, line[i + 2]!, line[i + 3]!];
      const meters = 0.8 * distanceM(fromLng, fromLat, toLng, toLat);
      const lat = (share: number): number => fromLat + (toLat - fromLat) * share;
      const lng = (share: number): number => fromLng + (toLng - fromLng) * share;
      trips.push({
        pair: [lat(0.1), lng(0.1), lat(0.9), lng(0.9)],
        meters,
        seconds: (meters * 3.6) / kph,
      });
    }
  }
  return trips.sort((a, b) => b.meters - a.meters).slice(0, count);
}
