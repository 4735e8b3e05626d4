import { readConditional } from '#osm/profiles/conditional.js';
import type { Profile } from '#osm/profiles/profile.js';
import { profiles } from '#osm/profiles/profiles.js';
import type { Tags } from '#schemas/osm-sink.js';

/** The restriction of a relation for some modes, such as `no_left_turn`. Bits of `modes`: 1 << mode. */
export interface RestrictionKind {
  readonly kind: string;
  readonly modes: number;
}

/** The restriction of a relation for each mode; https://wiki.openstreetmap.org/wiki/Relation:restriction. */
export function restrictionKinds(tags: Tags): RestrictionKind[] {
  const except = (tags.get('except') ?? '').split(';').map((value) => value.trim());
  const modesOf = new Map<string, number>();
  for (const [mode, profile] of profiles.entries()) {
    if (profile.restrictedAs.some((vehicle) => except.includes(vehicle))) continue;
    const kind = kindFor(tags, profile);
    // `no_right_turn_on_red` is a rule for a red light: the turn is allowed at other times.
    if (kind !== undefined && /^(no|only)_/.test(kind) && !kind.endsWith('_on_red'))
      modesOf.set(kind, (modesOf.get(kind) ?? 0) | (1 << mode));
  }
  return [...modesOf].map(([kind, modes]) => ({ kind, modes }));
}

function kindFor(tags: Tags, { restrictedAs, restrictionsBind }: Profile): string | undefined {
  for (const vehicle of restrictedAs) {
    const own = valueAt(tags, `restriction:${vehicle}`);
    if (own !== undefined) return own;
  }
  // `type=restriction:bus` is a restriction for buses.
  const type = tags.get('type') ?? '';
  if (type === 'restriction' ? !restrictionsBind : !restrictedAs.includes(type.slice('restriction:'.length)))
    return undefined;
  return valueAt(tags, 'restriction');
}

/** A turn that is forbidden at some hours is never taken: a route is legal at any hour. */
function valueAt(tags: Tags, key: string): string | undefined {
  const clause = readConditional(tags.get(`${key}:conditional`)).find(({ holds }) => holds !== 'other');
  return tags.get(key) ?? clause?.value;
}
