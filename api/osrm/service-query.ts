import { type AvoidMask, avoidMask } from '#routing-engine/network/edge-flags.js';
import { limits } from '#routing-engine/network/limits.js';
import type { Vehicle } from '#routing-engine/network/vehicle.js';
import type { AskedStop } from '#routing-engine/snap/stop-places.js';
import { type Avoidance, avoidances } from '#schemas/http/nav.js';
import type { LatLng } from '#schemas/units.js';
import type { Mode } from '../ports/planner.js';
import { vehicleOf, wrongTopSpeed } from '../vehicle/vehicle-of.js';
import { readCoordinates } from './coordinates.js';
import type { generalOptions } from './general-options.js';
import { hint } from './hint.js';
import { messages } from './messages.js';
import { type OptionsOf, type OptionTable, readOptions } from './option.js';
import { profiles } from './profiles.js';
import type { OsrmRefusal } from './refusal.js';
import type { speedOptions } from './vehicle-options.js';

type GeneralOptions = OptionsOf<typeof generalOptions>;

/** What the path and the query string of a request have. */
export interface OsrmRequest {
  readonly params: { readonly profile: string; readonly coordinates: string };
  readonly query: Readonly<Record<string, string>>;
}

/** What a service adds to the checks that all of them share; each returns a sentence or undefined. */
export interface ServiceRules<Table extends OptionTable> {
  readonly service: string;
  readonly options: Table & typeof generalOptions;
  readonly coordinatesMin: number;
  readonly wrongOptions: (options: OptionsOf<Table>, coordinates: readonly LatLng[]) => string | undefined;
  readonly tooBig: (options: OptionsOf<Table>, coordinates: readonly LatLng[]) => string | undefined;
  readonly wrongValue: (options: OptionsOf<Table>, coordinates: readonly LatLng[]) => string | undefined;
}

/** A checked query: its places, and the options of its service. */
export interface ServiceQuery<Table extends OptionTable> {
  readonly mode: Mode;
  /** Of the profile for trucks. */
  readonly vehicle?: Vehicle;
  readonly topSpeedKph?: number;
  readonly stops: readonly AskedStop[];
  readonly avoid: AvoidMask;
  readonly stopsOnFerries: boolean;
  readonly waypoints: WaypointStyle;
  readonly options: OptionsOf<Table>;
}

export interface WaypointStyle {
  readonly shown: boolean;
  readonly hints: boolean;
}

const classes: ReadonlyMap<string, Avoidance> = new Map([
  ['toll', 'tolls'],
  ['motorway', 'motorways'],
  ['ferry', 'ferries'],
  ...avoidances.map((word) => [word, word] as const),
]);

/** Default radius, as everywhere in the platform. */
const defaultRadiusM = 1_000;

/**
 * From path and query string to a query, or OSRM's refusal; checked in OSRM's order: form, number of
 * elements, size, values.
 */
export function parseServiceQuery<Table extends OptionTable>(
  { params: { profile, coordinates: text }, query }: OsrmRequest,
  rules: ServiceRules<Table>,
): ServiceQuery<Table> | OsrmRefusal {
  const [, list, suffix] = /^(.*?)(?:\.(json|flatbuffers))?$/s.exec(text)!;
  const coordinates = readCoordinates(list!);
  if (typeof coordinates === 'string') return { code: 'InvalidQuery', message: coordinates };
  const read = readOptions(rules.options, query, rules.service);
  if (typeof read === 'string') return { code: 'InvalidQuery', message: read };
  const general: GeneralOptions = read;
  const options: OptionsOf<Table> = read;
  const message =
    wrongOptions(general, coordinates, rules.coordinatesMin) ?? rules.wrongOptions(options, coordinates);
  if (message !== undefined) return { code: 'InvalidOptions', message };
  const tooBig = rules.tooBig(options, coordinates);
  if (tooBig !== undefined) return { code: 'TooBig', message: tooBig };
  const mode = profiles.get(profile);
  if (mode === undefined) return { code: 'InvalidValue', message: messages.profiles([...profiles.keys()]) };
  const wrong = wrongValue(general, coordinates, suffix) ?? rules.wrongValue(options, coordinates);
  if (wrong !== undefined) return { code: 'InvalidValue', message: wrong };
  const { vehicle, wrong: wrongVehicle } = vehicleOf(mode, general);
  if (wrongVehicle !== undefined) return { code: 'InvalidOptions', message: wrongVehicle.message };
  const { top_speed: topSpeedKph }: GeneralOptions & OptionsOf<typeof speedOptions> = read;
  const wrongSpeed = wrongTopSpeed(mode, topSpeedKph);
  if (wrongSpeed !== undefined) return { code: 'InvalidOptions', message: wrongSpeed };
  return {
    mode,
    ...(vehicle === undefined ? {} : { vehicle }),
    ...(topSpeedKph === undefined ? {} : { topSpeedKph }),
    stops: coordinates.map((point, at) => askedStop(point, at, general)),
    avoid: avoidMask(
      (general.exclude ?? []).flatMap((word) => classes.get(word) ?? []),
      mode,
    ),
    stopsOnFerries: general.snapping === 'any',
    waypoints: { shown: general.skip_waypoints !== true, hints: general.generate_hints ?? true },
    options,
  };
}

function askedStop(point: LatLng, at: number, options: GeneralOptions): AskedStop {
  const heading = options.bearings?.[at];
  const approach = options.approaches?.[at];
  const text = options.hints?.[at];
  const road = text === undefined ? undefined : hint.read(text);
  return {
    point,
    maxMeters: Math.min(options.radiuses?.[at] ?? defaultRadiusM, limits.snapMetersMax),
    ...(heading === undefined ? {} : { heading }),
    ...(approach === undefined || approach === 'unrestricted' ? {} : { approach }),
    ...(road === undefined ? {} : { hint: road }),
  };
}

function wrongOptions(
  options: GeneralOptions,
  { length }: readonly LatLng[],
  least: number,
): string | undefined {
  for (const name of ['hints', 'bearings', 'radiuses', 'approaches'] as const) {
    const size = options[name]?.length ?? length;
    if (size !== length) return messages.elements(name, size, length);
  }
  if (length < least) return messages.twoCoordinates;
  for (const bearing of options.bearings ?? []) {
    if (bearing === undefined) continue;
    const { deg, rangeDeg } = bearing;
    if (deg < 0 || deg > 360 || rangeDeg < 0 || rangeDeg > 180) return messages.bearing(deg, rangeDeg);
  }
  const negative = options.radiuses?.find((radius) => radius !== undefined && radius < 0);
  return negative === undefined ? undefined : messages.radius(negative);
}

function wrongValue(
  { hints, exclude = [], format }: GeneralOptions,
  coordinates: readonly LatLng[],
  suffix: string | undefined,
): string | undefined {
  const off = coordinates.find(({ lat, lng }) => !(Math.abs(lat) <= 90 && Math.abs(lng) <= 180));
  if (off !== undefined) return messages.notOnEarth(off.lng, off.lat);
  const foreign = hints?.find((each) => each !== undefined && hint.read(each) === undefined);
  if (foreign !== undefined) return messages.badHint(foreign.slice(0, 40));
  const unknown = exclude.find((word) => word !== 'none' && !classes.has(word));
  if (unknown !== undefined || (exclude.includes('none') && exclude.length > 1))
    return messages.exclude([...classes.keys()]);
  return format === 'flatbuffers' || suffix === 'flatbuffers' ? messages.onlyJson : undefined;
}
