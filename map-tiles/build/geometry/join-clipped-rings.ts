import { signedArea } from './sea-ring.js';

/** [x, y, x, y, …] on the grid of a tile, y downward; the last point is the first. */
type GridRing = ArrayLike<number>;
type Point = readonly [x: number, y: number];
interface Step {
  readonly from: Point;
  readonly to: Point;
}

/**
 * The same area as rings that follow the edges of the tile only where the area ends there. Clipped rings run
 * along these edges, to and fro, and so do holes inside an outer ring: renderers that triangulate then cover
 * land with sea. Steps in opposite directions on the same piece of an edge cancel each other, and what
 * remains is joined again: outer rings clockwise on a screen, each followed by its holes.
 */
export function joinClippedRings(rings: readonly GridRing[], least: number, most: number): Int32Array[] {
  const steps: Step[] = [];
  const along = new Map<number, Step[]>([0, 1, 2, 3].map((edge) => [edge, []]));
  for (const ring of rings)
    for (let i = 0; i + 3 < ring.length; i += 2) {
      const [from, to]: [Point, Point] = [
        [ring[i]!, ring[i + 1]!],
        [ring[i + 2]!, ring[i + 3]!],
      ];
      const edge = edgeOf(from, to, least, most);
      if (edge !== undefined) along.get(edge)!.push({ from, to });
      else if (from[0] !== to[0] || from[1] !== to[1]) steps.push({ from, to });
    }
  for (const [edge, those] of along) steps.push(...cancelled(those, edge < 2 ? 1 : 0));
  const joined = joinedRings(steps).filter((ring) => signedArea(ring) !== 0);
  const holes = joined.filter((ring) => signedArea(ring) < 0);
  const outers = joined
    .filter((ring) => signedArea(ring) > 0)
    .map((ring) => ({ ring, holes: [] as Int32Array[] }));
  for (const hole of holes) outers.find(({ ring }) => holds(ring, hole))?.holes.push(hole);
  return outers.flatMap((outer) => [outer.ring, ...outer.holes]);
}

/** Left, right, top, bottom; undefined for a step inside the tile. */
function edgeOf(from: Point, to: Point, least: number, most: number): number | undefined {
  if (from[0] === to[0] && (from[0] === least || from[0] === most)) return from[0] === least ? 0 : 1;
  if (from[1] === to[1] && (from[1] === least || from[1] === most)) return from[1] === least ? 2 : 3;
  return undefined;
}

/** What remains of the steps on one edge; `axis` is the coordinate that changes along it. */
function cancelled(steps: readonly Step[], axis: 0 | 1): Step[] {
  const [first] = steps;
  if (first === undefined) return [];
  const changes = new Map<number, number>();
  const change = (at: number, by: number): void => void changes.set(at, (changes.get(at) ?? 0) + by);
  for (const { from, to } of steps) {
    change(from[axis], 1);
    change(to[axis], -1);
  }
  const point = (at: number): Point => (axis === 0 ? [at, first.from[1]] : [first.from[0], at]);
  const remaining: Step[] = [];
  let net = 0;
  let last = 0;
  for (const at of [...changes.keys()].sort((a, b) => a - b)) {
    for (let n = 0; n < Math.abs(net); n++)
      remaining.push(net > 0 ? { from: point(last), to: point(at) } : { from: point(at), to: point(last) });
    net += changes.get(at)!;
    last = at;
  }
  return remaining;
}

function joinedRings(steps: readonly Step[]): Int32Array[] {
  const keyOf = ([x, y]: Point): number => x * 2 ** 20 + y;
  const leaving = new Map<number, Step[]>();
  for (const step of steps) {
    const key = keyOf(step.from);
    const others = leaving.get(key);
    if (others === undefined) leaving.set(key, [step]);
    else others.push(step);
  }
  const rings: Int32Array[] = [];
  for (const start of steps) {
    let step = taken(leaving.get(keyOf(start.from))!, start);
    if (step === undefined) continue;
    const points = [...start.from, ...start.to];
    while (step.to[0] !== start.from[0] || step.to[1] !== start.from[1]) {
      const ways: Step[] = leaving.get(keyOf(step.to))!;
      step = taken(ways, rightmost(ways, step))!;
      points.push(...step.to);
    }
    rings.push(Int32Array.from(points));
  }
  return rings;
}

function taken(ways: Step[], step: Step): Step | undefined {
  const at = ways.indexOf(step);
  return at < 0 ? undefined : ways.splice(at, 1)[0];
}

/** The area is on the right: so rings that touch in a point stay apart. */
function rightmost(ways: readonly Step[], { from, to }: Step): Step {
  const turnOf = (way: Step): number => {
    const [ax, ay] = [to[0] - from[0], to[1] - from[1]];
    const [bx, by] = [way.to[0] - to[0], way.to[1] - to[1]];
    const turn = Math.atan2(ax * by - ay * bx, ax * bx + ay * by);
    return turn === Math.PI ? -Math.PI : turn;
  };
  return ways.reduce((best, way) => (turnOf(way) > turnOf(best) ? way : best));
}

/** Whether a hole is in the ring: by its middle between two points, which lies on no other ring. */
function holds(ring: Int32Array, hole: Int32Array): boolean {
  const x = (hole[0]! + hole[2]!) / 2;
  const y = (hole[1]! + hole[3]!) / 2;
  let inside = false;
  for (let i = 0; i + 3 < ring.length; i += 2) {
    const [ax, ay, bx, by] = [ring[i]!, ring[i + 1]!, ring[i + 2]!, ring[i + 3]!];
    if (ay > y !== by > y && x < ax + ((y - ay) * (bx - ax)) / (by - ay)) inside = !inside;
  }
  return inside;
}
