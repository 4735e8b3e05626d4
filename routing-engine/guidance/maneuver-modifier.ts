import type { ManeuverModifier } from './maneuver.js';

export function modifierOf(angle: number): ManeuverModifier {
  const size = Math.abs(angle);
  if (size < 20) return 'straight';
  const side = angle > 0 ? 'right' : 'left';
  if (size < 60) return `slight ${side}`;
  if (size < 125) return side;
  return size < 172 ? `sharp ${side}` : 'uturn';
}

/** The side of the other road that a nearly straight one lies on. */
export const besideOf = (angle: number, other: number): ManeuverModifier =>
  angle < other ? 'slight left' : 'slight right';
