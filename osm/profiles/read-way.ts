import { edgeFlag, roadClasses } from '#routing-engine/network/edge-flags.js';
import type { Tags } from '#schemas/osm-sink.js';
import { isFerry } from '../elements/osm-extract.js';
import { accessOf } from './access.js';
import { directionsOf } from './direction.js';
import type { Profile } from './profile.js';
import { profiles } from './profiles.js';
import { parseDurationHours, roadKph } from './speed.js';
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
  readonly roadClass: number;
}

/** The common properties of all edges of a way. */
export interface WayReading extends WayRules {
  readonly name: string;
  readonly ref: string;
}

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
 * duration.
 */
export function readWay(tags: Tags, lengthM: number): WayReading | undefined {
  const rules = readRules(tags, lengthM);
  return rules === undefined ? undefined : { ...rules, name: wayName(tags), ref: tags.get('ref') ?? '' };
}

export function readRules(tags: Tags, lengthM: number): WayRules | undefined {
  const ferry = isFerry(tags);
  const highway = ferry ? 'ferry' : (tags.get('highway') ?? '');
  const forwardKph = [0, 0, 0];
  const backwardKph = [0, 0, 0];
  let forwardEnds = 0;
  let backwardEnds = 0;
  let any = false;
  for (const [mode, profile] of profiles.entries()) {
    if (profile.neverOn.includes(highway) || isBarred(tags, mode)) continue;
    const usual = isUsual(tags, profile, highway);
    const directions = directionsOf(tags, profile);
    for (const direction of ['forward', 'backward'] as const) {
      if (!directions[direction]) continue;
      const { right, byName } = accessOf(tags, profile, direction);
      if (right === 'closed' || !(usual || (right === 'open' && byName))) continue;
      any = true;
      const kph = ferry ? ferryKph(tags, lengthM, profile.ferryKph) : roadKph(tags, profile, direction);
      const endsOnly = right === 'endsOnly' ? edgeFlag.endsOnlyDriving << mode : 0;
      if (direction === 'forward') {
        forwardKph[mode] = kph;
        forwardEnds |= endsOnly;
      } else {
        backwardKph[mode] = kph;
        backwardEnds |= endsOnly;
      }
    }
  }
  if (!any) return undefined;
  const flags = flagsOf(tags, highway);
  return {
    forwardKph,
    backwardKph,
    forwardFlags: flags | forwardEnds,
    backwardFlags: flags | backwardEnds | edgeFlag.against,
    roadClass: classOf(highway),
  };
}

const bars = profiles.map(({ neverWith }) => Object.entries(neverWith));
const isBarred = (tags: Tags, mode: number): boolean =>
  bars[mode]!.some(([key, values]) => values.includes(tags.get(key) ?? ''));

const pavements = new Set(['yes', 'both', 'left', 'right']);

const lanes =
  /^(lane|track|shared|shared_lane|sharrow|share_busway|opposite|opposite_lane|opposite_track|opposite_share_busway)$/;
const hasCycleway = (tags: Tags): boolean =>
  ['cycleway', 'cycleway:both', 'cycleway:left', 'cycleway:right'].some((key) =>
    lanes.test(tags.get(key) ?? ''),
  );

/** Open to the mode if no tag applies. */
function isUsual(tags: Tags, profile: Profile, highway: string): boolean {
  if (highway === 'ferry') return !profile.ferryForOthers.some((key) => tags.has(key));
  if (profile.classKph[highway] !== undefined) return true;
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
  if (profiles.some((profile) => isTolled(tags, profile))) flags |= edgeFlag.toll;
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

function classOf(highway: string): number {
  const plain = highway.endsWith('_link') ? highway.slice(0, -5) : highway;
  return classNumbers.get(plain === 'bridleway' ? 'path' : plain) ?? classNumbers.get('unclassified')!;
}
