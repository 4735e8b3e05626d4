import type { Crossing } from '#routing-engine/guidance/crossing.js';
import { encodePolyline } from '#routing-engine/network/polyline.js';
import type { FoundLeg, LegAnnotation, LegStep } from '#routing-engine/tasks/found-leg.js';
import type { FoundThrough } from '#routing-engine/tasks/found-through.js';
import { bannerInstructions } from './banner-instructions.js';
import type { LegNodes } from './leg-nodes.js';
import type { AnnotationKind, GeometryKind } from './line-options.js';
import type { LineStyle } from './line-query.js';
import { pair, tenth } from './numbers.js';
import { voiceInstructions } from './voice-instructions.js';

/** What every step of the answer needs from the query and the map. */
interface Style extends LineStyle {
  readonly drivingSide: 'left' | 'right';
  readonly nodes: LegNodes;
}

const wholeDeg = (bearing: number): number => Math.round(bearing) % 360;

/** A route in OSRM's layout. */
export function lineAnswer({ legs, simplified }: FoundThrough, style: Style): object {
  const { overview, geometries } = style;
  const sum = (of: (leg: FoundLeg) => number): number => tenth(legs.reduce((all, leg) => all + of(leg), 0));
  const duration = sum(({ durationS }) => durationS);
  const lines = simplified ?? (overview === 'full' ? legs.map(({ lngLat }) => lngLat) : undefined);
  return {
    ...(lines === undefined ? {} : { geometry: geometry(inOne(lines), geometries) }),
    legs: legs.map((leg) => legAnswer(leg, style)),
    distance: sum(({ distanceM }) => distanceM),
    duration,
    weight_name: 'duration',
    weight: duration,
    ...(style.voice === undefined ? {} : { voiceLocale: style.voice.language }),
  };
}

/** Consecutive lines share a point, which is written once. */
const inOne = (lines: readonly Float64Array[]): Float64Array =>
  Float64Array.from(lines.flatMap((line, at) => [...(at === 0 ? line : line.subarray(2))]));

const legAnswer = (leg: FoundLeg, style: Style): object => ({
  ...(style.overview === 'by_legs' ? { geometry: geometry(leg.lngLat, style.geometries) } : {}),
  steps: leg.steps.map((step, at) => ({
    ...stepAnswer(step, leg, style),
    ...instructions(leg.steps, at, style),
  })),
  summary: leg.summary,
  ...(leg.annotation === undefined ? {} : { annotation: annotation(leg.annotation, style) }),
  distance: tenth(leg.distanceM),
  duration: tenth(leg.durationS),
  weight: tenth(leg.durationS),
});

/** What clients of Mapbox read out and show. */
const instructions = (steps: readonly LegStep[], at: number, style: Style): object => ({
  ...(style.voice === undefined ? {} : { voiceInstructions: voiceInstructions(steps, at, style.voice) }),
  ...(style.banner ? { bannerInstructions: bannerInstructions(steps, at, style) } : {}),
});

/** OSRM separates several numbers of a road or exit so. */
const listed = (text: string, separator: RegExp): string => text.replaceAll(separator, '; ');

/** With OSRM's mark of a signed direction, `I 80 $west`, where it was asked for. */
function numbersOf({ ref, refDirections }: LegStep, { directions }: Style): string {
  if (!directions || refDirections === '') return listed(ref, /\s*;\s*/g);
  const said = refDirections.split(';');
  return ref
    .split(';')
    .map((number, at) => (said[at] ? `${number.trim()} $${said[at]}` : number.trim()))
    .join('; ');
}

/** Clients concatenate the lines of the steps and read a modifier at every turn, so both are always there. */
function stepAnswer(step: LegStep, { lngLat }: FoundLeg, style: Style): object {
  const { geometries, drivingSide } = style;
  const { type, modifier, exit, bearingBefore, bearingAfter, location } = step.maneuver;
  const points = lngLat.subarray(2 * step.geometryFrom, 2 * step.geometryTo + 2);
  return {
    geometry: geometry(points.length === 2 ? [...points, ...points] : points, geometries),
    maneuver: {
      type,
      ...(modifier !== undefined
        ? { modifier }
        : type === 'depart' || type === 'arrive'
          ? {}
          : { modifier: 'straight' }),
      ...(exit === undefined ? {} : { exit }),
      bearing_before: wholeDeg(bearingBefore),
      bearing_after: wholeDeg(bearingAfter),
      location: pair(location),
      instruction: step.instruction,
    },
    mode: step.mode,
    driving_side: drivingSide,
    name: step.name,
    ...(step.ref === '' ? {} : { ref: numbersOf(step, style) }),
    ...(step.pronunciation === '' ? {} : { pronunciation: step.pronunciation }),
    ...(step.destinations === '' ? {} : { destinations: step.destinations }),
    ...(step.exits === '' ? {} : { exits: listed(step.exits, /, /g) }),
    ...(step.rotaryName === '' ? {} : { rotary_name: step.rotaryName }),
    intersections: step.crossings.map(intersection),
    distance: tenth(step.distanceM),
    duration: tenth(step.durationS),
    weight: tenth(step.durationS),
  };
}

const intersection = ({ location, bearings, ...crossing }: Crossing): object => ({
  location: pair(location),
  bearings: bearings.map(wholeDeg),
  ...crossing,
});

function annotation(
  { distanceM, durationS, isLive, nodes }: LegAnnotation,
  { annotations: wanted, nodes: idsOf }: Style,
): object {
  const ids = nodes === undefined ? undefined : idsOf.get(nodes);
  const seconds = Array.from(durationS, tenth);
  const given: Readonly<Partial<Record<AnnotationKind, unknown>>> = {
    distance: Array.from(distanceM, tenth),
    duration: seconds,
    weight: seconds,
    speed: Array.from(distanceM, (metres, at) => tenth(durationS[at]! > 0 ? metres / durationS[at]! : 0)),
    datasources: Array.from(isLive),
    ...(ids === undefined ? {} : { nodes: ids }),
  };
  return {
    ...Object.fromEntries(Object.entries(given).filter(([kind]) => wanted.has(kind as AnnotationKind))),
    ...(wanted.has('datasources') ? { metadata: { datasource_names: ['free flow', 'live traffic'] } } : {}),
  };
}

function geometry(lngLat: ArrayLike<number>, kind: GeometryKind): string | object {
  switch (kind) {
    case 'polyline':
      return encodePolyline(lngLat);
    case 'polyline6':
      return encodePolyline(lngLat, 6);
    case 'geojson': {
      const coordinates = Array.from({ length: lngLat.length / 2 }, (_, at) =>
        pair({ lng: lngLat[2 * at]!, lat: lngLat[2 * at + 1]! }),
      );
      return { type: 'LineString', coordinates };
    }
  }
}
