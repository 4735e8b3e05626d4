import { isMotorized, type TravelMode } from '#routing-engine/network/travel-mode.js';
import type { Tags } from '#schemas/osm-sink.js';

/**
 * Access rules of the OpenStreetMap wiki, implemented a second time for the legality check: nothing here
 * comes from the profiles of the tile build. If the wiki leaves a choice (tracks, gates), the check accepts
 * it.
 */
export type Access = 'yes' | 'visitors' | 'no' | 'unsaid';

/** https://wiki.openstreetmap.org/wiki/Key:access, from the vehicle to all traffic. */
const hierarchy: Readonly<Record<TravelMode, readonly string[]>> = {
  driving: ['motorcar', 'motor_vehicle', 'vehicle', 'access'],
  bicycling: ['bicycle', 'vehicle', 'access'],
  walking: ['foot', 'access'],
  truck: ['hgv', 'motor_vehicle', 'vehicle', 'access'],
};

const named = (mode: TravelMode): string[] => hierarchy[mode].filter((key) => key !== 'access');

const verdicts: Readonly<Record<string, Access>> = Object.fromEntries([
  ...['yes', 'designated', 'permissive', 'official', 'public'].map((value) => [value, 'yes']),
  ...['private', 'destination', 'delivery', 'customers', 'customer', 'permit', 'residents'].map((value) => [
    value,
    'visitors',
  ]),
  ...['no', 'agricultural', 'forestry', 'emergency', 'emergency_vehicle', 'military'].map((value) => [
    value,
    'no',
  ]),
  ...['psv', 'bus', 'minibus', 'taxi', 'share_taxi', 'foot', 'hov', 'restricted'].map((value) => [
    value,
    'no',
  ]),
  // Riding is forbidden there; see `travelsAs`.
  ...['dismount', 'use_sidepath'].map((value) => [value, 'no']),
]) as Readonly<Record<string, Access>>;

export const accessSaid = (tags: Tags, mode: TravelMode, along: boolean): Access =>
  saidBy(hierarchy[mode], tags, along);

/** A tag for the mode itself decides, and not the general `access`. */
export const hasOwnTag = (tags: Tags, mode: TravelMode): boolean =>
  saidBy(named(mode), tags, true) !== 'unsaid';

function saidBy(keys: readonly string[], tags: Tags, along: boolean): Access {
  for (const key of keys) {
    // A value may name the traveller: `access=foot`.
    const verdictOf = (value = ''): Access | undefined => (value === keys[0] ? 'yes' : verdicts[value]);
    const said = verdictOf(tags.get(`${key}:${along ? 'forward' : 'backward'}`)) ?? verdictOf(tags.get(key));
    if (said !== undefined) return said;
  }
  return 'unsaid';
}

/**
 * https://wiki.openstreetmap.org/wiki/OSM_tags_for_routing/Access_restrictions: classes that are closed
 * unless a tag opens them.
 */
const closedToCars =
  /^(pedestrian|footway|cycleway|path|bridleway|steps|corridor|platform|busway|bus_guideway|construction|proposed|elevator|raceway|via_ferrata)$/;
const closedByDefault: Readonly<Record<TravelMode, RegExp>> = {
  driving: closedToCars,
  truck: closedToCars,
  bicycling:
    /^(motorway(_link)?|footway|pedestrian|bridleway|steps|corridor|platform|busway|bus_guideway|construction|proposed|elevator|via_ferrata)$/,
  walking: /^(motorway(_link)?|busway|bus_guideway|construction|proposed|via_ferrata)$/,
};

export function mayUseWay(tags: Tags, mode: TravelMode, along: boolean): Access {
  const said = accessSaid(tags, mode, along);
  const highway = tags.get('highway');
  const isClosed = highway !== undefined && closedByDefault[mode].test(highway);
  // A private footway is private for pedestrians: a general access tag opens it to no car.
  if (isClosed && said === 'visitors' && saidBy(named(mode), tags, along) === 'unsaid') return 'no';
  if (said !== 'unsaid') return said;
  if (highway === undefined && tags.get('route') !== 'ferry')
    return mode === 'walking' && isWalkedOn(tags) ? 'yes' : 'no';
  if (highway === undefined) return 'yes';
  if (mode === 'walking' && highway.startsWith('motorway') && hasPavement(tags)) return 'yes';
  if (!isMotorized(mode) && tags.get('motorroad') === 'yes') return 'no';
  return isClosed && !(mode === 'bicycling' && hasCycleLane(tags)) ? 'no' : 'yes';
}

/** https://wiki.openstreetmap.org/wiki/Tag:man_made%3Dpier and Tag:railway%3Dplatform */
export const isWalkedOn = (tags: Tags): boolean =>
  tags.get('man_made') === 'pier' ||
  tags.get('railway') === 'platform' ||
  tags.get('public_transport') === 'platform';

