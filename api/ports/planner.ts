import type { Vehicle } from '#routing-engine/network/vehicle.js';
import type { Avoidance } from '#schemas/http/nav.js';
import type { LatLng } from '#schemas/units.js';
import type { ArrivalTime } from './arrival-times.js';

export type Mode = 'driving' | 'walking' | 'bicycling' | 'truck';

/** Where on the network the geocoder reaches a place; the planner then searches for no road. */
export interface PlaceOnRoad {
  /** A directed edge of `tilesetId`. */
  readonly edge: number;
  readonly tilesetId: string;
  /** 0 to 1 along the edge. */
  readonly fraction: number;
  /** Looking along the edge. */
  readonly side: 'left' | 'right' | 'on';
}

/** A place between the origin and the destination. */
export interface PlanWaypoint {
  readonly at: LatLng;
  readonly onRoad?: PlaceOnRoad;
  /** The route passes it without a stop. */
  readonly isVia: boolean;
}

export interface PlanRequest {
  readonly origin: LatLng;
  readonly originOnRoad?: PlaceOnRoad;
  /** Degrees from north: the route begins in the direction in which the traveller moves. */
  readonly originHeadingDeg?: number;
  readonly destination: LatLng;
  readonly destinationOnRoad?: PlaceOnRoad;
  /** In order; a route with waypoints has no alternatives. */
  readonly waypoints?: readonly PlanWaypoint[];
  /** All waypoints are stops, and are visited in the best order. */
  readonly optimize?: boolean;
  readonly mode: Mode;
  /** Of the mode `truck`; absent: the usual one. */
  readonly vehicle?: Vehicle;
  /** Of what has a motor; absent: as fast as the roads allow. */
  readonly topSpeedKph?: number;
  readonly avoid: readonly Avoidance[];
  /** Unix milliseconds; absent: now. Live traffic is not used for departures hours ahead. */
  readonly departureMs?: number;
  /** Unix milliseconds: the latest departure that arrives by then; excludes `departureMs`. */
  readonly arriveByMs?: number;
  /** Routes beside the best one, at most. */
  readonly alternatives: number;
  /** A language that guidance is offered in; absent: no steps are made. */
  readonly language?: string;
}

/** The maneuver at the start of a step, in OSRM's terms. */
export interface PlannedTurn {
  readonly type: string;
  /** Absent at the departure, and at an arrival straight ahead. */
  readonly modifier?: string;
  /** Number of the exit of a roundabout. */
  readonly exit?: number;
  /** Compass degrees. */
  readonly bearingBefore: number;
  readonly bearingAfter: number;
}

export interface PlannedLane {
  /** OSRM's words: `left`, `straight`, `none`, … */
  readonly indications: readonly string[];
  /** Leads to where the route goes. */
  readonly valid: boolean;
}

export interface PlannedStep {
  readonly turn: PlannedTurn;
  /** Name and number of the road, as on the map. */
  readonly name: string;
  readonly ref: string;
  readonly travelMode: 'driving' | 'cycling' | 'pushing bike' | 'walking' | 'ferry';
  /** Plain text; contains names as on the map. */
  readonly text: string;
  /** For people; names of roads are escaped, the only tags are `<b>` and `</b>`. */
  readonly html: string;
  /** The last step, which has no length. */
  readonly isArrival: boolean;
  /** Google's word, such as `turn-left`; absent where there is none. */
  readonly maneuver?: string;
  /** Before the maneuver, from left to right; absent if they are not known. */
  readonly lanes?: readonly PlannedLane[];
  readonly distanceM: number;
  readonly durationS: number;
  readonly start: LatLng;
  readonly end: LatLng;
  /** Encoded, precision 5. */
  readonly polyline: string;
}

