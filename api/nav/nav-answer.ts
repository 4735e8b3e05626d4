import type { NavAnswer, NavLane, NavRoute, NavStep } from '#schemas/http/nav.js';
import type { NavAnswerWithWork, SearchWork } from '#schemas/http/search-work.js';
import type { travelModes } from '#schemas/http/shapes.js';
import { E7, type LatLng } from '#schemas/units.js';
import type {
  Mode,
  Plan,
  PlannedLane,
  PlannedLeg,
  PlannedRoute,
  PlannedStep,
  SnappedPlace,
} from '../ports/planner.js';
import { attribution } from '../road-tiles/tile-json.js';
import { departures } from './leg-times.js';
import { unknownPlaces, waypoint as waypointName } from './messages.js';
import { onlyBold } from './only-bold.js';
import { distanceQuantity, durationQuantity, type Units } from './quantity-text.js';
import { type RankedRoute, rankRoutes, type Usualness } from './rank-routes.js';
import type { ResolvedPlace } from './resolve-place.js';
import { viaWaypoint } from './via-waypoint.js';

/** How steps are told. */
export interface StepStyle {
  readonly mode: Mode;
  readonly units: Units;
  /** A language that guidance is offered in. */
  readonly language: string;
}

export interface AnswerStyle extends StepStyle {
  readonly nowMs: number;
  /** Unix milliseconds: the answer says when to leave. */
  readonly arriveByMs?: number;
  /** The answer has the work of the search. */
  readonly debug?: boolean;
  /** Absent for a request without a user who allowed it. */
  readonly usualness?: Usualness;
}

const travelModeOf = {
  driving: 'DRIVING',
  walking: 'WALKING',
  bicycling: 'BICYCLING',
  truck: 'DRIVING',
} as const satisfies Record<Mode, (typeof travelModes)[number]>;

/** Seven decimals, 11 mm, are the resolution of the map. */
const position = ({ lat, lng }: LatLng): LatLng => ({ lat: round7(lat), lng: round7(lng) });
const round7 = (degrees: number): number => Math.round(degrees * E7) / E7;

type Waypoint = NavAnswer['geocoded_waypoints'][number];

/** The requested places; undefined: not on the map. */
export type AskedEnds = Readonly<Record<'origin' | 'destination', ResolvedPlace | undefined>> & {
  readonly waypoints?: readonly (ResolvedPlace | undefined)[];
};

const placesOf = ({ origin, waypoints = [], destination }: AskedEnds): (ResolvedPlace | undefined)[] => [
  origin,
  ...waypoints,
  destination,
];

const notFound: Waypoint = { geocoder_status: 'NOT_FOUND', partial_match: false, place_id: '', types: [] };

/** A geocoded place has the geocoder's name, a point the name of the road to which it was moved. */
function waypoint(asked: ResolvedPlace | undefined, snapped: SnappedPlace | undefined): Waypoint {
  if (asked?.geocoded !== undefined) {
    const { placeId, partialMatch, types } = asked.geocoded;
    return { geocoder_status: 'OK', partial_match: partialMatch, place_id: placeId, types: [...types] };
  }
  return {
    geocoder_status: 'OK',
    partial_match: false,
    place_id: snapped === undefined ? '' : `edge:${snapped.edgeId}@${snapped.fraction.toFixed(3)}`,
    types: ['route'],
  };
}

function navStep(step: PlannedStep, html: string, { mode, units, language }: StepStyle): NavStep {
  return {
    distance: distanceQuantity(step.distanceM, units, language),
    duration: durationQuantity(step.durationS, language),
    start_location: position(step.start),
    end_location: position(step.end),
    html_instructions: html,
    ...(step.maneuver === undefined ? {} : { maneuver: step.maneuver }),
    ...(step.lanes === undefined ? {} : { lanes: step.lanes.map(navLane) }),
    polyline: { points: step.polyline },
    travel_mode: travelModeOf[mode],
  };
}

const navLane = ({ indications, valid }: PlannedLane): NavLane => ({ indications: [...indications], valid });

function navRoute(
  { route, because }: RankedRoute,
  { origin, destination }: { readonly origin: SnappedPlace; readonly destination: SnappedPlace },
  style: AnswerStyle,
): NavRoute {
  const legs = route.legs ?? [{ route, from: origin, to: destination, passed: [] }];
  const times = departures(legs, style);
  return {
    summary: route.summary,
    legs: legs.map((leg, at) => ({ ...navLeg(leg, style), ...times.legs[at] })),
    overview_polyline: { points: route.polyline },
    copyrights: attribution,
    warnings: [...route.warnings, ...times.warnings],
    ...(route.waypointOrder === undefined ? {} : { waypoint_order: [...route.waypointOrder] }),
    ranked_because: because,
  };
}

function navLeg({ route, from, to, passed }: PlannedLeg, style: AnswerStyle): NavRoute['legs'][number] {
  return {
    distance: distanceQuantity(route.distanceM, style.units, style.language),
    // All times include traffic; the time without traffic is a separate field.
    duration: durationQuantity(route.durationS, style.language),
    ...inTraffic(route, style),
    duration_free_flow: durationQuantity(route.freeFlowS, style.language),
    start_location: position(from.at),
    end_location: position(to.at),
    distance_to_start: distanceQuantity(from.distanceM, style.units, style.language),
    distance_from_end: distanceQuantity(to.distanceM, style.units, style.language),
    ...(passed.length === 0 ? {} : { via_waypoint: passed.map((place) => viaWaypoint(place, route.steps)) }),
    ...elevation(route, style),
    steps: navSteps(route.steps, style),
  };
}

