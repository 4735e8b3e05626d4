import { joinEnds } from './join-ends.js';
import { type BoxedRing, boxOf, doubleArea, type Ring, ringWithin } from './ring-geometry.js';

/** A way as a member of a multipolygon. */
export interface MemberLine {
  readonly lngLatE7: Int32Array;
  /** Ids of the first and the last node. */
  readonly ends: readonly [number, number];
  readonly inner: boolean;
}

export interface AssembledPolygons {
  /** Each is its outer ring and then its holes. */
  readonly polygons: Ring[][];
  /** Lines that do not close to a ring, rings without an area, holes without an outer ring. */
  readonly broken: number;
}

/**
 * Joins the members of a multipolygon to rings and determines the holes by the number of rings around each
 * ring, because roles are often missing or wrong. Broken rings are skipped and counted: the border of an
 * extract cuts many relations, and the remaining rings are still useful.
 */
export function assemblePolygons(members: readonly MemberLine[]): AssembledPolygons {
  const { rings, broken } = joinRings(members);
  const sorted = rings.toSorted((a, b) => b.area - a.area);
  const polygons = new Map<number, Ring[]>();
  const parents: number[] = [];
  const depths: number[] = [];
  let lost = broken;
  sorted.forEach((ring, index) => {
    let parent = -1;
    // The smallest ring around it is the last of the preceding ones.
    for (let i = index - 1; i >= 0 && parent < 0; i--) if (ringWithin(ring, sorted[i]!)) parent = i;
    parents[index] = parent;
    depths[index] = parent < 0 ? 0 : depths[parent]! + 1;
    if (depths[index]! % 2 === 0) {
      // A hole without its outer ring would be drawn as land.
      if (ring.inner && parent < 0) lost++;
      else polygons.set(index, [ring.ring]);
    } else if (polygons.has(parent)) polygons.get(parent)!.push(ring.ring);
    else lost++;
  });
  return { polygons: [...polygons.values()], broken: lost };
}

interface JoinedRing extends BoxedRing {
  readonly area: number;
  readonly inner: boolean;
}

function joinRings(members: readonly MemberLine[]): { rings: JoinedRing[]; broken: number } {
  const rings: JoinedRing[] = [];
  let broken = 0;
  for (const { parts, closed } of joinEnds(members)) {
    const ring = closed
      ? concatenated(parts.map(({ index, backwards }) => ({ line: members[index]!.lngLatE7, backwards })))
      : undefined;
    const inner = parts.every(({ index }) => members[index]!.inner);
    const area = ring === undefined ? 0 : Math.abs(doubleArea(ring));
    if (ring === undefined || area === 0) broken++;
    else rings.push({ ring, area, inner, box: boxOf(ring) });
  }
  return { rings, broken };
}

function concatenated(
  chain: readonly { readonly line: Int32Array; readonly backwards: boolean }[],
): Ring | undefined {
  const total = chain.reduce((sum, { line }) => sum + line.length - 2, 2);
  if (total < 8) return undefined;
  const ring = new Int32Array(total);
  let at = 0;
  for (const { line, backwards } of chain) {
    // Every piece without its last point, which is the first point of the next.
    const points = line.length / 2;
    for (let i = 0; i < points - 1; i++) {
      const from = 2 * (backwards ? points - 1 - i : i);
      ring[at++] = line[from]!;
      ring[at++] = line[from + 1]!;
    }
  }
  ring[at] = ring[0]!;
  ring[at + 1] = ring[1]!;
  return ring;
}
