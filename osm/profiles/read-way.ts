import { edgeFlag, endsOnlyBit, roadClasses, tollBit } from '#routing-engine/network/edge-flags.js';
import type { HoursRule } from '#routing-engine/network/hours-rule.js';
import type { VehicleLimits } from '#routing-engine/network/vehicle.js';
import type { Tags } from '#schemas/osm-sink.js';
import { accessByCountry } from '../countries/access-by-country.js';
import type { Country } from '../countries/country-at.js';
import { isFerry, roadKind } from '../elements/osm-extract.js';
import { type Access, accessOf, type Said } from './access.js';
import { directionsOf } from './direction.js';
import type { Profile } from './profile.js';
import { profiles } from './profiles.js';
import { push } from './pushing.js';
import { parseDurationHours, roadKph } from './speed.js';
import { readLimits } from './vehicle-limits.js';
import { wayName } from './way-name.js';

export { wayName };

/** Which modes may use a way, and how fast. */
export interface WayRules {
  /** By mode; 0 if the mode may not use it. */
  readonly forwardKph: readonly number[];
  readonly backwardKph: readonly number[];
  /** Bits of `edgeFlag`, without the ones that depend on direction. */
  readonly forwardFlags: number;
  readonly backwardFlags: number;
  /** By mode: rules that shut the way at some hours, each alone. Absent if no mode has one. */
  readonly forwardHours?: readonly (readonly HoursRule[])[];
  readonly backwardHours?: readonly (readonly HoursRule[])[];
  /** For vehicles that each route states; absent if there are none. */
  readonly forwardLimits?: VehicleLimits;
  readonly backwardLimits?: VehicleLimits;
  readonly roadClass: number;
  /** By mode a bit: a tag for the mode or its kind of vehicle opens the way to anyone. */
  readonly named: number;
}

/** The common properties of all edges of a way. */
export interface WayReading extends WayRules {
  readonly name: string;
  readonly ref: string;
}

/** The builder's own tag of a line across an area; maps do not have it. */
export const acrossAreaKey = 'meridian:across_area';

const unpavedSurfaces = new Set([
  'unpaved',
  'compacted',
  'dirt',
  'earth',
  'fine_gravel',
  'grass',
  'grass_paver',
  'gravel',
  'ground',
  'mud',
  'pebblestone',
  'rock',
  'rocky',
  'sand',
  'woodchips',
  'clay',
]);

/**
 * Undefined when no mode may use the way in either direction. `lengthM` matters for ferries that state a
 * duration, the country for what no tag says.
 */
export function readWay(tags: Tags, lengthM: number, country?: Country): WayReading | undefined {
  const rules = readRules(tags, lengthM, country);
  return rules === undefined ? undefined : { ...rules, name: wayName(tags), ref: tags.get('ref') ?? '' };
}

export function readRules(tags: Tags, lengthM: number, country?: Country): WayRules | undefined {
  const ferry = isFerry(tags);
  const highway = ferry ? 'ferry' : (roadKind(tags) ?? '');
  const forward = closedWay();
  const backward = closedWay();
  let named = 0;
  for (const [mode, profile] of profiles.entries()) {
    if (profile.neverOn.includes(highway) || isBarred(tags, mode)) continue;
    const usual = isUsual(tags, profile, highway, country);
    const directions = directionsOf(tags, profile);
    for (const direction of ['forward', 'backward'] as const) {
      if (!directions[direction]) continue;
      const access = accessOf(tags, profile, direction);
      const { endsOnly, isOpen, hours } = openness(access, usual);
      const { right, limits } = readLimits(tags, profile, direction);
      if (!isOpen || right === 'closed') continue;
      if (access.right === 'open' && access.byName) named |= 1 << mode;
      const way = direction === 'forward' ? forward : backward;
      way.kph[mode] = ferry
        ? ferryKph(tags, lengthM, profile.ferryKph)
        : roadKph(tags, profile, direction, country);
      if (endsOnly || right === 'endsOnly') way.flags |= endsOnlyBit(mode);
      if (limits !== undefined) {
        way.limits = limits;
        way.flags |= edgeFlag.limited;
      }
      const ofDirection = directions[`${direction}Hours`];
      way.hours[mode] = [...hours, ...(ofDirection === undefined ? [] : [ofDirection])];
    }
  }
  if (!ferry) {
    push(tags, 'forward', forward);
    push(tags, 'backward', backward);
  }
  for (const way of [forward, backward])
    if (way.hours.some((each) => each.length > 0)) way.flags |= edgeFlag.hours;
  const isOpen = (kph: number): boolean => kph > 0;
  if (!forward.kph.some(isOpen) && !backward.kph.some(isOpen)) return undefined;
  const flags = flagsOf(tags, highway);
  return {
    forwardKph: forward.kph,
    backwardKph: backward.kph,
    forwardFlags: flags | forward.flags,
    backwardFlags: flags | backward.flags | edgeFlag.against,
    ...(forward.hours.some((each) => each.length > 0) ? { forwardHours: forward.hours } : {}),
    ...(backward.hours.some((each) => each.length > 0) ? { backwardHours: backward.hours } : {}),
    ...(forward.limits === undefined ? {} : { forwardLimits: forward.limits }),
    ...(backward.limits === undefined ? {} : { backwardLimits: backward.limits }),
    roadClass: classOf(highway),
    named,
  };
}

