import type { HoursRule } from '#routing-engine/network/hours-rule.js';
import type { Tags } from '#schemas/osm-sink.js';
import { readConditional } from './conditional.js';
import type { Profile } from './profile.js';

export interface Directions {
  readonly forward: boolean;
  readonly backward: boolean;
  /** A direction that is open at some hours only. */
  readonly forwardHours?: HoursRule;
  readonly backwardHours?: HoursRule;
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
  // `alternating` states no direction: one lane serves both for minutes each, and one waits.
  // Lanes that change direction by the hour: no route uses them without knowing the hour.
  reversible: neither,
};

/** Escalators and moving walkways; https://wiki.openstreetmap.org/wiki/Key:conveying. */
const conveying: Readonly<Record<string, Directions>> = {
  forward: along,
  backward: against,
  // Which way it runs is not known, or changes: one can walk on it.
  yes: both,
  reversible: both,
};

/** The directions of a way that its one-way tags permit to the mode. */
export function directionsOf(tags: Tags, profile: Profile): Directions {
  for (const key of profile.onewayKeys) {
    const own = onewayAt(tags, key);
    if (own !== undefined) return own;
  }
  if (!profile.onewayBinds) return both;
  if (profile.cyclewayOpposite)
    for (const key of ['cycleway', 'cycleway:left', 'cycleway:right', 'cycleway:both'])
      if (tags.get(key)?.startsWith('opposite') === true) return both;
  const oneway = onewayAt(tags, 'oneway');
  if (oneway !== undefined) return oneway;
  const junction = tags.get('junction');
  if (junction === 'roundabout' || junction === 'circular') return along;
  return tags.get('highway') === 'motorway' ? along : both;
}

/**
 * At hours that the tag does not state in a form that can be read, a street that may be one-way is one-way.
 */
function onewayAt(tags: Tags, key: string): Directions | undefined {
  const meaning = key === 'conveying' ? conveying : stated;
  let usual = meaning[tags.get(key) ?? ''];
  const atHours: (Directions & { readonly hours: string })[] = [];
  const always: Directions[] = [];
  for (const { value, holds, hours } of readConditional(tags.get(`${key}:conditional`))) {
    const then = meaning[value];
    if (then === undefined || holds === 'other') continue;
    if (holds === 'always') usual = then;
    else if (holds === 'hours') atHours.push({ ...then, hours });
    else always.push(then);
  }
  if (atHours.length === 0 && always.length === 0) return usual;
  const ruleOf = (direction: 'forward' | 'backward'): HoursRule => ({
    shut: !(usual ?? both)[direction],
    clauses: atHours.map((each) => ({ shut: !each[direction], hours: each.hours })),
  });
  const [forwardHours, backwardHours] = [ruleOf('forward'), ruleOf('backward')];
  return {
    forward: mayOpen(forwardHours) && always.every(({ forward }) => forward),
    backward: mayOpen(backwardHours) && always.every(({ backward }) => backward),
    ...(mayShut(forwardHours) ? { forwardHours } : {}),
    ...(mayShut(backwardHours) ? { backwardHours } : {}),
  };
}

const mayOpen = ({ shut, clauses }: HoursRule): boolean => !shut || clauses.some((each) => !each.shut);
const mayShut = ({ shut, clauses }: HoursRule): boolean => shut || clauses.some((each) => each.shut);
