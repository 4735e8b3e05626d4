import { countryAt } from '#osm/countries/country-at.js';
import type { TaggedWay } from '#osm/elements/map-elements.js';
import type { RulesReader } from '#osm/profiles/rules-reader.js';
import { indexedModes } from '../../index/indexed-modes.js';

/** A way that is a road or a ferry, with two points or more. */
export interface Road {
  readonly way: TaggedWay;
  /** Folded words of its name; empty if it has none. */
  readonly name: string;
  /** The same if it can be part of a street; empty for a ferry. */
  readonly streetName: string;
  /** Bit m: mode m may use the way in its drawn direction; bit 3 + m: against it. */
  readonly modes: number;
  /** Its slot as long as it exists. */
  readonly slot: number;
}

export function modesOf(reader: RulesReader, { tags, lngLatE7 }: TaggedWay): number {
  const country = countryAt(lngLatE7.at(-2)!, lngLatE7.at(-1)!);
  // A ferry's speed depends on its length; its permitted modes do not.
  const rules = reader.read(tags, 1, country);
  if (rules === undefined) return 0;
  let bits = 0;
  for (let mode = 0; mode < indexedModes.length; mode++) {
    if (rules.forwardKph[mode] > 0) bits |= 1 << mode;
    if (rules.backwardKph[mode] > 0) bits |= 8 << mode;
  }
  return bits;
}
