import { isMotorized, type TravelMode } from '#routing-engine/network/travel-mode.js';
import type { Tags } from '#schemas/osm-sink.js';
import { saidByLimits } from './legal-limits.js';

/**
 * The meaning of tags for a mode, from https://wiki.openstreetmap.org, for the route checker and without code
 * of the builder.
 */

/** Which conditions hold at the time of the route. Without it a route must be legal at all hours. */
export type Holds = (condition: string) => boolean;

/**
 * The times to be looked at: the one that is asked, or one for each condition and one at which none holds.
 */
function timesFor(tags: Tags, holds: Holds | undefined): readonly Holds[] {
  if (holds !== undefined) return [holds];
  const conditions = [...tags].flatMap(([key, value]) =>
    key.endsWith(':conditional') ? clausesOf(value).map(({ condition }) => condition) : [],
  );
  return [() => false, ...conditions.map((one) => (condition: string) => condition === one)];
}

const vehicleKeys: Readonly<Record<TravelMode, readonly string[]>> = {
  driving: ['motorcar', 'motor_vehicle', 'vehicle'],
  bicycling: ['bicycle', 'vehicle'],
  walking: ['foot'],
  truck: ['hgv', 'motor_vehicle', 'vehicle'],
};

export interface Said {
  readonly said: 'yes' | 'private' | 'no' | undefined;
  /** By a key of the mode, not by `access`. */
  readonly named: boolean;
}

const strictness = [undefined, 'yes', 'private', 'no'] as const;

/** Key:access, Conditional_restrictions. The strictest of all hours. */
export function access(tags: Tags, mode: TravelMode, forward: boolean, holds?: Holds): Said {
  const found = timesFor(tags, holds)
    .map((time) => accessAt(tags, mode, forward, time))
    .reduce((one, other) => (strictness.indexOf(other.said) > strictness.indexOf(one.said) ? other : one));
  const limit = saidByLimits(tags, mode, forward);
  return strictness.indexOf(limit) > strictness.indexOf(found.said) ? { ...found, said: limit } : found;
}

function accessAt(tags: Tags, mode: TravelMode, forward: boolean, holds: Holds): Said {
  let sometimesClosed = false;
  for (const key of [...vehicleKeys[mode], 'access']) {
    const directed = `${key}:${forward ? 'forward' : 'backward'}`;
    const clauses = [key, directed].flatMap((name) => clausesOf(tags.get(`${name}:conditional`)));
    const isStrict = ({ value }: { value: string }): boolean =>
      /^(no|private)$/.test(sayOf(value, mode) ?? '');
    if (clauses.some((clause) => clause.when === 'unread' && isStrict(clause))) sometimesClosed = true;
    const now = clauses.findLast(({ when, condition }) => when === 'hours' && holds(condition))?.value;
    const permanent = clauses.findLast(({ when }) => when === 'always')?.value;
    const said = [now, permanent, tags.get(directed), tags.get(key)]
      .map((value) => sayOf(value, mode))
      .find((each) => each !== undefined);
    if (said !== undefined)
      return { said: said === 'yes' && sometimesClosed ? 'private' : said, named: key !== 'access' };
  }
  return { said: sometimesClosed ? 'private' : undefined, named: false };
}

function sayOf(value: string | undefined, mode: TravelMode): Said['said'] {
  if (value === undefined) return undefined;
  const values = value.split(/\s*;\s*/);
  if (values.includes(vehicleKeys[mode][0]!)) return 'yes';
  const any = (pattern: RegExp): boolean => values.some((each) => pattern.test(each));
  if (any(/^(yes|permissive|designated|official|public)$/)) return 'yes';
  if (any(/^(private|destination|delivery|customers?|permit|residents)$/)) return 'private';
  const others =
    /^(no|agricultural|forestry|emergency|emergency_vehicle|military|psv|bus|minibus|taxi|share_taxi|foot|hov|restricted|dismount|use_sidepath)$/;
  if (any(others)) return 'no';
  return undefined;
}

interface Clause {
  readonly value: string;
  readonly condition: string;
  readonly when: 'always' | 'hours' | 'unread';
}

/**
 * `value @ (condition); …`. Rules for other vehicles, other people, bad weather or one named year do not
 * count.
 */
