import type { OsmMember, Tags } from '#schemas/osm-sink.js';

type Place = readonly [lngE7: number, latE7: number];
type Places = ReadonlyMap<number, Place>;

interface RawArea {
  readonly tags: Tags;
  readonly ways: readonly number[];
}

/** Points of a line that are looked at. */
const SAMPLES = 64;
/** 1e-7 degrees, half a decimetre: a line along an outline is drawn on it. */
const ON_OUTLINE_E7 = 5;

/**
 * Squares, platforms and piers as areas, read a second time for the legality check:
 * https://wiki.openstreetmap.org/wiki/Key:area and https://wiki.openstreetmap.org/wiki/Relation:multipolygon.
 */
export class RawAreas {
  readonly #refs = new Map<number, readonly number[]>();
  readonly #areasOf = new Map<number, RawArea[]>();

  way(id: number, refs: readonly number[], tags: Tags): void {
    this.#refs.set(id, refs);
    if (tags.get('area') === 'yes' && refs[0] === refs.at(-1)) this.#add({ tags, ways: [id] });
  }

  relation(members: readonly OsmMember[], tags: Tags): void {
    if (tags.get('type') !== 'multipolygon') return;
    this.#add({ tags, ways: members.filter(({ type }) => type === 'way').map(({ id }) => id) });
  }

  #add(area: RawArea): void {
    if (!['highway', 'railway', 'public_transport', 'man_made'].some((key) => area.tags.has(key))) return;
    for (const way of area.ways) this.#areasOf.set(way, [...(this.#areasOf.get(way) ?? []), area]);
  }

  /** The ways around areas, with the nodes of all outlines of theirs. */
  outlines(): (readonly [way: number, nodes: readonly number[]])[] {
    return Array.from(this.#areasOf.keys(), (way) => [way, this.nodesAround(way)] as const);
  }

  nodesAround(way: number): number[] {
    return (this.#areasOf.get(way) ?? []).flatMap(({ ways }) =>
      ways.flatMap((each) => this.#refs.get(each) ?? []),
    );
  }

  tagsOf(way: number): Tags | undefined {
    return this.#areasOf.get(way)?.[0]?.tags;
  }

  /**
   * The tags of an area with this way as an outline in which the straight line between two of its nodes lies;
   * undefined if there is none.
   */
  crossed(places: Places, way: number, from: number, to: number): Tags | undefined {
    return this.#areasOf.get(way)?.find(({ ways }) => {
      const outlines = ways.map((each) => this.#refs.get(each) ?? []);
      const nodes = new Set(outlines.flat());
      const [p, q] = [places.get(from), places.get(to)];
      if (p === undefined || q === undefined || !nodes.has(from) || !nodes.has(to)) return false;
      const sides = outlines.flatMap((refs) =>
        refs.slice(1).map((ref, at) => [places.get(refs[at]!), places.get(ref)] as const),
      );
      if (sides.some((side) => side.includes(undefined))) return false;
      return Array.from({ length: SAMPLES }, (_, at) => (at + 0.5) / SAMPLES).every((share) =>
        isWithin(sides as (readonly [Place, Place])[], [
          p[0] + (q[0] - p[0]) * share,
          p[1] + (q[1] - p[1]) * share,
        ]),
      );
    })?.tags;
  }
}

/** An odd number of outlines lies to the right of the point, or one leads over it. */
function isWithin(sides: readonly (readonly [Place, Place])[], [x, y]: Place): boolean {
  let isOdd = false;
  for (const [[ax, ay], [bx, by]] of sides) {
    if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) isOdd = !isOdd;
    const square = (bx - ax) ** 2 + (by - ay) ** 2;
    const along = square === 0 ? 0 : ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / square;
    const nearest = Math.max(0, Math.min(1, along));
    const away = Math.hypot(ax + nearest * (bx - ax) - x, ay + nearest * (by - ay) - y);
    if (away <= ON_OUTLINE_E7) return true;
  }
  return isOdd;
}
