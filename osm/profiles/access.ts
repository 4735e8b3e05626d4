import type { Tags } from '#schemas/osm-sink.js';
import { readConditional } from './conditional.js';
import type { Profile } from './profile.js';

type Right = 'open' | 'endsOnly' | 'closed';

/** The meaning of the access tags of a road or barrier for a mode. */
export interface Access {
  /** `endsOnly`: private, destination …, or closed at some hours; undefined: no tag applies. */
  readonly right: Right | undefined;
  /** The tag is for the mode or its kind of vehicle. */
  readonly byName: boolean;
}

const meaning: Readonly<Record<string, Right>> = {
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
  customer: 'endsOnly',
  permit: 'endsOnly',
  residents: 'endsOnly',
  no: 'closed',
  agricultural: 'closed',
  forestry: 'closed',
  emergency: 'closed',
  military: 'closed',
  emergency_vehicle: 'closed',
  psv: 'closed',
  bus: 'closed',
  minibus: 'closed',
  taxi: 'closed',
  share_taxi: 'closed',
  foot: 'closed',
  hov: 'closed',
  restricted: 'closed',
};

/**
 * In a list such as `agricultural;destination`, each value admits its own users: the most permissive one
 * counts.
 */
function meaningOf(text: string | undefined, { accessKeys: [own] }: Profile): Right | undefined {
  if (text === undefined) return undefined;
  // `access=foot` admits those who walk.
  const one = (value: string): Right | undefined => (value === own ? 'open' : meaning[value]);
  if (!text.includes(';')) return one(text);
  const rights = text.split(';').map((value) => one(value.trim()));
  return (['open', 'endsOnly', 'closed'] as const).find((right) => rights.includes(right));
}

/**
 * The value of the most specific access tag; with a direction, its `:forward` and `:backward` forms go first.
 * A route must be legal at any hour: a road that is closed at some hours is only for travellers who begin or
 * end there, and a road that is open at some hours counts as closed.
 */
export function accessOf(tags: Tags, profile: Profile, direction?: 'forward' | 'backward'): Access {
  let closedAtTimes = false;
  for (const key of profile.accessKeys) {
    let said =
      (direction === undefined ? undefined : meaningOf(tags.get(`${key}:${direction}`), profile)) ??
      meaningOf(tags.get(key), profile);
    for (const name of direction === undefined ? [key] : [key, `${key}:${direction}`])
      for (const { value, holds } of readConditional(tags.get(`${name}:conditional`))) {
        const right = meaningOf(value, profile);
        if (holds === 'always') said = right ?? said;
        else if (holds === 'times' && right !== undefined && right !== 'open') closedAtTimes = true;
      }
    if (said === undefined) continue;
    return { right: said === 'open' && closedAtTimes ? 'endsOnly' : said, byName: key !== 'access' };
  }
  return { right: closedAtTimes ? 'endsOnly' : undefined, byName: false };
}

/** Whether the mode can pass the node; a private gate stops through traffic and visitors alike. */
export function passesNode(tags: Tags, profile: Profile): boolean {
  const barrier = tags.get('barrier');
  if (barrier === undefined) return true;
  const { right } = accessOf(tags, profile);
  if (right === 'open') return true;
  if (right === 'closed' || right === 'endsOnly' || tags.get('locked') === 'yes') return false;
  if (barrier === 'bollard' && tags.get('bollard') === 'rising') return true;
  if (barrier === 'kerb' && (isFlat(tags.get('kerb')) || tags.get('highway') === 'crossing')) return true;
  // A fence of sounds.
  if (barrier === 'fence' && /^audi(o|ble)$/.test(tags.get('sensory') ?? '')) return true;
  if (profile.stoppedBy.includes(barrier)) return false;
  return profile.passesBarriers === 'all' || profile.passesBarriers.includes(barrier);
}

const isFlat = (kerb: string | undefined): boolean => kerb === 'lowered' || kerb === 'flush' || kerb === 'no';
