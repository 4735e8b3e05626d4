import { exceeds, type Measure, measures, type VehicleLimits } from '#routing-engine/network/vehicle.js';
import type { Tags } from '#schemas/osm-sink.js';
import { readConditional } from './conditional.js';
import { parseKg, parseMm } from './measures.js';
import type { Profile } from './profile.js';
import { rightOf } from './right.js';
import { truck } from './truck.js';

/** What the limits of a road or barrier mean for a mode. */
export interface LimitsRead {
  /** `endsOnly`: whoever is too large or heavy may go there, and not pass through. */
  readonly right: 'open' | 'endsOnly' | 'closed';
  /** What depends on the vehicle of a route; absent if nothing does. */
  readonly limits?: VehicleLimits;
}

type Most = Partial<Record<Measure, number>>;

const keysOf: Readonly<Record<Measure, readonly string[]>> = {
  heightMm: ['maxheight', 'maxheight:physical'],
  widthMm: ['maxwidth', 'maxwidth:physical'],
  lengthMm: ['maxlength'],
  // A rating is what the vehicle may weigh; a truck counts as fully loaded.
  weightKg: ['maxweight', 'maxweightrating', 'maxgcweight'],
  axleLoadKg: ['maxaxleload'],
};
/** How wide a road is; what is as wide does not fit. */
const ownWidth = ['width', 'est_width'];

/** Lower than bridges usually are in the country, which is 4 m and more. */
const BELOW_DEFAULT_MM = 3_990;

const visitors = /^(destination|delivery|private|customers|permit|residents|forestry|agricultural)$/i;
const otherVehicles = /^(bus|psv|taxi|coach|tourist_bus|motorhome|caravan|motorcar|motorcycle|trailer)$/i;

const measuredIn: Readonly<Record<string, Measure>> = {
  height: 'heightMm',
  width: 'widthMm',
  length: 'lengthMm',
  weight: 'weightKg',
  weightrating: 'weightKg',
  maxweightrating: 'weightKg',
  gcweight: 'weightKg',
  axleload: 'axleLoadKg',
};
const tooMuch =
  /\b(height|width|length|weight|weightrating|maxweightrating|gcweight|axleload)\s*(>=?)\s*([\d.,]+\s*[a-z'"]*)/i;

const isSilent = (tags: Tags): boolean => {
  for (const key of tags.keys())
    if (
      key.startsWith('max') ||
      key.startsWith('hazmat') ||
      key.endsWith('width') ||
      key.endsWith(':conditional')
    )
      return false;
  return true;
};

const nothing: LimitsRead = { right: 'open' };

/**
 * https://wiki.openstreetmap.org/wiki/Key:maxheight and the like. A limit at some hours counts at all hours.
 */
export function readLimits(tags: Tags, profile: Profile, direction?: 'forward' | 'backward'): LimitsRead {
  if (profile.vehicle === undefined || isSilent(tags)) return nothing;
  const { usual, isAsked } = profile.vehicle;
  const hard: Most = {};
  const soft: Most = {};
  readMeasures(tags, isAsked, direction, hard, soft);
  let hazmat = isAsked && forbidsHazmat(tags);
  for (const key of profile.accessKeys)
    for (const name of direction === undefined ? [key] : [key, `${key}:${direction}`])
      for (const { value, condition } of readConditional(tags.get(`${name}:conditional`))) {
        const right = rightOf(value, profile);
        if (right === undefined || right === 'open') continue;
        if (isAsked && right === 'closed' && /^hazmat$/i.test(condition)) hazmat = true;
        const limit = limitIn(condition);
        if (limit !== undefined) lower(right === 'closed' ? hard : soft, ...limit);
      }
  const visitorsOnly = exceeds(usual, { most: soft, hazmat: false });
  if (!visitorsOnly) for (const [measure, value] of entriesOf(soft)) lower(hard, measure, value);
  if (!isAsked)
    return { right: exceeds(usual, { most: hard, hazmat }) ? 'closed' : visitorsOnly ? 'endsOnly' : 'open' };
  const isLimited = hazmat || Object.keys(hard).length > 0;
  return {
    right: visitorsOnly ? 'endsOnly' : 'open',
    ...(isLimited ? { limits: { most: hard, hazmat } } : {}),
  };
}

/** What a barrier admits; undefined if that depends on no vehicle. */
export const limitsAtNode = (tags: Tags): VehicleLimits | undefined =>
  tags.has('barrier') ? readLimits(tags, truck).limits : undefined;

function readMeasures(tags: Tags, ofTrucks: boolean, direction: string | undefined, hard: Most, soft: Most) {
  const forms = [
    '',
    ...(direction === undefined ? [] : [`:${direction}`]),
    ...(ofTrucks ? [':hgv', ...(direction === undefined ? [] : [`:hgv:${direction}`])] : []),
  ];
  for (const measure of measures)
    for (const key of keysOf[measure]) {
      const most: Most = {};
      let exempt = false;
      for (const form of forms) {
        lower(most, measure, parseMeasure(measure, tags.get(key + form)));
        for (const { value, condition } of readConditional(tags.get(`${key}${form}:conditional`))) {
          if (visitors.test(condition) && value === 'none') exempt = true;
          else if (!otherVehicles.test(condition)) lower(most, measure, parseMeasure(measure, value));
        }
      }
      lower(exempt ? soft : hard, measure, most[measure]);
    }
  for (const key of ownWidth) {
    const wide = parseMm(tags.get(key) ?? '');
    if (wide !== undefined) lower(hard, 'widthMm', wide - 1);
  }
}

function parseMeasure(measure: Measure, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (measure === 'heightMm' && text === 'below_default') return BELOW_DEFAULT_MM;
  return measure === 'weightKg' || measure === 'axleLoadKg' ? parseKg(text) : parseMm(text);
}

/** Of `weight>7.5`. */
function limitIn(condition: string): [measure: Measure, most: number] | undefined {
  const found = tooMuch.exec(condition);
  if (found === null) return undefined;
  const measure = measuredIn[found[1]!.toLowerCase()]!;
  const most = parseMeasure(measure, found[3]!.trim());
  return most === undefined ? undefined : [measure, found[2] === '>=' ? most - 1 : most];
}

/** Tunnels have categories of forbidden goods; a truck with any of them counts as having all. */
function forbidsHazmat(tags: Tags): boolean {
  for (const [key, value] of tags)
    if (
      /^hazmat(:(water|[A-E]|forward|backward))?$/.test(key) &&
      !/^(yes|designated|permissive)$/.test(value)
    )
      return true;
  return false;
}

function lower(into: Most, measure: Measure, value: number | undefined): void {
  if (value !== undefined) into[measure] = Math.min(value, into[measure] ?? Number.POSITIVE_INFINITY);
}

const entriesOf = (most: Most) => Object.entries(most) as [Measure, number][];