function clausesOf(text: string | undefined): Clause[] {
  const found: Clause[] = [];
  for (const part of text?.split(/;(?![^(]*\))/) ?? []) {
    const [value, condition] = part.split('@').map((each) => each.trim().replace(/^\((.*)\)$/, '$1'));
    if (value === undefined || condition === undefined) continue;
    if (/^(24\/7|always|permanent)$/.test(condition)) found.push({ value, condition, when: 'always' });
    else if (
      /[<>=]|\b\d{4}\b(?!:)|wet|snow|\bice\b|hgv|bus|destination|delivery|residents|permit/.test(condition)
    )
      continue;
    else
      found.push({ value, condition, when: /\b(sun|dusk|dawn|school)/.test(condition) ? 'unread' : 'hours' });
  }
  return found;
}

/**
 * OSM_tags_for_routing/Access_restrictions: the classes that are open to a mode unless a tag says otherwise.
 */
const forCars =
  /^((motorway|trunk|primary|secondary|tertiary)(_link)?|unclassified|road|residential|living_street|service)$/;
const roadsOf: Readonly<Record<TravelMode, RegExp>> = {
  driving: forCars,
  truck: forCars,
  bicycling:
    /^((trunk|primary|secondary|tertiary)(_link)?|unclassified|road|residential|living_street|service|cycleway|track|path)$/,
  walking:
    /^((primary|secondary|tertiary)(_link)?|unclassified|road|residential|living_street|service|cycleway|track|path|footway|pedestrian|bridleway|steps|corridor|platform)$/,
};

/** The same page, where countries differ; those of the extracts that tests read. */
const roadsByCountry: Readonly<
  Record<string, Partial<Record<TravelMode, { readonly open?: RegExp; readonly closed?: RegExp }>>>
> = {
  AT: { bicycling: { closed: /^(trunk(_link)?|path)$/ }, walking: { closed: /^(cycleway|bridleway)$/ } },
  DE: { walking: { closed: /^(cycleway|bridleway)$/ } },
  FI: { bicycling: { open: /^pedestrian$/ }, walking: { closed: /^bridleway$/ } },
  FR: {
    bicycling: { open: /^pedestrian$/, closed: /^trunk/ },
    walking: { closed: /^(cycleway|bridleway)$/ },
  },
  IT: { bicycling: { open: /^pedestrian$/ }, walking: { closed: /^(cycleway|bridleway)$/ } },
  NO: { bicycling: { open: /^(pedestrian|footway)$/ }, walking: { closed: /^bridleway$/ } },
  SE: { bicycling: { open: /^pedestrian$/ } },
};

export const wayIsOpen = (
  tags: Tags,
  mode: TravelMode,
  forward: boolean,
  holds?: Holds,
  country?: string,
): boolean => timesFor(tags, holds).every((time) => wayIsOpenAt(tags, mode, forward, time, country ?? ''));

function wayIsOpenAt(tags: Tags, mode: TravelMode, forward: boolean, holds: Holds, country: string): boolean {
  const highway = tags.get('highway');
  const { said, named } = accessAt(tags, mode, forward, holds);
  const permitted = (said === 'yes' || said === 'private') && named;
  const isWalkedOn =
    tags.get('man_made') === 'pier' ||
    [tags.get('railway'), tags.get('public_transport')].includes('platform');
  if (highway === undefined && isWalkedOn) return (mode === 'walking' && said !== 'no') || permitted;
  if (highway === undefined) {
    if (!/^(ferry|shuttle_train)$/.test(tags.get('route') ?? '')) return false;
    // A ferry tagged for walkers and cyclists carries no cars unless its tags allow them. A train does.
    const isOpen = tags.get('route') === 'shuttle_train' || !(tags.has('foot') || tags.has('bicycle'));
    return !isMotorized(mode) || permitted || (isOpen && said !== 'no');
  }
  if (/^(construction|proposed|raceway|razed|abandoned|elevator|via_ferrata)$/.test(highway)) return false;
  if (tags.get('impassable') === 'yes') return false;
  if (!isMotorized(mode) && tags.get('motorroad') === 'yes') return permitted;
  if (mode === 'truck' && tags.get('goods') === 'no' && !permitted) return false;
  if (isMotorized(mode) && tags.get('construction') === 'yes') return false;
  if (mode !== 'walking') {
    if (highway === 'steps' || tags.get('area') === 'yes') return false;
    if (tags.get('service') === 'emergency_access' || tags.get('smoothness') === 'impassable') return false;
  }
  if (isMotorized(mode) && (tags.get('hov') === 'designated' || tags.get('smoothness') === 'very_horrible'))
    return false;
  const pavement = ['sidewalk', 'sidewalk:both', 'sidewalk:left', 'sidewalk:right'].some((key) =>
    /^(yes|both|left|right)$/.test(tags.get(key) ?? ''),
  );
  if (mode === 'walking' && /^(trunk|motorway)/.test(highway) && pavement) return true;
  const hasLane = ['cycleway', 'cycleway:both', 'cycleway:left', 'cycleway:right'].some((key) =>
    /^((opposite_)?(lane|track|share_busway)|opposite|shared|shared_lane|sharrow)$/.test(tags.get(key) ?? ''),
  );
  const { open, closed } = roadsByCountry[country]?.[mode] ?? {};
  const isUsual =
    (roadsOf[mode].test(highway) && closed?.test(highway) !== true) || open?.test(highway) === true;
  // Key:segregated is for ways that walkers and cyclists share.
  const isShared = mode === 'walking' && highway === 'cycleway' && tags.has('segregated');
  return isUsual || permitted || isShared || (mode === 'bicycling' && hasLane);
}

