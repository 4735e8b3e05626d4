import type { LatLng } from '#schemas/units.js';
import { edgeFlag, roadClasses } from '../network/edge-flags.js';
import type { RoadNetwork } from '../network/road-network.js';
import { noSign, type RoadSign } from '../network/road-sign.js';
import { modeIndex, type TravelMode } from '../network/travel-mode.js';
import type { Metric } from '../overlay/metric.js';
import type { RoutePath } from '../route/find-route.js';
import type { PathGeometry } from '../route/path-geometry.js';
import { msAt, shareOf } from '../route/path-times.js';
import { joinUturns } from './divided-road.js';
import { guidanceLanguage, spell } from './guidance-text.js';
import type { Maneuver, ManeuverModifier, ManeuverType } from './maneuver.js';
import { maneuverAt, modifierOf, turnAngle } from './maneuver-at.js';
import type { StepStart } from './step-start.js';

export { guidanceLanguages } from './guidance-text.js';

export type { Maneuver };

export interface RouteStep {
  readonly distanceM: number;
  readonly durationS: number;
  /** As on the map, not escaped. */
  readonly name: string;
  readonly ref: string;
  /** On the signs of a ramp or fork, and of a road without a name; empty elsewhere. */
  readonly destinations: string;
  /** Number of the motorway exit where one is taken; else empty. */
  readonly exits: string;
  readonly mode: 'driving' | 'cycling' | 'walking' | 'ferry';
  readonly maneuver: Maneuver;
  /** Plain text; contains names as on the map. */
  readonly instruction: string;
  /** Names are escaped, the only tags are `<b>` and `</b>`. */
  readonly htmlInstruction: string;
  /** Points of the path geometry: from this index to that one, both included. */
  readonly geometryFrom: number;
  readonly geometryTo: number;
  /** Edges of the path: first and one past the last. */
  readonly edgeFrom: number;
  readonly edgeTo: number;
}

export interface GuideOptions {
  /** A code of `guidanceLanguages`, or one that begins with such a code; anything else is English. */
  readonly language?: string;
  /** Side of the road that the destination lies on. */
  readonly arrivalSide?: 'left' | 'right';
}

/** Steps from `depart` to `arrive`; their distances and durations add up to the path's. */
export function guide(
  network: RoadNetwork,
  metric: Metric,
  path: RoutePath,
  geometry: PathGeometry,
  options: GuideOptions,
): RouteStep[] {
  const { edges } = path;
  const { bearingIn, bearingOut } = network.arrays;
  const telling = { network, mode: metric.mode, language: guidanceLanguage(options.language) };
  const starts = joinUturns(network, metric.mode, edges, stepStarts(network, metric.mode, edges));
  const steps: RouteStep[] = [];
  for (let i = 0; i < starts.length; i++) {
    const { edge: edgeFrom, named, type, modifier, exit } = starts[i];
    const edgeTo = i + 1 < starts.length ? starts[i + 1].edge : edges.length;
    let distanceM = 0;
    let durationMs = 0;
    for (let at = edgeFrom; at < edgeTo; at++) {
      distanceM += network.edgeLengthM(edges[at]) * shareOf(path, at);
      durationMs += msAt(network, metric, path, at);
    }
    const geometryFrom = geometry.edgeStart[edgeFrom];
    const bearingBefore = edgeFrom === 0 ? 0 : compass(bearingIn[edges[edgeFrom - 1]]);
    const bearingAfter = compass(bearingOut[edges[edgeFrom]]);
    const at = maneuver(type, modifier, exit, bearingBefore, bearingAfter, pointAt(geometry, geometryFrom));
    steps.push(
      stepOf(telling, edges[edgeFrom], edges[named], at, {
        distanceM: Math.max(0, distanceM),
        durationS: durationMs / 1000,
        geometryFrom,
        geometryTo: geometry.edgeStart[edgeTo],
        edgeFrom,
        edgeTo,
      }),
    );
  }
  const end = geometry.edgeStart[edges.length];
  const last = edges[edges.length - 1];
  const side = options.arrivalSide;
  const arrival = maneuver('arrive', side, undefined, compass(bearingIn[last]), 0, pointAt(geometry, end));
  steps.push(
    stepOf(telling, last, last, arrival, {
      distanceM: 0,
      durationS: 0,
      geometryFrom: end,
      geometryTo: end,
      edgeFrom: edges.length,
      edgeTo: edges.length,
    }),
  );
  return steps;
}

const compass = (bearing: number): number => (bearing * 360) / 256;
const pointAt = ({ lngLat }: PathGeometry, index: number): LatLng => ({
  lat: lngLat[2 * index + 1],
  lng: lngLat[2 * index],
});

/** Each combination is a separate literal, because spreads cost more than everything else here. */
function maneuver(
  type: ManeuverType,
  modifier: ManeuverModifier | undefined,
  exit: number | undefined,
  bearingBefore: number,
  bearingAfter: number,
  location: LatLng,
): Maneuver {
  if (exit !== undefined)
    return modifier === undefined
      ? { type, exit, bearingBefore, bearingAfter, location }
      : { type, modifier, exit, bearingBefore, bearingAfter, location };
  return modifier === undefined
    ? { type, bearingBefore, bearingAfter, location }
    : { type, modifier, bearingBefore, bearingAfter, location };
}

