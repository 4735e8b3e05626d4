import type { LatLng } from '#schemas/units.js';
import type { RoutePath } from './find-route.js';
import type { Metric } from './metric.js';
import type { PathGeometry } from './path-geometry.js';
import type { RoadNetwork } from './road-network.js';

/** OSRM's words for maneuvers. */
export type ManeuverType =
  | 'depart'
  | 'arrive'
  | 'turn'
  | 'new name'
  | 'merge'
  | 'on ramp'
  | 'off ramp'
  | 'fork'
  | 'end of road'
  | 'continue'
  | 'roundabout'
  | 'notification';
export type ManeuverModifier =
  | 'uturn'
  | 'sharp right'
  | 'right'
  | 'slight right'
  | 'straight'
  | 'slight left'
  | 'left'
  | 'sharp left';

export interface Maneuver {
  readonly type: ManeuverType;
  /** Absent at the departure, and at an arrival straight ahead. */
  readonly modifier?: ManeuverModifier;
  /** Number of the exit, at roundabouts. */
  readonly exit?: number;
  /** Compass degrees before and after. */
  readonly bearingBefore: number;
  readonly bearingAfter: number;
  readonly location: LatLng;
}

export interface RouteStep {
  readonly distanceM: number;
  readonly durationS: number;
  /** As on the map, not escaped. */
  readonly name: string;
  readonly ref: string;
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

/** A language code of `guidanceLanguages`; anything else falls back to English. */
export interface GuideOptions {
  readonly language?: string;
}

export const guidanceLanguages: readonly string[] = [];

/** Steps from `depart` to `arrive`; their distances and durations add up to the path's. */
export function guide(
  network: RoadNetwork,
  metric: Metric,
  path: RoutePath,
  geometry: PathGeometry,
  options: GuideOptions,
): RouteStep[] {
  throw new Error('in the making');
}