/** Key:oneway, Key:conveying. */
export const directionIsOpen = (tags: Tags, mode: TravelMode, forward: boolean, holds?: Holds): boolean =>
  timesFor(tags, holds).every((time) => directionIsOpenAt(tags, mode, forward, time));

function directionIsOpenAt(tags: Tags, mode: TravelMode, forward: boolean, holds: Holds): boolean {
  const key = vehicleKeys[mode]
    .map((each) => `oneway:${each}`)
    .find((each) => tags.has(each) || tags.has(`${each}:conditional`));
  if (key !== undefined) return leaves(tags, key, forward, holds);
  if (mode === 'walking') {
    const moving = tags.get('conveying');
    if (moving === 'forward') return forward;
    return moving === 'backward' ? !forward : true;
  }
  const contraflow = ['', ':left', ':right', ':both'].some((side) =>
    tags.get(`cycleway${side}`)?.startsWith('opposite'),
  );
  if (mode === 'bicycling' && contraflow) return true;
  const oneway = tags.get('oneway');
  if ((oneway !== undefined && oneway !== 'alternating') || tags.has('oneway:conditional'))
    return leaves(tags, 'oneway', forward, holds);
  const ring = /^(roundabout|circular)$/.test(tags.get('junction') ?? '');
  return forward || !(ring || tags.get('highway') === 'motorway');
}

/** Whether a one-way key leaves the direction open, now and at hours that cannot be read. */
function leaves(tags: Tags, key: string, forward: boolean, holds: Holds): boolean {
  const clauses = clausesOf(tags.get(`${key}:conditional`));
  const now = clauses.findLast(({ when, condition }) => when === 'hours' && holds(condition))?.value;
  const usual = clauses.findLast(({ when }) => when === 'always')?.value ?? tags.get(key) ?? 'no';
  const said = [now ?? usual, ...clauses.filter(({ when }) => when === 'unread').map(({ value }) => value)];
  return said.every((value) => {
    if (value === 'reversible') return false;
    if (value === '-1' || value === 'reverse') return !forward;
    return forward || !/^(yes|true|1)$/.test(value);
  });
}

/**
 * Tag:bicycle=dismount: whoever may ride at no hour gets off and walks, unless a sign closes the way to
 * bicycles. Not against the traffic of a ring or motorway, on an escalator, in a building, or on a bridleway
 * that no sign opens to walkers.
 */