export interface PlannedRoute {
  /** Roads of the route, each in one direction. */
  readonly edgeCount: number;
  /** Their stable ids, computed on demand: most answers do not need them. */
  readonly edgeIds: () => readonly string[];
  readonly distanceM: number;
  /** Under current traffic. */
  readonly durationS: number;
  /** The time that trips like this really take; absent if not requested. */
  readonly arrival?: ArrivalTime;
  /** The duration without other traffic. */
  readonly freeFlowS: number;
  /** Metres by kind of road that people may want to avoid. */
  readonly tollM: number;
  readonly motorwayM: number;
  readonly ferryM: number;
  /** Metres up and down by the slopes that the map states, and metres where it does; absent for none. */
  readonly climb?: { readonly upM: number; readonly downM: number; readonly statedM: number };
  /** Edges whose time is a live one. */
  readonly liveEdges: number;
  /** The work of the search, computed on demand; absent where one search serves several routes. */
  readonly search?: () => SearchWork;
  /** Encoded, precision 5. */
  readonly polyline: string;
  /** Name of the road that most of the route is on; may be empty. */
  readonly summary: string;
  readonly steps: readonly PlannedStep[];
  /** Of a route with waypoints, from stop to stop; the route has the sums. */
  readonly legs?: readonly PlannedLeg[];
  /** Numbers of the waypoints with a stop, in the order of the route; with `legs`. */
  readonly waypointOrder?: readonly number[];
  /** Warnings before departure. */
  readonly warnings: readonly string[];
  /** The navigating-user record: start tile to ever coarser tiles up to one that holds the destination. */
  readonly tiles: readonly string[];
}

/** What the search for a route read of the map. */
export interface SearchWork {
  /** Roads whose least time the search has fixed. */
  readonly settled: number;
  /** Cells of the finest level of which the search read single roads, not only the overlay. */
  readonly detailedCells: number;
  /** Cells of the finest level that the route crosses. */
  readonly crossedCells: number;
}

/** From stop to stop. */
export interface PlannedLeg {
  readonly route: PlannedRoute;
  readonly from: SnappedPlace;
  readonly to: SnappedPlace;
  /** Places that are passed without a stop, with the metres to them from the start of the leg. */
  readonly passed: readonly { readonly at: LatLng; readonly metres: number }[];
}

/** The point of a road that a place was moved to. */
export interface SnappedPlace {
  readonly at: LatLng;
  /** From the place that was requested. */
  readonly distanceM: number;
  readonly edgeId: string;
  /** 0 to 1 along the edge. */
  readonly fraction: number;
}

/** A place of a request; a waypoint by its number, from 0. */
export type PlanEnd = 'origin' | 'destination' | number;

export type Plan = {
  readonly metricVersion: number;
  readonly tilesetId: string;
  /** Unix milliseconds at which that version was published; undefined before the first. */
  readonly metricPublishedMs: number | undefined;
} & (
  | {
      readonly kind: 'routes';
      readonly origin: SnappedPlace;
      readonly destination: SnappedPlace;
      /** Of a request with waypoints, in its order. */
      readonly waypoints?: readonly SnappedPlace[];
      /** Best first, never empty. */
      readonly routes: readonly PlannedRoute[];
    }
  | {
      readonly kind: 'no-route';
      /** Absent for a request with waypoints. */
      readonly origin?: SnappedPlace;
      readonly destination?: SnappedPlace;
      readonly reason: string;
    }
  /** No road of the mode within the radius of one of the places. */
  | { readonly kind: 'not-found'; readonly missing: PlanEnd; readonly reason: string }
);

/** The live state of the roads is incomplete, so a route might be wrong; the message says what is missing. */
export class RoutesUnavailable extends Error {
  override readonly name = 'RoutesUnavailable';
}

/** Finds routes on the road network under the current metric. */
export interface Planner {
  /**
   * Rejects with `RoutesUnavailable`, with `PoolSaturated` when there are too many requests, `TaskTimedOut`
   * when the search takes too long, and with the reason of the signal when that fires before the search
   * began.
   */
  plan(request: PlanRequest, options?: { readonly signal?: AbortSignal }): Promise<Plan>;
}
