import { lowerBound } from '#map-data/arrays/lower-bound.js';
import type { Tags } from '#schemas/osm-sink.js';
import { joinEnds } from '../polygons/join-ends.js';
import { isOpenRelation, isOpenWay, type OpenArea } from './osm-extract.js';
import type { PlacedWays } from './placed-ways.js';
import type { TaggedRelation } from './tagged-elements.js';

/**
 * The areas on which people may walk: closed ways with `area=yes`, and multipolygons. `roads` are the indices
 * of the ways of the extract. An area of which the map lacks a part is left out: its holes are not known.
 */
export function openAreas(
  ways: PlacedWays,
  tagsOf: (way: number) => Tags,
  roads: Uint32Array,
  relations: readonly TaggedRelation[],
): OpenArea[] {
  const drawn = relations.filter(({ tags }) => isOpenRelation(tags));
  const indexOf = indicesOf(ways, areaMembers(drawn));
  const areas: OpenArea[] = [];
  const outlines = new Set<number>();
  for (const relation of drawn) {
    const members = membersOf(relation).map((id) => indexOf.get(id) ?? -1);
    const outer = outersOf(relation);
    for (const id of outer) outlines.add(id);
    const way = indexOf.get(Math.min(...outer));
    if (way === undefined || members.includes(-1)) continue;
    const area = areaOf(ways, relation.tags, way, members);
    if (area !== undefined) areas.push({ ...area, waysBefore: lowerBound(roads, way + 1) });
  }
  for (const [at, way] of roads.entries()) {
    // The holes of a square are in its relation.
    if (!isOpenWay(tagsOf(way)) || outlines.has(ways.wayIds[way]!)) continue;
    const area = areaOf(ways, tagsOf(way), way, [way]);
    if (area !== undefined) areas.push({ ...area, waysBefore: at + 1 });
  }
  return areas.sort((a, b) => a.waysBefore - b.waysBefore || a.wayId - b.wayId);
}

/** The ways of which relations make areas to walk on. */
export const areaMembers = (relations: readonly TaggedRelation[]): ReadonlySet<number> =>
  new Set(relations.filter(({ tags }) => isOpenRelation(tags)).flatMap(membersOf));

const membersOf = ({ members }: TaggedRelation): number[] => [
  ...new Set(members.filter(({ type }) => type === 'way').map(({ id }) => id)),
];
const outersOf = ({ members }: TaggedRelation): number[] =>
  members.filter(({ type, role }) => type === 'way' && role !== 'inner').map(({ id }) => id);

function indicesOf({ wayIds }: PlacedWays, wanted: ReadonlySet<number>): Map<number, number> {
  const indexOf = new Map<number, number>();
  if (wanted.size > 0)
    for (let way = 0; way < wayIds.length; way++)
      if (wanted.has(wayIds[way]!)) indexOf.set(wayIds[way]!, way);
  return indexOf;
}

function areaOf(
  { wayIds, firstRef, refs, nodeOf }: PlacedWays,
  tags: Tags,
  way: number,
  members: readonly number[],
): Omit<OpenArea, 'waysBefore'> | undefined {
  const lines = members.map((member) => {
    const nodes = nodeOf.subarray(firstRef[member]!, firstRef[member + 1]!);
    const ends = [refs[firstRef[member]!]!, refs[firstRef[member + 1]! - 1]!] as const;
    return { nodes, ends };
  });
  if (lines.some(({ nodes }) => nodes.length < 2 || nodes.includes(-1))) return undefined;
  const rings: Int32Array[] = [];
  for (const { parts, closed } of joinEnds(lines)) {
    if (!closed) return undefined;
    const ring: number[] = [];
    for (const { index, backwards } of parts) {
      const { nodes } = lines[index]!;
      for (const node of backwards ? nodes.toReversed() : nodes) if (ring.at(-1) !== node) ring.push(node);
    }
    ring.pop();
    if (ring.length < 3) return undefined;
    rings.push(Int32Array.from(ring));
  }
  return { tags, wayId: wayIds[way]!, wayIds: members.map((member) => wayIds[member]!), rings };
}
