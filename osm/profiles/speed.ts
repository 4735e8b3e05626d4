import type { Tags } from '#schemas/osm-sink.js';
import type { Country } from '../countries/country-at.js';
import { type LegalLimits, legalLimits } from '../countries/legal-limits.js';
import type { Profile } from './profile.js';
import { ridingKph } from './riding.js';

const MILE_KM = 1.609344;
const KNOT_KM = 1.852;

/**
 * `50`, `30 mph`, `5 knots`, `walk`, `none`, `RO:urban` …; undefined if it has no number (`signals`,
 * `variable`).
 */
export function parseSpeedKph(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const match = /^\s*(\d{1,3}(?:\.\d+)?)\s*(km\/h|kmh|kph|mph|knots)?\s*(?:;|$)/.exec(text);
  if (match !== null) {
    const value = Number(match[1]);
    const factor = match[2] === 'mph' ? MILE_KM : match[2] === 'knots' ? KNOT_KM : 1;
    return value > 0 ? value * factor : undefined;
  }
  if (text === 'walk') return 10;
  if (text === 'none') return 140;
  // `DE:rural`, `DE:zone:30`, `DE:30`: a country's word for a limit, or the number of a zone.
  const [, country, word] = /^([A-Z]{2}(?:-[A-Z]{2,3})?):(.+)$/.exec(text) ?? [];
  if (country === undefined || word === undefined) return undefined;
  const zone = /^(?:zone:?)?(\d{1,3})$/.exec(word)?.[1];
  if (zone !== undefined) return positive(Number(zone));
  const limits = legalLimits(country) ?? legalLimits(country.slice(0, 2));
  const kind = limitNames[word];
  return (kind === undefined ? undefined : limits?.[kind]) ?? wordKph[word];
}

/** The limits of a country by the words that are used for them. */
const limitNames: Readonly<Record<string, keyof LegalLimits>> = {
  living_street: 'livingStreet',
  urban: 'urban',
  nsl_restricted: 'urban',
  rural: 'rural',
  nsl_single: 'rural',
  nsl_dual: 'expressway',
  trunk: 'expressway',
  motorroad: 'expressway',
  expressway: 'expressway',
  express: 'expressway',
  motorway: 'motorway',
};

/** Where the law of the country is not known. */
const wordKph: Readonly<Record<string, number>> = {
  walk: 10,
  living_street: 10,
  pedestrian_zone: 10,
  bicycle_road: 30,
  urban: 50,
  rural: 90,
  trunk: 110,
  motorroad: 110,
  expressway: 110,
  express: 110,
  motorway: 120,
};

/** `HH:MM`, `HH:MM:SS`, minutes or ISO 8601 (`PT1H30M`), in hours. */
export function parseDurationHours(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const clock = /^(\d{1,3}):(\d{2})(?::(\d{2}))?$/.exec(text);
  if (clock !== null)
    return positive(Number(clock[1]) + Number(clock[2]) / 60 + Number(clock[3] ?? 0) / 3600);
  const iso = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?$/.exec(text);
  if (iso !== null)
    return positive(Number(iso[1] ?? 0) + Number(iso[2] ?? 0) / 60 + Number(iso[3] ?? 0) / 3600);
  return /^\d{1,4}$/.test(text) ? positive(Number(text) / 60) : undefined;
}

const positive = (value: number): number | undefined => (value > 0 ? value : undefined);

/** The limit of a direction in km/h. Limits by the hour or in rain are not those of free flow. */
function limitKph(tags: Tags, direction: 'forward' | 'backward'): number | undefined {
  const limit =
    parseSpeedKph(tags.get(`maxspeed:${direction}`)) ??
    parseSpeedKph(tags.get('maxspeed')) ??
    fastestLaneKph(tags.get(`maxspeed:lanes:${direction}`)) ??
    fastestLaneKph(tags.get('maxspeed:lanes')) ??
    parseSpeedKph(tags.get('zone:maxspeed')) ??
    parseSpeedKph(tags.get('maxspeed:type')) ??
    parseSpeedKph(tags.get('source:maxspeed'));
  const advisory =
    parseSpeedKph(tags.get(`maxspeed:advisory:${direction}`)) ?? parseSpeedKph(tags.get('maxspeed:advisory'));
  return advisory === undefined ? limit : Math.min(advisory, limit ?? advisory);
}

