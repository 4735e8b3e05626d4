import type { Tags } from '#schemas/osm-sink.js';
import type { Profile } from './profile.js';

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
  // `DE:rural`, `DE:zone:30`, `DE:30`: the country's word for a limit, or the number of a zone.
  const implicit = /^[A-Z]{2}(?:-[A-Z]{2,3})?:(.+)$/.exec(text)?.[1];
  if (implicit === undefined) return undefined;
  const zone = /^(?:zone:?)?(\d{1,3})$/.exec(implicit)?.[1];
  return zone === undefined ? implicitKph[implicit] : positive(Number(zone));
}

/** Countries differ by 10 km/h, which is negligible in traffic. */
const implicitKph: Readonly<Record<string, number>> = {
  walk: 10,
  living_street: 10,
  urban: 50,
  rural: 90,
  trunk: 110,
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

/** Waiting time where one lane serves both directions. */
const ALTERNATING_SHARE = 0.4;

/** Free-flow km/h of a road in one direction, 1 to 254. Ferries are not roads. */
export function roadKph(tags: Tags, profile: Profile, direction: 'forward' | 'backward'): number {
  const limit = profile.maxspeedFactor > 0 ? limitKph(tags, direction) : undefined;
  const usual = profile.classKph[tags.get('highway') ?? ''] ?? profile.permittedKph;
  const kph = Math.min(
    limit === undefined ? usual : limit * profile.maxspeedFactor,
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