/** By the slopes that the map states, which are few. */
function elevation(
  { climb }: PlannedRoute,
  { units, language }: AnswerStyle,
): Pick<NavRoute['legs'][number], 'elevation'> {
  if (climb === undefined) return {};
  const quantity = (metres: number) => distanceQuantity(metres, units, language);
  const { upM, downM, statedM } = climb;
  return { elevation: { gain: quantity(upM), loss: quantity(downM), known_for: quantity(statedM) } };
}

/**
 * The learned travel time, with the interval that contains four of five trips; else the time of the metric.
 */
function inTraffic(
  { durationS, arrival }: PlannedRoute,
  { language }: AnswerStyle,
): Pick<NavRoute['legs'][number], 'duration_in_traffic' | 'duration_interval' | 'duration_fallback'> {
  const interval = arrival?.interval;
  return {
    duration_in_traffic: durationQuantity(arrival?.durationS ?? durationS, language),
    ...(interval && {
      duration_interval: {
        low: durationQuantity(interval.lowS, language),
        high: durationQuantity(interval.highS, language),
      },
    }),
    ...(arrival?.fallback && { duration_fallback: arrival.fallback }),
  };
}

/** In this layout, the arrival is not a separate step: its sentence ends the previous step. */
export function navSteps(steps: readonly PlannedStep[], style: StepStyle): NavStep[] {
  const moving = steps.filter((step, index) => !step.isArrival || index === 0);
  const arrival = steps.length > 1 ? steps.find(({ isArrival }) => isArrival) : undefined;
  return moving.map((step, index) => {
    const closing =
      arrival === undefined || index < moving.length - 1 ? '' : `<div>${onlyBold(arrival.html)}</div>`;
    return navStep(step, onlyBold(step.html) + closing, style);
  });
}

interface Frame {
  readonly metricVersion: number;
  readonly tilesetId: string;
}

const frameOf = ({ metricVersion, tilesetId }: Frame, { mode }: Pick<AnswerStyle, 'mode'>) => ({
  travel_mode: travelModeOf[mode],
  metric_version: metricVersion,
  tileset_id: tilesetId,
});

/** The answer if an address is not on the map: which of the two it was. */
export function unknownPlaceAnswer(
  asked: AskedEnds,
  frame: Frame,
  style: Pick<AnswerStyle, 'mode'>,
): NavAnswer {
  const places = placesOf(asked);
  const names = places.map((_, at) =>
    at === 0 ? 'the origin' : at === places.length - 1 ? 'the destination' : waypointName(at),
  );
  const missing = names.filter((_, at) => places[at] === undefined);
  return {
    status: 'NOT_FOUND',
    geocoded_waypoints: places.map((place) => (place === undefined ? notFound : waypoint(place, undefined))),
    routes: [],
    ...frameOf(frame, style),
    reason: unknownPlaces(missing),
  };
}

/** What the search for each leg read of the map. */
const workOf = (route: PlannedRoute): SearchWork[] =>
  (route.legs?.map((leg) => leg.route) ?? [route]).flatMap(({ search }) => {
    if (search === undefined) return [];
    const { settled, detailedCells, crossedCells } = search();
    return [{ settled, detailed_cells: detailedCells, crossed_cells: crossedCells }];
  });

/** The specification's fields at the top level, and the Google Directions layout in `routes`. */
export function navAnswer(plan: Plan, asked: AskedEnds, style: AnswerStyle): NavAnswerWithWork {
  const frame = frameOf(plan, style);
  if (plan.kind === 'not-found') {
    const ends = placesOf(asked).map((place) => waypoint(place, undefined));
    const { missing } = plan;
    ends[missing === 'origin' ? 0 : missing === 'destination' ? ends.length - 1 : missing + 1] = notFound;
    return { status: 'NOT_FOUND', geocoded_waypoints: ends, routes: [], ...frame, reason: plan.reason };
  }
  const used = plan.kind === 'routes' ? plan.waypoints : undefined;
  const geocoded = [
    waypoint(asked.origin, plan.origin),
    ...(asked.waypoints ?? []).map((place, at) => waypoint(place, used?.[at])),
    waypoint(asked.destination, plan.destination),
  ];
  if (plan.kind === 'no-route')
    return {
      status: 'ZERO_RESULTS',
      geocoded_waypoints: geocoded,
      routes: [],
      ...frame,
      reason: plan.reason,
    };

  const ranked = rankRoutes(plan.routes, style.units, style.usualness);
  const best = ranked[0]!.route;
  const routes = ranked.map((each) => navRoute(each, plan, style));
  const { legs } = routes[0]!;
  return {
    status: 'OK',
    geocoded_waypoints: geocoded,
    routes,
    distance: distanceQuantity(best.distanceM, style.units, style.language),
    duration: durationQuantity(best.durationS, style.language),
    start_location: legs[0]!.start_location,
    end_location: legs.at(-1)!.end_location,
    html_instructions: best.steps.map(({ html }) => `<div>${onlyBold(html)}</div>`).join(''),
    polyline: { points: best.polyline },
    ...frame,
    ...(style.debug === true && { debug: workOf(best) }),
    evidence: {
      live_edges: best.liveEdges,
      edges: best.edgeCount,
      metric_age_s:
        plan.metricPublishedMs === undefined
          ? null
          : Math.max(0, Math.round((style.nowMs - plan.metricPublishedMs) / 1_000)),
    },
  };
}
