import type { TaggedWay } from '#osm/elements/map-elements.js';
import {
  type Box,
  type BoxedRing,
  boxOf,
  doubleArea,
  type Ring,
  ringWithin,
} from '#osm/polygons/ring-geometry.js';

export interface Sea {
  readonly polygons: readonly (readonly Ring[])[];
  /** Coasts that are not complete rings, and islands outside of any sea. */
  readonly broken: number;
}

export const coastsOf = (ways: readonly TaggedWay[]): TaggedWay[] => ways.filter(isCoast);
export const isCoast = ({ tags, lngLatE7 }: TaggedWay): boolean =>
  tags.get('natural') === 'coastline' && lngLatE7.length >= 4;

/**
 * The sea of an extract as polygons. OpenStreetMap has no sea, only coastlines with the water on their right;
 * where the extract's border cuts one, its ends are led to the nearest edge of `box` and joined along the
 * edge, the water on the right again. `box` holds all coasts.
 */
export function seaOf(coasts: readonly TaggedWay[], box: Box): Sea {
  const { rings, open } = joinCoasts(coasts);
  const islands = rings.filter((ring) => doubleArea(ring) > 0).map(boxed);
  const waters = rings.filter((ring) => doubleArea(ring) < 0).map(boxed);
  waters.push(...alongTheEdge(open, box).map(boxed));
  if (open.length === 0 && islands.length > 0) waters.push(boxed(edgeRing(box)));
  const polygons = waters
    .toSorted((a, b) => size(a) - size(b))
    .map((water) => ({ water, rings: [water.ring] }));
  let broken = 0;
  for (const island of islands) {
    const around = polygons.find(({ water }) => ringWithin(island, water));
    if (around === undefined) broken++;
    else around.rings.push(island.ring);
  }
  return { polygons: polygons.map(({ rings: all }) => all), broken };
}

const boxed = (ring: Ring): BoxedRing => ({ ring, box: boxOf(ring) });
const size = ({ ring }: BoxedRing): number => Math.abs(doubleArea(ring));

const edgeRing = ([west, south, east, north]: Box): Ring =>
  Int32Array.of(west, north, east, north, east, south, west, south, west, north);

function joinCoasts(coasts: readonly TaggedWay[]): { rings: Ring[]; open: number[][] } {
  const byStart = new Map<number, TaggedWay>();
  const ends = new Set<number>();
  for (const way of coasts) {
    byStart.set(way.ends[0], way);
    ends.add(way.ends[1]);
  }
  const rings: Ring[] = [];
  const open: number[][] = [];
  const drain = (start: number): void => {
    const first = byStart.get(start);
    if (first === undefined) return;
    const points: number[] = [];
    let last = start;
    for (let way: TaggedWay | undefined = first; way !== undefined; way = byStart.get(last)) {
      byStart.delete(last);
      points.push(...(points.length === 0 ? way.lngLatE7 : way.lngLatE7.subarray(2)));
      last = way.ends[1];
    }
    if (last === start && points.length >= 8) rings.push(Int32Array.from(points));
    else if (last !== start) open.push(points);
  };
  // First the coasts without a predecessor; the rest are rings.
  for (const start of [...byStart.keys()]) if (!ends.has(start)) drain(start);
  for (const start of [...byStart.keys()]) drain(start);
  return { rings, open };
}

interface EdgePoint {
  readonly x: number;
  readonly y: number;
  /** 0–4, clockwise from the north-west corner, one for each side. */
  readonly place: number;
}

function nearestOnEdge(x: number, y: number, [west, south, east, north]: Box): EdgePoint {
  const along = (from: number, to: number, value: number): number => (value - from) / Math.max(1, to - from);
  const sides: readonly (EdgePoint & { readonly distance: number })[] = [
    { x, y: north, place: along(west, east, x), distance: north - y },
    { x: east, y, place: 2 - along(south, north, y), distance: east - x },
    { x, y: south, place: 3 - along(west, east, x), distance: y - south },
    { x: west, y, place: 3 + along(south, north, y), distance: x - west },
  ];
  return sides.reduce((best, side) => (side.distance < best.distance ? side : best));
}

/** Rings of water: each coast, then clockwise along the edge to where the next coast begins. */
function alongTheEdge(open: readonly number[][], box: Box): Ring[] {
  const corners: readonly (readonly [number, number])[] = [
    [box[0], box[3]],
    [box[2], box[3]],
    [box[2], box[1]],
    [box[0], box[1]],
  ];
  const coasts = open.map((points) => ({
    points,
    start: nearestOnEdge(points[0]!, points[1]!, box),
    end: nearestOnEdge(points.at(-2)!, points.at(-1)!, box),
  }));
  const left = new Set(coasts);
  const rings: Ring[] = [];
  for (const first of coasts) {
    if (!left.has(first)) continue;
    const ring: number[] = [];
    for (
      let coast: (typeof coasts)[number] | undefined = first;
      coast !== undefined && left.delete(coast);
    ) {
      const { points, start, end } = coast;
      ring.push(start.x, start.y, ...points, end.x, end.y);
      const ahead = (place: number): number => (place - end.place + 4) % 4;
      // The coast's own start counts too and closes the ring.
      const candidates = [...left, first].toSorted((a, b) => ahead(a.start.place) - ahead(b.start.place));
      const next = candidates[0]!;
      const turns = corners
        .map((corner, place) => ({ corner, ahead: ahead(place) }))
        .filter((turn) => turn.ahead < ahead(next.start.place))
        .toSorted((a, b) => a.ahead - b.ahead);
      for (const { corner } of turns) ring.push(...corner);
      coast = next === first ? undefined : next;
    }
    ring.push(ring[0]!, ring[1]!);
    rings.push(Int32Array.from(ring));
  }
  return rings;
}