/** `100|80|60`: a driver who overtakes is on the fastest lane. */
function fastestLaneKph(text: string | undefined): number | undefined {
  const lanes = (text ?? '').split('|').map((lane) => parseSpeedKph(lane) ?? 0);
  return positive(Math.max(...lanes));
}

const sidewalks = new Set(['yes', 'both', 'left', 'right', 'separate']);

/** As the wiki guesses it where no tag says so: a lit road, or one with a sidewalk. */
const isUrban = (tags: Tags): boolean =>
  tags.get('zone:traffic')?.endsWith(':urban') === true ||
  (!tags.has('zone:traffic') &&
    (tags.get('lit') === 'yes' ||
      ['sidewalk', 'sidewalk:both', 'sidewalk:left', 'sidewalk:right'].some((key) =>
        sidewalks.has(tags.get(key) ?? ''),
      )));

/**
 * The most that the law of a country allows on a road of a class without a sign, however it lies; undefined
 * if that is not known.
 */
function defaultLimitKph(tags: Tags, country: Country | undefined): number | undefined {
  const limits = country === undefined ? undefined : legalLimits(country.code);
  if (limits === undefined) return undefined;
  const highway = tags.get('highway') ?? '';
  if (highway.startsWith('motorway')) return limits.motorway;
  if (highway.startsWith('trunk') || tags.get('motorroad') === 'yes') return limits.expressway;
  return isUrban(tags) ? limits.urban : limits.rural;
}

/** Waiting time where one lane serves both directions. */
const ALTERNATING_SHARE = 0.4;

/**
 * A limit on a sign replaces the usual speed of a vehicle with a motor, and caps that of others; the law only
 * caps.
 */
function kphByLimit(
  tags: Tags,
  direction: 'forward' | 'backward',
  country: Country | undefined,
  factor: Profile['maxspeedFactor'],
  usual: number,
): number {
  if (factor === 0) return usual;
  const limit = limitKph(tags, direction);
  if (factor === 'cap') return Math.min(usual, limit ?? usual);
  if (limit !== undefined) return limit * factor;
  const most = defaultLimitKph(tags, country);
  return most === undefined ? usual : Math.min(usual, most * factor);
}

/** Free-flow km/h of a road in one direction, 1 to 254. Ferries are not roads. */
export function roadKph(
  tags: Tags,
  profile: Profile,
  direction: 'forward' | 'backward',
  country: Country | undefined,
): number {
  const { riding } = profile;
  const ofClass = profile.classKph[tags.get('highway') ?? ''] ?? profile.permittedKph;
  const usual = riding === undefined ? ofClass : ridingKph(tags, riding, ofClass, direction);
  const kph = Math.min(
    kphByLimit(tags, direction, country, profile.maxspeedFactor, usual),
    profile.surfaceKph[tags.get('surface') ?? ''] ?? Number.POSITIVE_INFINITY,
    profile.tracktypeKph[tags.get('tracktype') ?? ''] ?? Number.POSITIVE_INFINITY,
    profile.smoothnessKph[tags.get('smoothness') ?? ''] ?? Number.POSITIVE_INFINITY,
    profile.serviceKph[tags.get('service') ?? ''] ?? Number.POSITIVE_INFINITY,
    profile.topKph,
    ...profile.maxspeedKeys.map(
      (key) =>
        parseSpeedKph(tags.get(`${key}:${direction}`)) ?? parseSpeedKph(tags.get(key)) ?? profile.topKph,
    ),
  );
  const share = profile.onewayBinds && tags.get('oneway') === 'alternating' ? ALTERNATING_SHARE : 1;
  return Math.max(1, Math.min(254, Math.round(kph * share)));
}
