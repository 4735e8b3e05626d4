import type { Tags } from '#schemas/osm-sink.js';
import { readConditional } from './conditional.js';
import type { Profile } from './profile.js';
import { type Right, rightOf } from './right.js';
import { readLimits } from './vehicle-limits.js';

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
      (direction === undefined ? undefined : rightOf(tags.get(`${key}:${direction}`), profile)) ??
      rightOf(tags.get(key), profile);
    const ofKey: typeof atHours = [];
    for (const name of direction === undefined ? [key] : [key, `${key}:${direction}`])
      for (const { value, holds, hours } of readConditional(tags.get(`${name}:conditional`))) {
        const then = rightOf(value, profile);
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
  const limits = readLimits(tags, profile);
  if (limits.right !== 'open') return false;
  const { right, atHours, unread } = accessOf(tags, profile);
  if (unread || atHours.some((each) => each.right !== 'open')) return false;
  if (right === 'open') return true;
  if (right !== undefined || tags.get('locked') === 'yes') return false;
  if (barrier === 'bollard' && tags.get('bollard') === 'rising') return true;
  if (barrier === 'kerb' && (isFlat(tags.get('kerb')) || tags.get('highway') === 'crossing')) return true;
  // A fence of sounds.
  if (barrier === 'fence' && /^audi(o|ble)$/.test(tags.get('sensory') ?? '')) return true;
  if (profile.stoppedBy.includes(barrier)) return false;
  // It stands there to stop trucks; how high it is, is a condition of the route.
  if (barrier === 'height_restrictor' && profile.vehicle?.isAsked === true)
    return limits.limits?.most.heightMm !== undefined;
  return profile.passesBarriers === 'all' || profile.passesBarriers.includes(barrier);
}

const isFlat = (kerb: string | undefined): boolean => kerb === 'lowered' || kerb === 'flush' || kerb === 'no';