type Extent = Pick<
  RouteStep,
  'distanceM' | 'durationS' | 'geometryFrom' | 'geometryTo' | 'edgeFrom' | 'edgeTo'
>;

function stepOf(
  { network, mode, language }: { network: RoadNetwork; mode: TravelMode; language: string },
  travelled: number,
  named: number,
  at: Maneuver,
  { distanceM, durationS, geometryFrom, geometryTo, edgeFrom, edgeTo }: Extent,
): RouteStep {
  const name = network.edgeName(named);
  const ref = network.edgeRef(named);
  const { destinations, exits } = signAt(network, named, at.type, name !== '' || ref !== '');
  const stepMode = isFerry(network, travelled) ? 'ferry' : mode === 'bicycling' ? 'cycling' : mode;
  const { text, html } = spell(
    {
      name,
      ref,
      destinations,
      exits,
      mode: at.type === 'arrive' ? '' : stepMode,
      maneuver: at,
      motorway: network.arrays.roadClass[named] === MOTORWAY,
      drivingSide: network.meta.drivingSide,
    },
    language,
  );
  return {
    distanceM,
    durationS,
    name,
    ref,
    destinations,
    exits,
    mode: stepMode,
    maneuver: at,
    instruction: text,
    htmlInstruction: html,
    geometryFrom,
    geometryTo,
    edgeFrom,
    edgeTo,
  };
}

/** A turn into a street uses its name; signs are used where roads divide, and for roads without a name. */
function signAt(network: RoadNetwork, edge: number, type: ManeuverType, isNamed: boolean): RoadSign {
  const divides = type === 'off ramp' || type === 'on ramp' || type === 'fork';
  if (type === 'arrive' || (!divides && isNamed)) return noSign;
  const { destinations, exits } = network.edgeSign(edge);
  return { destinations, exits: type === 'off ramp' ? exits : '' };
}

const MOTORWAY = roadClasses.indexOf('motorway');

const isFerry = ({ arrays }: RoadNetwork, edge: number): boolean =>
  (arrays.flags[edge] & edgeFlag.ferry) !== 0;
/** A line of ships that is tagged as a roundabout has no exits to count. */
const isRoundabout = ({ arrays }: RoadNetwork, edge: number): boolean =>
  (arrays.flags[edge] & (edgeFlag.roundabout | edgeFlag.ferry)) === edgeFlag.roundabout;

function stepStarts(network: RoadNetwork, mode: TravelMode, edges: Uint32Array): StepStart[] {
  const starts: StepStart[] = [{ edge: 0, named: 0, type: 'depart' }];
  const onRoundabout = (at: number): boolean => isRoundabout(network, edges[at]);
  for (let at = 1; at < edges.length; at++) {
    if (onRoundabout(at)) {
      if (onRoundabout(at - 1)) continue;
      let after = at + 1;
      while (after < edges.length && onRoundabout(after)) after++;
      const leaves = after < edges.length;
      const named = leaves ? after : at;
      starts.push({
        edge: at,
        named,
        type: 'roundabout',
        modifier: leaves ? modifierOf(turnAngle(network, edges[at - 1], edges[after])) : 'straight',
        ...(leaves ? { exit: exitNumber(network, mode, edges[at - 1], edges.subarray(at, after)) } : {}),
      });
      continue;
    }
    if (onRoundabout(at - 1)) {
      if (isFerry(network, edges[at])) {
        const modifier = modifierOf(turnAngle(network, edges[at - 1], edges[at]));
        starts.push({ edge: at, named: at, type: 'notification', modifier });
      }
      // The exit was announced at the entry, unless the route begins on the roundabout.
      else if (starts.at(-1)?.type !== 'roundabout')
        starts.push({ edge: at, named: at, type: 'turn', modifier: 'right' });
      continue;
    }
    const kind = maneuverAt(network, mode, edges[at - 1], edges[at]);
    if (kind !== undefined) starts.push({ edge: at, named: at, ...kind });
  }
  return starts;
}

/**
 * Exits that are passed on the ring, plus the one that is taken. Where a road leaves the ring at the node of
 * the entry, it is passed if it lies ahead of the entry.
 */
function exitNumber(network: RoadNetwork, mode: TravelMode, entry: number, ring: Uint32Array): number {
  const { head, firstOut, copyOf, speedKph } = network.arrays;
  const offset = modeIndex(mode) * network.edgeCount;
  let exits = 1;
  const count = (node: number, isPassed: (out: number) => boolean): void => {
    for (let out = firstOut[node]; out < firstOut[node + 1]; out++)
      if (copyOf[out] === out && !isRoundabout(network, out) && speedKph[offset + out] > 0 && isPassed(out))
        exits++;
  };
  count(head[entry], (out) => liesAhead(network, entry, ring[0], out));
  for (const edge of ring.subarray(0, -1)) count(head[edge], () => true);
  return exits;
}

/** Between the ring and the entry, on the side of the ring that traffic leaves it. */
function liesAhead({ arrays, meta }: RoadNetwork, entry: number, ring: number, out: number): boolean {
  const { bearingIn, bearingOut } = arrays;
  const turn = meta.drivingSide === 'right' ? 1 : -1;
  const from = (bearing: number): number => (turn * (bearing - bearingOut[ring])) & 255;
  return from(bearingOut[out]) < from(bearingIn[entry] + 128);
}
