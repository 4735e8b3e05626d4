import { distanceM } from '#routing-engine/network/earth.js';
import type { LatLng } from '#schemas/units.js';

/** A point follows the one before it in metres, and in seconds where times are known. */
const stepM = 15;
const stepS = 5;

/**
 * Indices of the points that remain of a noisy trace, as in OSRM: the first, the last, and each that is far
 * enough along the trace behind the last of these, in metres and in seconds.
 */
export function tidyTrace(points: readonly LatLng[], timesS: readonly number[] | undefined): number[] {
  const kept = [0];
  let [metres, seconds] = [0, 0];
  for (let i = 1; i + 1 < points.length; i++) {
    const [before, here] = [points[i - 1]!, points[i]!];
    metres += distanceM(before.lng, before.lat, here.lng, here.lat);
    if (timesS !== undefined) seconds += timesS[i]! - timesS[i - 1]!;
    if (metres < stepM || (timesS !== undefined && seconds < stepS)) continue;
    kept.push(i);
    [metres, seconds] = [0, 0];
  }
  return points.length > 1 ? [...kept, points.length - 1] : kept;
}
