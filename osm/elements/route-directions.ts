import { isRoadRoute } from './osm-extract.js';
import type { TaggedRelation } from './tagged-elements.js';

const compass = new Set(['north', 'east', 'south', 'west']);
const divider = '\t';

/** A numbered route over a way, with the direction that its signs say. */
export interface SignedRoute {
  /** `US:I`, `US:CO` and the like; may be empty. */
  readonly network: string;
  readonly ref: string;
  /** Along the drawn direction of the way, against it, or the only one in which it is driven. */
  readonly sense: 'forward' | 'backward' | '';
  readonly direction: string;
}

/**
 * By way the directions of its numbered routes, in the form that `signedRoutes` reads: `I 80` runs west
 * where a relation says so by its tag `direction`, by the role of the way, or by a relation that it belongs
 * to. Where they say different things, none counts.
 *
 * https://wiki.openstreetmap.org/wiki/Relation:route#Members
 */
export function routeDirections(relations: readonly TaggedRelation[]): ReadonlyMap<number, string> {
  const routes = relations.filter(({ tags }) => isRoadRoute(tags));
  const ofParent = new Map<number, string[]>();
  for (const { tags, members } of routes)
    for (const { type, id, role } of members)
      if (type === 'relation') add(ofParent, id, said([tags.get('direction'), role]));
  const found = new Map<number, string[]>();
  for (const { id, tags, members } of routes) {
    const ref = tags.get('ref') ?? '';
    if (ref === '') continue;
    const above = ofParent.get(id) ?? [];
    const network = tags.get('network') ?? '';
    for (const { type, id: way, role } of members) {
      if (type !== 'way') continue;
      const direction = said([tags.get('direction'), role, ...above]);
      if (direction === '') continue;
      const sense = role === 'forward' || role === 'backward' ? role : '';
      add(found, way, [network, ref, sense, direction].join(divider));
    }
  }
  return new Map(Array.from(found, ([way, lines]) => [way, [...new Set(lines)].sort().join('\n')]));
}

/** The one point of the compass among some words; empty for none, and for several. */
function said(words: readonly (string | undefined)[]): string {
  const points = new Set(words.filter((word) => word !== undefined && compass.has(word)));
  return points.size === 1 ? [...points][0]! : '';
}

function add(lists: Map<number, string[]>, id: number, text: string): void {
  if (text === '') return;
  const list = lists.get(id);
  if (list === undefined) lists.set(id, [text]);
  else list.push(text);
}

/** What `routeDirections` says of a way. */
export const signedRoutes = (text: string): SignedRoute[] =>
  text === ''
    ? []
    : text.split('\n').map((line) => {
        const [network = '', ref = '', sense = '', direction = ''] = line.split(divider);
        return { network, ref, sense: sense as SignedRoute['sense'], direction };
      });
