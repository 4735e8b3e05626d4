import type { OsmMember, Tags } from '#schemas/osm-sink.js';
import type { TaggedRelation } from './tagged-elements.js';

/** Words for what drivers do that relations may state. */
const maneuvers = new Set(['turn', 'continue', 'merge', 'fork', 'uturn', 'suppress']);
const directions = new Set([
  ...['left', 'slight_left', 'sharp_left', 'right', 'slight_right', 'sharp_right'],
  ...['straight', 'through', 'uturn', 'reverse'],
]);
/** More ways than between two instructions that belong together. */
const viaWaysMax = 20;
/** More than leave one road. */
const perWayMax = 50;

/** In the spellings that maps have. */
export const isManeuver = (tags: Tags): boolean => /^man(oeuvre|euver|euvre)$/.test(tags.get('type') ?? '');

/**
 * By way the instructions that relations state for those who come from it: lines of node, ways between
 * (joined by `.`), way, maneuver and direction, divided by tabs. A relation with other members or words than
 * these has no effect.
 *
 * https://wiki.openstreetmap.org/wiki/Relation:manoeuvre
 */
export function statedManeuvers(relations: readonly TaggedRelation[]): ReadonlyMap<number, string> {
  const found = new Map<number, string[]>();
  for (const { tags, members } of relations) {
    if (!isManeuver(tags)) continue;
    const maneuver = tags.get('manoeuvre') ?? tags.get('maneuver') ?? tags.get('maneuvre') ?? '';
    const direction = tags.get('direction') ?? '';
    const [from, to] = [idsOf(members, 'way', 'from'), idsOf(members, 'way', 'to')];
    const [nodes, ways] = [idsOf(members, 'node', 'via'), idsOf(members, 'way', 'via')];
    const isWhole = from.length === 1 && to.length === 1 && nodes.length === 1 && ways.length <= viaWaysMax;
    if (!isWhole || !maneuvers.has(maneuver) || (direction !== '' && !directions.has(direction))) continue;
    const line = [nodes[0], ways.join('.'), to[0], maneuver, direction].join('\t');
    const lines = found.get(from[0]!);
    if (lines === undefined) found.set(from[0]!, [line]);
    else if (lines.length < perWayMax) lines.push(line);
  }
  return new Map(Array.from(found, ([way, lines]) => [way, lines.join('\n')]));
}

const idsOf = (members: readonly OsmMember[], type: OsmMember['type'], role: string): number[] =>
  members.filter((member) => member.type === type && member.role === role).map(({ id }) => id);
