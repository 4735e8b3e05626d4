import { readConditional } from '#osm/profiles/conditional.js';
import type { Profile } from '#osm/profiles/profile.js';
import { profiles } from '#osm/profiles/profiles.js';
import type { HoursRule } from '#routing-engine/network/hours-rule.js';
import type { Tags } from '#schemas/osm-sink.js';

/** The restriction of a relation for some modes, such as `no_left_turn`. Bits of `modes`: 1 << mode. */
export interface RestrictionKind {
  readonly kind: string;
  readonly modes: number;
  /** It applies while this rule shuts; absent: always. */
  readonly hours?: HoursRule;
}

/** The restrictions of a relation for each mode; https://wiki.openstreetmap.org/wiki/Relation:restriction. */
export function restrictionKinds(tags: Tags): RestrictionKind[] {
  const except = (tags.get('except') ?? '').split(';').map((value) => value.trim());
  const found = new Map<string, RestrictionKind>();
  for (const [mode, profile] of profiles.entries()) {
    if (profile.restrictedAs.some((vehicle) => except.includes(vehicle))) continue;
    for (const each of kindsFor(tags, profile)) {
      // `no_right_turn_on_red` is a rule for a red light: the turn is allowed at other times.
      if (!/^(no|only)_/.test(each.kind) || each.kind.endsWith('_on_red')) continue;
      const key = JSON.stringify(each);
      found.set(key, { ...each, modes: (found.get(key)?.modes ?? 0) | (1 << mode) });
    }
  }
  return [...found.values()];
}

type KindAtHours = Omit<RestrictionKind, 'modes'>;

function kindsFor(tags: Tags, { restrictedAs, restrictionsBind }: Profile): KindAtHours[] {
  for (const vehicle of restrictedAs) {
    const own = kindsAt(tags, `restriction:${vehicle}`);
    if (own.length > 0) return own;
  }
  // `type=restriction:bus` is a restriction for buses.
  const type = tags.get('type') ?? '';
  if (type === 'restriction' ? !restrictionsBind : !restrictedAs.includes(type.slice('restriction:'.length)))
    return [];
  return kindsAt(tags, 'restriction');
}

/**
 * Of several values each binds at its hours. One that a condition replaces by another, or by `none`, binds
 * all the time, and so does one with hours that cannot be read.
 */
function kindsAt(tags: Tags, key: string): KindAtHours[] {
  const usual = tags.get(key);
  const kinds: KindAtHours[] = usual === undefined ? [] : [{ kind: usual }];
  for (const { value, holds, hours } of readConditional(tags.get(`${key}:conditional`)))
    if (holds === 'hours')
      kinds.push({ kind: value, hours: { shut: false, clauses: [{ shut: true, hours }] } });
    else if (holds !== 'other') kinds.push({ kind: value });
  return kinds;
}