/** https://wiki.openstreetmap.org/wiki/Key:sidewalk */
const hasPavement = (tags: Tags): boolean =>
  /^(yes|both|left|right)$/.test(tags.get('sidewalk') ?? '') ||
  ['both', 'left', 'right'].some((side) => tags.get(`sidewalk:${side}`) === 'yes');

/** https://wiki.openstreetmap.org/wiki/Key:cycleway */
const hasCycleLane = (tags: Tags): boolean =>
  ['', ':both', ':left', ':right'].some((side) =>
    /lane|track|shared|sharrow|share_busway|opposite/.test(tags.get(`cycleway${side}`) ?? ''),
  );

/** https://wiki.openstreetmap.org/wiki/Key:oneway and its exceptions for bicycles. */
export function mayGoThisWay(tags: Tags, mode: TravelMode, along: boolean): boolean {
  const own = named(mode).map((key) => tags.get(`oneway:${key}`));
  let oneway = own.find((value) => value !== undefined);
  if (oneway === undefined) {
    if (mode === 'walking') return true;
    const lanes = ['cycleway', 'cycleway:both', 'cycleway:left', 'cycleway:right'];
    if (mode === 'bicycling' && lanes.some((key) => tags.get(key)?.startsWith('opposite'))) return true;
    oneway = tags.get('oneway');
    const implied =
      /^(roundabout|circular)$/.test(tags.get('junction') ?? '') || tags.get('highway') === 'motorway';
    if (oneway === undefined && implied) oneway = 'yes';
  }
  if (oneway === 'reversible') return false;
  if (oneway === '-1' || oneway === 'reverse') return !along;
  return along || !(oneway === 'yes' || oneway === 'true' || oneway === '1');
}

/**
 * https://wiki.openstreetmap.org/wiki/Tag:bicycle%3Ddismount: where a cyclist may not ride and may walk, they
 * push, unless a tag closes the way to bicycles.
 */
export function travelsAs(tags: Tags, mode: TravelMode, along: boolean): TravelMode {
  if (mode !== 'bicycling' || tags.get('route') === 'ferry') return mode;
  const may = (as: TravelMode): boolean =>
    mayUseWay(tags, as, along) !== 'no' && mayGoThisWay(tags, as, along);
  if (may('bicycling') || !may('walking')) return mode;
  const said = saidBy(named('bicycling'), tags, along);
  const dismounts = [tags.get('bicycle'), tags.get(`bicycle:${along ? 'forward' : 'backward'}`)];
  return said === 'no' && !dismounts.includes('dismount') ? mode : 'walking';
}

/**
 * https://wiki.openstreetmap.org/wiki/Key:barrier: barriers that stop a mode unless a tag lets it through.
 */
const stopsCars =
  /^(bollard|block|cycle_barrier|motorcycle_barrier|bus_trap|sump_buster|stile|turnstile|full-height_turnstile|kissing_gate|chain|jersey_barrier|log|debris|wall|fence|hedge|ditch|planter|horse_stile|tank_trap)$/;
const stops: Readonly<Record<TravelMode, RegExp>> = {
  driving: stopsCars,
  truck: stopsCars,
  bicycling: /^(stile|turnstile|full-height_turnstile|kissing_gate|wall|fence|hedge|debris|tank_trap)$/,
  walking: /^(wall|fence|hedge|debris|tank_trap)$/,
};

/** A private gate is passed by visitors. */
export function mayPassNode(tags: Tags | undefined, mode: TravelMode): Access {
  const barrier = tags?.get('barrier');
  if (tags === undefined || barrier === undefined) return 'yes';
  const said = accessSaid(tags, mode, true);
  if (said !== 'unsaid') return said;
  if (barrier === 'fence' && tags.get('sensory')?.startsWith('audi')) return 'yes';
  return stops[mode].test(barrier) && tags.get('bollard') !== 'rising' ? 'no' : 'yes';
}

/**
 * Whether and how a restriction applies to the mode:
 * https://wiki.openstreetmap.org/wiki/Relation:restriction.
 */
export function restrictionFor(tags: Tags, mode: TravelMode): 'no' | 'only' | undefined {
  const vehicles = named(mode);
  const except = (tags.get('except') ?? '').split(';').map((value) => value.trim());
  if (vehicles.some((key) => except.includes(key))) return undefined;
  const own = vehicles.map((key) => tags.get(`restriction:${key}`)).find((value) => value !== undefined);
  // A restriction without a vehicle does not apply to pedestrians.
  const value = own ?? (mode === 'walking' ? undefined : tags.get('restriction'));
  // A rule for a red light forbids no turn.
  if (value?.endsWith('_on_red')) return undefined;
  if (value?.startsWith('no_')) return 'no';
  return value?.startsWith('only_') ? 'only' : undefined;
}
