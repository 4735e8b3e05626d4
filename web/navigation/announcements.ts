import { distanceText } from '../format/format.js';
import type { Units } from '../state/state.js';
import { plainInstruction } from '../steps/instructions.js';
import type { NextManeuver } from './guidance.js';
import * as messages from './messages.js';

/** What was said last: of which maneuver, and whether it was said just before it. */
export interface Said {
  readonly at: number;
  readonly near: boolean;
}

/** Seconds before a maneuver: time to change lanes, and time to turn. */
const earlyS = 25;
const nearS = 6;
/** For slow travel, when seconds would be a step away. */
const nearMMin = 40;

/**
 * What to say now, and what is then the last thing said; null to be silent. Each maneuver is spoken twice:
 * early with its distance, and just before it.
 */
export function announcement(
  next: NextManeuver,
  speedMps: number,
  units: Units,
  last: Said | null,
): { readonly text: string; readonly said: Said } | null {
  const instruction =
    next.step === undefined ? messages.arriveSoon : plainInstruction(next.step.html_instructions);
  const told = last?.at === next.at ? last : null;
  if (next.inM <= Math.max(nearMMin, nearS * speedMps)) {
    if (told?.near) return null;
    return { text: `${instruction}.${after(next)}`, said: { at: next.at, near: true } };
  }
  if (told !== null || next.inM > earlyS * Math.max(speedMps, 5)) return null;
  return {
    text: `${messages.inDistance(distanceText(next.inM, units))} ${instruction}.`,
    said: { at: next.at, near: false },
  };
}

/** The sentence about the maneuver that follows soon, with a space before it. */
function after({ afterwards }: NextManeuver): string {
  if (afterwards === undefined) return '';
  if (afterwards === 'arrival') return ` ${messages.thenArrive}`;
  return ` ${messages.thenDo(plainInstruction(afterwards.html_instructions))}`;
}
