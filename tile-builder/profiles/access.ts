import type { Tags } from '../osm/osm-sink.js';
import type { Profile } from './profile.js';

/** `open` by an explicit tag, `endsOnly` (private, destination …), `closed`, or undefined: nothing is said. */
export type Access = 'open' | 'endsOnly' | 'closed' | undefined;

const meaning: Readonly<Record<string, Exclude<Access, undefined>>> = {
  yes: 'open',
  permissive: 'open',
  designated: 'open',
  official: 'open',
  public: 'open',
  dismount: 'closed',
  use_sidepath: 'closed',
  private: 'endsOnly',
  destination: 'endsOnly',
  delivery: 'endsOnly',
  customers: 'endsOnly',
  permit: 'endsOnly',
  residents: 'endsOnly',
  no: 'closed',
  agricultural: 'closed',
  forestry: 'closed',
  emergency: 'closed',
  military: 'closed',
  psv: 'closed',
  bus: 'closed',
  hov: 'closed',
  restricted: 'closed',
};

/** What the most specific access tag says; with a direction, its `:forward` and `:backward` forms go first. */
export function accessOf(tags: Tags, profile: Profile, direction?: 'forward' | 'backward'): Access {
  for (const key of profile.accessKeys) {
    const directed = direction === undefined ? undefined : tags.get(`${key}:${direction}`);
    const access = meaning[directed ?? ''] ?? meaning[tags.get(key) ?? ''];
    if (access !== undefined) return access;
  }
  return undefined;
}

/** Whether the mode can pass the node; a private gate stops through traffic and visitors alike. */
export function passesNode(tags: Tags, profile: Profile): boolean {
  const barrier = tags.get('barrier');
  if (barrier === undefined) return true;
  const access = accessOf(tags, profile);
  if (access === 'open') return true;
  if (access !== undefined) return false;
  if (barrier === 'bollard' && tags.get('bollard') === 'rising') return true;
  if (profile.stoppedBy.includes(barrier)) return false;
  return profile.passesBarriers === 'all' || profile.passesBarriers.includes(barrier);
}
