import type { NavStep } from '#schemas/http/nav.js';
import { headingDeg } from '../geometry/line.js';
import { decodePolyline } from '../geometry/polyline.js';

/**
 * The maneuver word of a step for its arrow. Where the server has no word, as where only the name of the road
 * changes, the bend of the line decides, so that a road that goes on to the right has such an arrow.
 */
export function turnWord(step: NavStep, before: NavStep | undefined): string {
  if (step.maneuver !== undefined) return step.maneuver;
  if (before === undefined) return 'straight';
  const [last, at] = decodePolyline(before.polyline.points).slice(-2);
  const [from, to] = decodePolyline(step.polyline.points);
  if (last === undefined || at === undefined || from === undefined || to === undefined) return 'straight';
  const bend = ((headingDeg(from, to) - headingDeg(last, at) + 540) % 360) - 180;
  const side = bend > 0 ? 'right' : 'left';
  const size = Math.abs(bend);
  if (size < 20) return 'straight';
  if (size < 45) return `turn-slight-${side}`;
  return size < 135 ? `turn-${side}` : `turn-sharp-${side}`;
}
