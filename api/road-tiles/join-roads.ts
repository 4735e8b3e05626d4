import type { RoadLine } from './road-line.js';

type Point = RoadLine['coordinates'][number];

const placeKey = ([lng, lat]: Point): string => `${lng},${lat}`;
const lookKey = (road: RoadLine): string => `${road.class}\n${road.name}\n${road.ref}\n${road.oneway}`;

/** The texts of places take longer to make than everything else here, so each is made once. */
interface Piece {
  readonly road: RoadLine;
  readonly start: string;
  readonly end: string;
}
const pieceOf = (road: RoadLine): Piece => ({
  road,
  start: placeKey(road.coordinates[0]!),
  end: placeKey(road.coordinates.at(-1)!),
});

function grouped<Item>(items: Iterable<Item>, keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** Removes pieces from `byStart` as long as one starts where the last one ends. */
function* chainFrom(first: Piece, byStart: Map<string, Piece[]>): Iterable<RoadLine> {
  let piece: Piece | undefined = first;
  while (piece !== undefined) {
    yield piece.road;
    piece = byStart.get(piece.end)?.pop();
  }
}

function join(roads: readonly RoadLine[]): RoadLine[] {
  const pieces = roads.map(pieceOf);
  const ends = new Set(pieces.map(({ end }) => end));
  const byStart = grouped(pieces, ({ start }) => start);
  const joined: RoadLine[] = [];
  const drain = (start: string) => {
    const waiting = byStart.get(start)!;
    for (let first = waiting.pop(); first !== undefined; first = waiting.pop()) {
      const chain = [...chainFrom(first, byStart)];
      const coordinates = chain.flatMap((road, index) => road.coordinates.slice(index === 0 ? 0 : 1));
      joined.push({ ...first.road, coordinates });
    }
  };
  // First roads without a predecessor, so that chains start at their first road; the rest are rings.
  for (const start of byStart.keys()) if (!ends.has(start)) drain(start);
  for (const start of byStart.keys()) drain(start);
  return joined;
}

/**
 * Joins consecutive pieces of the same style into long lines. A map cuts roads at every crossing; at a low
 * zoom, where each piece is smaller than a pixel, simplification would remove all of them.
 */
export const joinRoads = (roads: Iterable<RoadLine>): RoadLine[] =>
  [...grouped(roads, lookKey).values()].flatMap(join);