export function travelsAs(
  tags: Tags,
  mode: TravelMode,
  forward: boolean,
  holds?: Holds,
  country = '',
): TravelMode {
  if (mode !== 'bicycling') return mode;
  const goes = (as: TravelMode): boolean =>
    timesFor(tags, undefined).some(
      (time) =>
        accessAt(tags, as, forward, time).said !== 'no' &&
        wayIsOpenAt(tags, as, forward, time, country) &&
        directionIsOpenAt(tags, as, forward, time),
    );
  if (goes('bicycling') || !goes('walking')) return mode;
  const highway = tags.get('highway') ?? tags.get('route') ?? '';
  const [ride, walk] = [access(tags, 'bicycling', forward, holds), access(tags, 'walking', forward, holds)];
  const gotOff = [tags.get('bicycle'), tags.get(`bicycle:${forward ? 'forward' : 'backward'}`)];
  const signed = ride.said === 'no' && !gotOff.includes('dismount') && (ride.named || !walk.named);
  const ring = /^(roundabout|circular)$/.test(tags.get('junction') ?? '') || highway.startsWith('motorway');
  const unfit =
    /^(corridor|ferry|shuttle_train)$/.test(highway) ||
    tags.has('conveying') ||
    (highway === 'bridleway' && walk.said !== 'yes');
  return signed || unfit || (ring && !forward) ? mode : 'walking';
}

/** For whom a move is: a sign for bicycles or vehicles counts for pushed ones too. */
export function accessOfMove(
  tags: Tags,
  mode: TravelMode,
  forward: boolean,
  holds?: Holds,
  country?: string,
): Said {
  const as = travelsAs(tags, mode, forward, holds, country);
  const own = access(tags, mode, forward, holds);
  return as !== mode && own.named && own.said !== 'no' ? own : access(tags, as, forward, holds);
}

/** Key:barrier. */
export function barrierStops(tags: Tags, mode: TravelMode): boolean {
  const barrier = tags.get('barrier');
  if (barrier === undefined) return false;
  const { said } = access(tags, mode, true);
  if (said === 'yes') return false;
  if (said === 'private') return [...tags.keys()].some((key) => key.endsWith(':conditional'));
  if (said === 'no' || tags.get('locked') === 'yes') return true;
  if (barrier === 'fence' && /^audi(o|ble)$/.test(tags.get('sensory') ?? '')) return false;
  if (barrier === 'height_restrictor' && mode === 'truck' && !/\d/.test(tags.get('maxheight') ?? ''))
    return true;
  if (/^(wall|retaining_wall|city_wall|guard_rail|fence|hedge|debris|tank_trap)$/.test(barrier)) return true;
  if (mode === 'walking') return false;
  if (mode === 'bicycling')
    return /^(stile|(full-height_)?turnstile|kissing_gate|jersey_barrier|log)$/.test(barrier);
  if (barrier === 'kerb')
    return !/^(lowered|flush|no)$/.test(tags.get('kerb') ?? '') && tags.get('highway') !== 'crossing';
  const open =
    /^(cattle_grid|border_control|toll_booth|sally_port|(lift_|swing_)?gate|entrance|height_restrictor|arch|no)$/;
  return !open.test(barrier) && tags.get('bollard') !== 'rising';
}

/** A gate that only visitors pass; `named`: by a key of the mode. */
export function privateGate(tags: Tags, mode: TravelMode): { readonly named: boolean } | undefined {
  if (!tags.has('barrier') || barrierStops(tags, mode)) return undefined;
  const { said, named } = access(tags, mode, true);
  return said === 'private' ? { named } : undefined;
}

/** Relation:restriction: `no_left_turn` and the like when the relation binds the mode. */
export function restrictionKind(tags: Tags, mode: TravelMode, holds?: Holds): string | undefined {
  const free = (tags.get('except') ?? '').split(/\s*;\s*/);
  if (vehicleKeys[mode].some((key) => free.includes(key))) return undefined;
  const binding = ({ when, condition }: Clause): boolean => when !== 'hours' || (holds?.(condition) ?? true);
  const clauses = (key: string): Clause[] => clausesOf(tags.get(`${key}:conditional`));
  const read = (key: string): string | undefined => tags.get(key) ?? clauses(key).find(binding)?.value;
  const states = (key: string): boolean => tags.has(key) || clauses(key).length > 0;
  const [, vehicle] = (tags.get('type') ?? '').split(':');
  const general = vehicle === undefined ? mode !== 'walking' : vehicleKeys[mode].includes(vehicle);
  const own = vehicleKeys[mode].map((key) => `restriction:${key}`).find(states);
  const kind = own !== undefined ? read(own) : general ? read('restriction') : undefined;
  // A rule for a red light forbids no turn.
  return /^(no|only)_(?!.*_on_red$)/.test(kind ?? '') ? kind : undefined;
}
