import type { AcceptedRoad } from '#map-data/accepted-roads/accepted-roads.js';
import { nodeIndex, type OsmExtract } from '#osm/elements/osm-extract.js';
import { readWay } from '#osm/profiles/read-way.js';
import { metersPerDegree, metersPerLngDegree } from '#routing-engine/network/earth.js';

/** 1e-7 degrees. */
export interface Place {
  readonly lngE7: number;
  readonly latE7: number;
}

/** A straight piece of a road between two of its nodes. */
export interface Segment {
  /** Node ids at its ends. */
  readonly ids: readonly [number, number];
  readonly places: readonly [Place, Place];
  /** Index into `refs` of the first node. */
  readonly ref: number;
}

/** Side of the squares of the road index, 1e-7 degrees: about a kilometre. */
const squareE7 = 100_000;

/**
 * [roads] the driven segments of the extract that lie within `rimM` of each road's box; the extract is read
 * once.
 */
export function nearSegments(
  extract: OsmExtract,
  roads: readonly AcceptedRoad[],
  rimM: number,
): readonly (readonly Segment[])[] {
  const { refs, firstRef, wayTags } = extract;
  const boxes = roads.map((road) => boxOf(road, rimM));
  const bySquare = new Map<string, number[]>();
  for (const [i, box] of boxes.entries())
    for (const square of squaresOf(box)) bySquare.set(square, [...(bySquare.get(square) ?? []), i]);
  const found: Segment[][] = roads.map(() => []);
  if (roads.length === 0) return found;
  for (let way = 0; way < wayTags.length; way++) {
    let isDriven: boolean | undefined;
    let before = placeOf(extract, refs[firstRef[way]!]!);
    for (let ref = firstRef[way]!; ref + 1 < firstRef[way + 1]!; ref++) {
      const after = placeOf(extract, refs[ref + 1]!);
      if (before !== undefined && after !== undefined) {
        const places = [before, after] as const;
        const box = boxAround(places);
        for (const road of new Set([...squaresOf(box)].flatMap((square) => bySquare.get(square) ?? []))) {
          if (!overlap(box, boxes[road]!)) continue;
          isDriven ??= readWay(wayTags[way]!, 0)?.forwardKph.some((kph) => kph > 0) ?? false;
          if (isDriven) found[road]!.push({ ids: [refs[ref]!, refs[ref + 1]!], places, ref });
        }
      }
      before = after;
    }
  }
  return found;
}

export interface Nearest {
  readonly segment: Segment;
  readonly place: Place;
  /** From the segment's first end to its second, 0 to 1. */
  readonly share: number;
  readonly apartM: number;
}

/** The nearest place of the segments, however far; undefined without segments. */
export function nearestOf(segments: readonly Segment[], at: Place): Nearest | undefined {
  const perLat = metersPerDegree / 1e7;
  const perLng = metersPerLngDegree(at.latE7 / 1e7) / 1e7;
  let best: Nearest | undefined;
  for (const segment of segments) {
    const [a, b] = segment.places;
    const [x, y] = [(b.lngE7 - a.lngE7) * perLng, (b.latE7 - a.latE7) * perLat];
    const [u, v] = [(at.lngE7 - a.lngE7) * perLng, (at.latE7 - a.latE7) * perLat];
    const square = x * x + y * y;
    const share = square === 0 ? 0 : Math.min(1, Math.max(0, (u * x + v * y) / square));
    const apartM = Math.hypot(u - share * x, v - share * y);
    if (best !== undefined && apartM >= best.apartM) continue;
    const place = {
      lngE7: Math.round(a.lngE7 + share * (b.lngE7 - a.lngE7)),
      latE7: Math.round(a.latE7 + share * (b.latE7 - a.latE7)),
    };
    best = { segment, place, share, apartM };
  }
  return best;
}

function placeOf(extract: OsmExtract, id: number): Place | undefined {
  const node = nodeIndex(extract, id);
  return node < 0 ? undefined : { lngE7: extract.nodeLngE7[node]!, latE7: extract.nodeLatE7[node]! };
}

interface Box {
  readonly west: number;
  readonly east: number;
  readonly south: number;
  readonly north: number;
}

function boxAround(places: readonly Place[]): Box {
  const [lngs, lats] = [places.map(({ lngE7 }) => lngE7), places.map(({ latE7 }) => latE7)];
  return {
    ...{ west: Math.min(...lngs), east: Math.max(...lngs) },
    ...{ south: Math.min(...lats), north: Math.max(...lats) },
  };
}

function boxOf({ lngE7, latE7 }: AcceptedRoad, rimM: number): Box {
  const { west, east, south, north } = boxAround(lngE7.map((lng, i) => ({ lngE7: lng, latE7: latE7[i]! })));
  const rimLat = (rimM * 1e7) / metersPerDegree;
  const rimLng = (rimM * 1e7) / metersPerLngDegree(latE7[0]! / 1e7);
  return { west: west - rimLng, east: east + rimLng, south: south - rimLat, north: north + rimLat };
}

const overlap = (a: Box, b: Box): boolean =>
  a.east >= b.west && a.west <= b.east && a.north >= b.south && a.south <= b.north;

function* squaresOf({ west, east, south, north }: Box): Iterable<string> {
  for (let x = Math.floor(west / squareE7); x <= Math.floor(east / squareE7); x++)
    for (let y = Math.floor(south / squareE7); y <= Math.floor(north / squareE7); y++) yield `${x}:${y}`;
}
