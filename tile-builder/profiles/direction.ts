import type { Tags } from '../osm/osm-sink.js';
import type { Profile } from './profile.js';

export interface Directions {
  readonly forward: boolean;
  readonly backward: boolean;
}

const both: Directions = { forward: true, backward: true };
const along: Directions = { forward: true, backward: false };
const against: Directions = { forward: false, backward: true };
const neither: Directions = { forward: false, backward: false };

const stated: Readonly<Record<string, Directions>> = {
  yes: along,
  '1': along,
  true: along,
  '-1': against,
  reverse: against,
  no: both,
  '0': both,
  false: both,
  // Lanes that change direction by the hour: nobody is sent there without knowing the hour.
  reversible: neither,
  alternating: neither,
};

/** The directions of a way that its one-way tags leave to the mode. */
export function directionsOf(tags: Tags, profile: Profile): Directions {
  for (const key of profile.onewayKeys) {
    const own = stated[tags.get(key) ?? ''];
    if (own !== undefined) return own;
  }
  if (!profile.onewayBinds) return both;
  if (profile.cyclewayOpposite)
    for (const key of ['cycleway', 'cycleway:left', 'cycleway:right', 'cycleway:both'])
      if (tags.get(key)?.startsWith('opposite') === true) return both;
  const oneway = stated[tags.get('oneway') ?? ''];
  if (oneway !== undefined) return oneway;
  const junction = tags.get('junction');
  if (junction === 'roundabout' || junction === 'circular') return along;
  return tags.get('highway') === 'motorway' ? along : both;
}
