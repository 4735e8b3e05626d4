import { type AreaShape, isBetween, side } from './area-shape.js';

/**
 * Whether one vertex of an area sees another: the straight line between them stays inside, or runs along an
 * outline. False also where it passes one of `stops`, at which it consists of two lines. All tests are exact.
 */
export function sees(shape: AreaShape, stops: Uint8Array, p: number, q: number): boolean {
  const { x, y, after, pinched } = shape;
  if (x[p] === x[q] && y[p] === y[q]) return false;
  if (!leaves(shape, stops, p, q) || !leaves(shape, stops, q, p)) return false;
  const passed: number[] = [];
  for (let a = 0; a < x.length; a++) {
    const ofA = side(shape, p, q, a);
    const ofB = side(shape, p, q, after[a]);
    if ((ofA > 0 && ofB > 0) || (ofA < 0 && ofB < 0)) continue;
    if (ofA === 0 && isBetween(shape, p, q, a)) {
      if (stops[a] > 0 || pinched[a] === 1) return false;
      passed.push(a);
    }
    if (ofA === 0 || ofB === 0) continue;
    const ofP = side(shape, a, after[a], p);
    const ofQ = side(shape, a, after[a], q);
    if ((ofP > 0 && ofQ < 0) || (ofP < 0 && ofQ > 0)) return false;
  }
  // Between the vertices that it passes, the line crosses no outline: one point of each part decides.
  const along = (v: number): number => (x[v] - x[p]) * (x[q] - x[p]) + (y[v] - y[p]) * (y[q] - y[p]);
  const stations = [p, ...passed.sort((a, b) => along(a) - along(b)), q];
  return stations.slice(1).every((b, i) => isInside(shape, stations[i]!, b));
}

/**
 * A shortest path bends around a corner: the outlines at it are on one side of the line. At a place where
 * people enter the area, any line may begin.
 */
function leaves(shape: AreaShape, stops: Uint8Array, v: number, to: number): boolean {
  if (stops[v] === ENTRY) return true;
  const [one, other] = [side(shape, v, to, shape.before[v]), side(shape, v, to, shape.after[v])];
  return !((one > 0 && other < 0) || (one < 0 && other > 0));
}

/** Values of `stops`. */
export const ENTRY = 2;
export const BEND = 1;

/** Whether the middle between two vertices is inside of the area, or on an outline. */
function isInside({ x, y, after }: AreaShape, p: number, q: number): boolean {
  let inside = false;
  // Twice the distances, so that they are whole.
  const [mx, my] = [x[p] + x[q], y[p] + y[q]];
  for (let a = 0; a < x.length; a++) {
    const b = after[a];
    const [ax, ay] = [2 * x[a] - mx, 2 * y[a] - my];
    const [bx, by] = [2 * x[b] - mx, 2 * y[b] - my];
    const cross = ax * by - bx * ay;
    if (cross === 0 && ax * bx <= 0 && ay * by <= 0) return true;
    if (ay > 0 !== by > 0 && cross > 0 === by > ay) inside = !inside;
  }
  return inside;
}