interface OpenWay {
  readonly kph: number[];
  readonly hours: HoursRule[][];
  flags: number;
  limits?: VehicleLimits;
}

const closedWay = (): OpenWay => ({
  ...{ kph: profiles.map(() => 0), flags: 0, hours: profiles.map(() => []) },
});

/**
 * Whether a way is open to the mode at any time. One that is for those who begin or end there at some hours
 * is so at all hours.
 */
function openness(access: Access, usual: boolean) {
  const isOpenBy = ({ right, byName }: Said): boolean =>
    right !== 'closed' && (usual || (right !== undefined && byName));
  const clauses = access.atHours.map((each) => ({ shut: !isOpenBy(each), hours: each.hours }));
  const shut = !isOpenBy(access);
  const endsOnly =
    access.unread || [access, ...access.atHours].some((each) => isOpenBy(each) && each.right === 'endsOnly');
  return {
    endsOnly,
    isOpen: !shut || clauses.some((each) => !each.shut),
    hours: shut || clauses.some((each) => each.shut) ? [{ shut, clauses }] : [],
  };
}

const bars = profiles.map(({ neverWith }) => Object.entries(neverWith));
const isBarred = (tags: Tags, mode: number): boolean =>
  bars[mode]!.some(([key, values]) => values.includes(tags.get(key) ?? ''));
const isUnusual = (tags: Tags, { unusualWith }: Profile): boolean =>
  Object.entries(unusualWith).some(([key, values]) => values.includes(tags.get(key) ?? ''));

const pavements = new Set(['yes', 'both', 'left', 'right']);

const lanes =
  /^(lane|track|shared|shared_lane|sharrow|share_busway|opposite|opposite_lane|opposite_track|opposite_share_busway)$/;
const hasCycleway = (tags: Tags): boolean =>
  ['cycleway', 'cycleway:both', 'cycleway:left', 'cycleway:right'].some((key) =>
    lanes.test(tags.get(key) ?? ''),
  );

/** Open to the mode if no tag applies. */
function isUsual(tags: Tags, profile: Profile, highway: string, country: Country | undefined): boolean {
  // A shuttle train takes cars: https://wiki.openstreetmap.org/wiki/Tag:route=shuttle_train.
  if (highway === 'ferry')
    return tags.get('route') === 'shuttle_train' || !profile.ferryForOthers.some((key) => tags.has(key));
  if (isUnusual(tags, profile)) return false;
  if (accessByCountry(profile.mode, highway, country) ?? profile.classKph[highway] !== undefined) return true;
  // A way that is divided, or shared, between two modes.
  if (profile.mode === 'walking' && highway === 'cycleway' && tags.has('segregated')) return true;
  if (profile.openByCycleway && hasCycleway(tags)) return true;
  if (!profile.openBySidewalk.includes(highway)) return false;
  return (
    pavements.has(tags.get('sidewalk') ?? '') ||
    ['both', 'left', 'right'].some((side) => tags.get(`sidewalk:${side}`) === 'yes')
  );
}

const ferryKph = (tags: Tags, lengthM: number, usual: number): number => {
  const hours = parseDurationHours(tags.get('duration'));
  return hours === undefined ? usual : Math.max(1, Math.min(254, Math.round(lengthM / 1000 / hours)));
};

function flagsOf(tags: Tags, highway: string): number {
  let flags = 0;
  for (const profile of profiles) if (isTolled(tags, profile)) flags |= tollBit(profile.mode);
  if (highway === 'motorway' || highway === 'motorway_link') flags |= edgeFlag.motorway;
  if (highway === 'ferry') flags |= edgeFlag.ferry;
  const surface = tags.get('surface');
  if (
    surface === undefined
      ? highway === 'track' && tags.get('tracktype') !== 'grade1'
      : unpavedSurfaces.has(surface)
  )
    flags |= edgeFlag.unpaved;
  const junction = tags.get('junction');
  if (junction === 'roundabout' || junction === 'circular') flags |= edgeFlag.roundabout;
  if (highway.endsWith('_link')) flags |= edgeFlag.link;
  if (tags.has(acrossAreaKey)) flags |= edgeFlag.acrossArea;
  if (tags.has('tunnel') && tags.get('tunnel') !== 'no') flags |= edgeFlag.tunnel;
  if (tags.has('bridge') && tags.get('bridge') !== 'no') flags |= edgeFlag.bridge;
  return flags;
}

/** `toll:hgv=yes` alone is free for cars; `toll:motorcar=no` frees them on a toll road. */
function isTolled(tags: Tags, { tollKeys }: Profile): boolean {
  const key = tollKeys.find((each) => tags.has(each));
  return key !== undefined && tags.get(key) !== 'no';
}

const classNumbers = new Map<string, number>(roadClasses.map((name, index) => [name, index]));

const shownAs: Readonly<Record<string, string>> = {
  bridleway: 'path',
  platform: 'footway',
  pier: 'footway',
};

function classOf(highway: string): number {
  const plain = highway.endsWith('_link') ? highway.slice(0, -5) : highway;
  return classNumbers.get(shownAs[plain] ?? plain) ?? classNumbers.get('unclassified')!;
}
