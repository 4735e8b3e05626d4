import type { WayRules } from '#osm/profiles/read-way.js';
import { endsOnlyBit } from '#routing-engine/network/edge-flags.js';
import { travelModes } from '#routing-engine/network/travel-mode.js';

/** Bits of a gate by mode: private by a tag for the mode, or by `access` alone. */
export const gateBit = {
  byName: (mode: number): number => 1 << mode,
  general: (mode: number): number => 16 << mode,
};

interface Pieces {
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  /** Changed in place. */
  readonly reading: Uint32Array;
}

/**
 * A private gate makes the roads at it ends-only: visitors pass, others only where no public road leads. It
 * changes nothing where one of them is ends-only itself, as the gate of a private road. A gate that is
 * private by `access` does not hold those up for whom all roads there are open by a tag of their own. Returns
 * the readings with those that were added.
 */
export function closeByGates(
  pieces: Pieces,
  readings: readonly WayRules[],
  gates: Uint8Array,
): readonly WayRules[] {
  const { from, to, reading } = pieces;
  const atGates: number[] = [];
  const areas = new Map<number, number>();
  const unnamed = new Map<number, number>();
  for (let piece = 0; piece < from.length; piece++) {
    if ((gates[from[piece]] | gates[to[piece]]) === 0) continue;
    atGates.push(piece);
    const rules = readings[reading[piece]];
    for (const crossing of [from[piece], to[piece]]) {
      areas.set(crossing, (areas.get(crossing) ?? 0) | areaOf(rules));
      unnamed.set(crossing, (unnamed.get(crossing) ?? 0) | ~rules.named);
    }
  }
  const all = [...readings];
  const numbers = new Map<WayRules, number>();
  for (const piece of atGates) {
    const rules = readings[reading[piece]];
    let modes = 0;
    for (const crossing of [from[piece], to[piece]])
      for (const mode of travelModes.keys()) {
        if ((areas.get(crossing)! & (1 << mode)) !== 0) continue;
        const isHeld = (unnamed.get(crossing)! & (1 << mode)) !== 0;
        if (
          (gates[crossing] & gateBit.byName(mode)) !== 0 ||
          (isHeld && (gates[crossing] & gateBit.general(mode)) !== 0)
        )
          modes |= 1 << mode;
      }
    if (modes === 0) continue;
    const closed = endsOnly(rules, modes);
    let number = numbers.get(closed);
    if (number === undefined) {
      number = all.push(closed) - 1;
      numbers.set(closed, number);
    }
    reading[piece] = number;
  }
  return all;
}

/** By mode a bit: the road is ends-only in a direction. */
function areaOf({ forwardFlags, backwardFlags }: WayRules): number {
  let modes = 0;
  for (const mode of travelModes.keys())
    if (((forwardFlags | backwardFlags) & endsOnlyBit(mode)) !== 0) modes |= 1 << mode;
  return modes;
}

/** The same object each time, so that a build recognizes the roads of the one before. */
const known = new WeakMap<WayRules, Map<number, WayRules>>();

function endsOnly(rules: WayRules, modes: number): WayRules {
  const byModes = known.get(rules) ?? new Map<number, WayRules>();
  known.set(rules, byModes);
  let closed = byModes.get(modes);
  if (closed === undefined) {
    let bits = 0;
    for (const mode of travelModes.keys()) if ((modes & (1 << mode)) !== 0) bits |= endsOnlyBit(mode);
    closed = {
      ...rules,
      forwardFlags: rules.forwardFlags | bits,
      backwardFlags: rules.backwardFlags | bits,
    };
    byModes.set(modes, closed);
  }
  return closed;
}
