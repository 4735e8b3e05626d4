import type { Tags } from '#schemas/osm-sink.js';
import { readConditional } from './conditional.js';
import type { Profile } from './profile.js';

type Right = 'open' | 'endsOnly' | 'closed';

/** What the access tags of a road or barrier say for a mode. */
export interface Said {
  /** `endsOnly`: private, destination …; undefined: no tag applies. */
  readonly right: Right | undefined;
  /** The tag is for the mode or its kind of vehicle. */
  readonly byName: boolean;
}

/** The meaning of the access tags, and what they say instead at some hours: the last that holds decides. */
export interface Access extends Said {
  readonly atHours: readonly (Said & { readonly hours: string })[];
  /** It is restricted at times that the tags do not state in a form that can be read. */
  readonly unread: boolean;
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
 * A condition of a key applies before the key, and before all that are more general.
 */
export function accessOf(tags: Tags, profile: Profile, direction?: 'forward' | 'backward'): Access {
  const atHours: (Said & { readonly hours: string })[] = [];
  let unread = false;
  for (const key of profile.accessKeys) {
    const byName = key !== 'access';
    let right =
      (direction === undefined ? undefined : meaningOf(tags.get(`${key}:${direction}`), profile)) ??
      meaningOf(tags.get(key), profile);
    const ofKey: typeof atHours = [];
    for (const name of direction === undefined ? [key] : [key, `${key}:${direction}`])
      for (const { value, holds, hours } of readConditional(tags.get(`${name}:conditional`))) {
        const then = meaningOf(value, profile);
        if (then === undefined) continue;
        if (holds === 'always') right = then;
        else if (holds === 'hours') ofKey.push({ right: then, byName, hours });
        else if (holds === 'unread' && then !== 'open') unread = true;
      }
    atHours.unshift(...ofKey);
    if (right !== undefined) return { right, byName, atHours, unread };
  }
  return { right: undefined, byName: false, atHours, unread };
}

/**
 * Whether the mode can pass the node at any hour; `endsOnly`: those who begin or end there. `byName`: a tag
 * for the mode or its kind of vehicle says so.
 */
export function passageOf(tags: Tags, profile: Profile): { readonly right: Right; readonly byName: boolean } {
  const { right, byName, atHours, unread } = accessOf(tags, profile);
  if (tags.has('barrier') && right === 'endsOnly' && atHours.length === 0 && !unread)
    return { right, byName };
  return { right: passesNode(tags, profile) ? 'open' : 'closed', byName };
}

function passesNode(tags: Tags, profile: Profile): boolean {
  const barrier = tags.get('barrier');
  if (barrier === undefined) return true;
  const { right, atHours, unread } = accessOf(tags, profile);
  if (unread || atHours.some((each) => each.right !== 'open')) return false;
  if (right === 'open') return true;
  if (right !== undefined || tags.get('locked') === 'yes') return false;
  if (barrier === 'bollard' && tags.get('bollard') === 'rising') return true;
  if (barrier === 'kerb' && (isFlat(tags.get('kerb')) || tags.get('highway') === 'crossing')) return true;
  // A fence of sounds.
  if (barrier === 'fence' && /^audi(o|ble)$/.test(tags.get('sensory') ?? '')) return true;
  if (profile.stoppedBy.includes(barrier)) return false;
  return profile.passesBarriers === 'all' || profile.passesBarriers.includes(barrier);
}

const isFlat = (kerb: string | undefined): boolean => kerb === 'lowered' || kerb === 'flush' || kerb === 'no';
