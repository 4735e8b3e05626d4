import type { RoadLine } from './road-line.js';

type Point = RoadLine['coordinates'][number];

const placeKey = ([lng, lat]: Point): string => `${lng},${lat}`;
const lookKey = (road: RoadLine): string => `${road.class}\n${road.name}\n${road.ref}\n${road.oneway}`;

function grouped(roads: Iterable<RoadLine>, key: (road: RoadLine) => string): Map<string, RoadLine[]> {
  const groups = new Map<string, RoadLine[]>();
  for (const road of roads) {
    const group = groups.get(key(road));
    if (group === undefined) groups.set(key(road), [road]);
    else group.push(road);
  }
  return groups;
}

/** Removes roads from `byStart` as long as one starts where the last one ends. */
function* chainFrom(first: RoadLine, byStart: Map<string, RoadLine[]>): Iterable<RoadLine> {
  let road: RoadLine | undefined = first;
  while (road !== undefined) {
    yield road;
    road = byStart.get(placeKey(road.coordinates.at(-1)!))?.pop();
  }
}

function join(roads: readonly RoadLine[]): RoadLine[] {
  const ends = new Set(roads.map(({ coordinates }) => placeKey(coordinates.at(-1)!)));
  const byStart = grouped(roads, ({ coordinates }) => placeKey(coordinates[0]!));
  const joined: RoadLine[] = [];
  const drain = (start: string) => {
    const waiting = byStart.get(start)!;
    for (let first = waiting.pop(); first !== undefined; first = waiting.pop()) {
      const chain = [...chainFrom(first, byStart)];
      const coordinates = chain.flatMap((road, index) => road.coordinates.slice(index === 0 ? 0 : 1));
      joined.push({ ...first, coordinates });
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
