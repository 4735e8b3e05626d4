import { travelModes } from '#routing-engine/travel-mode.js';
import type { TaggedWay } from '../osm/map-elements.js';
import type { RulesReader } from '../profiles/rules-reader.js';

/** A way that is a road or a ferry, with two points or more. */
export interface Road {
  readonly way: TaggedWay;
  /** Folded words of its name; empty where it has none. */
  readonly name: string;
  /** The same of what can be part of a street; empty for a ferry. */
  readonly streetName: string;
  /** Bit m: mode m may go along the way as it is drawn; bit 3 + m: against it. */
  readonly modes: number;
  /** Among the ways of the index that is being made; -1 where no mode may use it. */
  index: number;
}

/** Numbers the roads that any mode may use, and answers with the ids of their ways, which ascend as the roads do. */
export function numberRoads(roads: readonly Road[]): Float64Array {
  const wayId = new Float64Array(roads.length);
  let count = 0;
  for (const road of roads) {
    road.index = road.modes === 0 ? -1 : count;
    if (road.modes !== 0) wayId[count++] = road.way.id;
  }
  return wayId.subarray(0, count);
}

export function modesOf(reader: RulesReader, { tags }: TaggedWay): number {
  // A ferry's speed needs its length; whom it takes does not.
  const rules = reader.read(tags, 1);
  if (rules === undefined) return 0;
  let bits = 0;
  for (let mode = 0; mode < travelModes.length; mode++) {
    if (rules.forwardKph[mode] > 0) bits |= 1 << mode;
    if (rules.backwardKph[mode] > 0) bits |= 8 << mode;
  }
  return bits;
}
