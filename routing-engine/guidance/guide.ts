import type { LatLng } from '#schemas/units.js';
import { edgeFlag, roadClasses } from '../network/edge-flags.js';
import type { RoadNetwork } from '../network/road-network.js';
import { noSign, type RoadSign } from '../network/road-sign.js';
import type { TravelMode } from '../network/travel-mode.js';
import type { Metric } from '../overlay/metric.js';
import type { RoutePath } from '../route/find-route.js';
import type { PathGeometry } from '../route/path-geometry.js';
import { msAt, shareOf } from '../route/path-times.js';
import { guidanceLanguage, spell } from './guidance-text.js';
import { type KnownSentences, knownSentences } from './known-sentences.js';
import type { Maneuver, ManeuverModifier, ManeuverType, StepMode } from './maneuver.js';
import { joinNearSteps } from './near-steps.js';
import { isPushed } from './pushing.js';
import { arrivesOn, leaveOutShortNames } from './short-names.js';
import { joinSlipRoads } from './slip-road.js';
import { asStated } from './stated-maneuvers.js';
import { stepStarts } from './step-starts.js';

export { guidanceLanguages } from './guidance-text.js';

export type { Maneuver };

export interface RouteStep {
  readonly distanceM: number;
  readonly durationS: number;
  /** As on the map, not escaped. */
  readonly name: string;
  readonly ref: string;
  /** The signed directions of its numbers, `west` for example, separated by `;`; empty if there are none. */
  readonly refDirections: string;
  /** How the name is said, as on the map; empty if the map does not say. */
  readonly pronunciation: string;
  /** On the signs of the road; empty if there are none. */
  readonly destinations: string;
  /** Number of the motorway exit that the road belongs to; else empty. */
  readonly exits: string;
  /** Of the rotary that is entered; else empty. */
  readonly rotaryName: string;
  readonly mode: StepMode;
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
  /** The first edge of the path behind the crossing, slip road or ring that the maneuver leads over. */
  readonly edgeBehind: number;
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
  const language = guidanceLanguage(options.language);
  const sentences = knownSentences(network, language);
  const telling = { network, mode: metric.mode, language, sentences };
  const crossed = joinSlipRoads(network, metric.mode, edges, stepStarts(network, metric.mode, edges));
  const joined = joinNearSteps(network, metric.mode, edges, crossed);
  const shown = leaveOutShortNames(network, metric.mode, path, joined);
  const starts = asStated(network, metric.mode, edges, shown);
  const steps: RouteStep[] = [];
  for (let i = 0; i < starts.length; i++) {
    const { edge: edgeFrom, named, behind = named, type, modifier, exit, ring } = starts[i];
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
      stepOf(telling, edges[edgeFrom], edges[named], ring, at, {
        distanceM: Math.max(0, distanceM),
        durationS: durationMs / 1000,
        geometryFrom,
        geometryTo: geometry.edgeStart[edgeTo],
        edgeFrom,
        edgeTo,
        edgeBehind: behind,
      }),
    );
  }
  const end = geometry.edgeStart[edges.length];
  const last = edges[edges.length - 1];
  const side = options.arrivalSide;
  const arrival = maneuver('arrive', side, undefined, compass(bearingIn[last]), 0, pointAt(geometry, end));
  steps.push(
    stepOf(telling, last, arrivesOn(network, path, starts[starts.length - 1]), undefined, arrival, {
      distanceM: 0,
      durationS: 0,
      geometryFrom: end,
      geometryTo: end,
      edgeFrom: edges.length,
      edgeTo: edges.length,
      edgeBehind: edges.length,
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
  'distanceM' | 'durationS' | 'geometryFrom' | 'geometryTo' | 'edgeFrom' | 'edgeTo' | 'edgeBehind'
>;

interface Telling {
  readonly network: RoadNetwork;
  readonly mode: TravelMode;
  readonly language: string;
  readonly sentences: KnownSentences;
}

function stepOf(
  { network, mode, language, sentences }: Telling,
  travelled: number,
  named: number,
  ring: number | undefined,
  at: Maneuver,
  { distanceM, durationS, geometryFrom, geometryTo, edgeFrom, edgeTo, edgeBehind }: Extent,
): RouteStep {
  const name = network.edgeName(named);
  const ref = network.edgeRef(named);
  const sign = network.edgeSign(named);
  const { destinations, exits } = saidOf(sign, at.type, name !== '' || ref !== '');
  const rotaryName = ring === undefined ? '' : network.edgeName(ring);
  const stepMode = modeOn(network, mode, travelled);
  const saidMode = at.type === 'arrive' ? '' : stepMode;
  const motorway = network.arrays.roadClass[named] === MOTORWAY;
  const isSigned = destinations !== '' || exits !== '' || rotaryName !== '';
  let sentence = isSigned ? undefined : sentences.about(named, at, saidMode, motorway);
  if (sentence === undefined) {
    const { drivingSide } = network.meta;
    const told = { name, ref, destinations, exits, rotaryName, mode: saidMode, motorway, drivingSide };
    sentence = spell({ ...told, maneuver: at }, language);
    if (!isSigned) sentences.keep(named, at, saidMode, motorway, sentence);
  }
  return {
    distanceM,
    durationS,
    name,
    ref,
    refDirections: network.edgeDirections(named),
    pronunciation: network.edgePronunciation(named),
    destinations: sign.destinations,
    exits: sign.exits,
    rotaryName,
    mode: stepMode,
    maneuver: at,
    instruction: sentence.text,
    htmlInstruction: sentence.html,
    geometryFrom,
    geometryTo,
    edgeFrom,
    edgeTo,
    edgeBehind,
  };
}

function modeOn(network: RoadNetwork, mode: TravelMode, edge: number): StepMode {
  if (isFerry(network, edge)) return 'ferry';
  if (mode === 'walking') return mode;
  if (mode !== 'bicycling') return 'driving';
  return isPushed(network, mode, edge) ? 'pushing bike' : 'cycling';
}

/** Instructions have the name of a street, and signs where roads divide and for roads without a name. */
function saidOf({ destinations, exits }: RoadSign, type: ManeuverType, isNamed: boolean): RoadSign {
  const divides = type === 'off ramp' || type === 'on ramp' || type === 'fork';
  if (type === 'arrive' || (!divides && isNamed)) return noSign;
  return { destinations, exits: type === 'off ramp' ? exits : '' };
}

const MOTORWAY = roadClasses.indexOf('motorway');

const isFerry = ({ arrays }: RoadNetwork, edge: number): boolean =>
  (arrays.flags[edge] & edgeFlag.ferry) !== 0;
