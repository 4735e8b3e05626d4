import type { Tags } from '../osm/osm-sink.js';
import type { Profile } from './profile.js';

const MILE_KM = 1.609344;

/** `50`, `30 mph`, `walk`, `SE:urban` …; undefined when it states no number (`none`, `signals`, `variable`). */
export function parseSpeedKph(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const match = /^\s*(\d{1,3}(?:\.\d+)?)\s*(km\/h|kmh|kph|mph|knots)?\s*(?:;|$)/.exec(text);
  if (match !== null) {
    const value = Number(match[1]);
    const factor = match[2] === 'mph' ? MILE_KM : match[2] === 'knots' ? 1.852 : 1;
    return value > 0 ? value * factor : undefined;
  }
  if (text === 'walk' || text.endsWith(':living_street') || text.endsWith(':walk')) return 10;
  if (text === 'none') return 140;
  return implicitKph[text.split(':')[1] ?? ''];
}

/** `CC:urban` and its like; countries differ by ten, which traffic hides. */
const implicitKph: Readonly<Record<string, number>> = {
  urban: 50,
  rural: 90,
  trunk: 110,
  motorway: 120,
  zone30: 30,
  'zone:30': 30,
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

/** Free-flow km/h of a road in one direction, 1 to 254. Ferries are not roads. */
export function roadKph(tags: Tags, profile: Profile, direction: 'forward' | 'backward'): number {
  const highway = tags.get('highway') ?? '';
  let kph = profile.classKph[highway] ?? profile.permittedKph;
  if (profile.maxspeedFactor > 0) {
    const limit = parseSpeedKph(tags.get(`maxspeed:${direction}`)) ?? parseSpeedKph(tags.get('maxspeed'));
    if (limit !== undefined) kph = limit * profile.maxspeedFactor;
  }
  kph = Math.min(
    kph,
    profile.surfaceKph[tags.get('surface') ?? ''] ?? Number.POSITIVE_INFINITY,
    profile.tracktypeKph[tags.get('tracktype') ?? ''] ?? Number.POSITIVE_INFINITY,
    profile.smoothnessKph[tags.get('smoothness') ?? ''] ?? Number.POSITIVE_INFINITY,
  );
  return Math.max(1, Math.min(254, Math.round(kph)));
}
