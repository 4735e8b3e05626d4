import type { NavAnswer, NavLane, NavRoute, NavStep } from '#schemas/http/nav.js';
import type { travelModes } from '#schemas/http/shapes.js';
import { E7, type LatLng } from '#schemas/units.js';
import type { Mode, Plan, PlannedLane, PlannedRoute, PlannedStep, SnappedPlace } from '../ports/planner.js';
import { attribution } from '../road-tiles/tile-json.js';
import { unknownPlaces } from './messages.js';
import { onlyBold } from './only-bold.js';
import { distanceQuantity, durationQuantity, type Units } from './quantity-text.js';
import { type RankedRoute, rankRoutes, type Usualness } from './rank-routes.js';
import type { ResolvedPlace } from './resolve-place.js';

export interface AnswerStyle {
  readonly mode: Mode;
  readonly units: Units;
  /** A language that guidance is offered in. */
  readonly language: string;
  readonly nowMs: number;
  /** Absent for a request without a user who allowed it. */
  readonly usualness?: Usualness;
}

const travelModeOf = {
  driving: 'DRIVING',
  walking: 'WALKING',
  bicycling: 'BICYCLING',
} as const satisfies Record<Mode, (typeof travelModes)[number]>;

/** Seven decimals, 11 mm, are the resolution of the map. */
const position = ({ lat, lng }: LatLng): LatLng => ({ lat: round7(lat), lng: round7(lng) });
const round7 = (degrees: number): number => Math.round(degrees * E7) / E7;

type Waypoint = NavAnswer['geocoded_waypoints'][number];

/** The requested places; undefined: not on the map. */
export type AskedEnds = Readonly<Record<'origin' | 'destination', ResolvedPlace | undefined>>;

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

function navStep(step: PlannedStep, html: string, { mode, units, language }: AnswerStyle): NavStep {
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
  ends: { readonly origin: SnappedPlace; readonly destination: SnappedPlace },
  style: AnswerStyle,
): NavRoute {
  const duration = durationQuantity(route.durationS, style.language);
  return {
    summary: route.summary,
    legs: [
      {
        distance: distanceQuantity(route.distanceM, style.units, style.language),
        // All times include traffic; the time without traffic is a separate field.
        duration,
        ...inTraffic(route, style),
        duration_free_flow: durationQuantity(route.freeFlowS, style.language),
        start_location: position(ends.origin.at),
        end_location: position(ends.destination.at),
        distance_to_start: distanceQuantity(ends.origin.distanceM, style.units, style.language),
        distance_from_end: distanceQuantity(ends.destination.distanceM, style.units, style.language),
        steps: navSteps(route.steps, style),
      },
    ],
    overview_polyline: { points: route.polyline },
    copyrights: attribution,
    warnings: [...route.warnings],
    ranked_because: because,
  };
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
function navSteps(steps: readonly PlannedStep[], style: AnswerStyle): NavStep[] {
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
  const missing = (['origin', 'destination'] as const).filter((end) => asked[end] === undefined);
  return {
    status: 'NOT_FOUND',
    geocoded_waypoints: [asked.origin, asked.destination].map((place) =>
      place === undefined ? notFound : waypoint(place, undefined),
    ),
    routes: [],
    ...frameOf(frame, style),
    reason: unknownPlaces(missing),
  };
}

/** The specification's fields at the top level, and the Google Directions layout in `routes`. */
export function navAnswer(plan: Plan, asked: AskedEnds, style: AnswerStyle): NavAnswer {
  const frame = frameOf(plan, style);
  if (plan.kind === 'not-found') {
    const ends = [asked.origin, asked.destination].map((place) => waypoint(place, undefined));
    ends[plan.missing === 'origin' ? 0 : 1] = notFound;
    return { status: 'NOT_FOUND', geocoded_waypoints: ends, routes: [], ...frame, reason: plan.reason };
  }
  const geocoded = [waypoint(asked.origin, plan.origin), waypoint(asked.destination, plan.destination)];
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
  const leg = routes[0]!.legs[0]!;
  return {
    status: 'OK',
    geocoded_waypoints: geocoded,
    routes,
    distance: leg.distance,
    duration: leg.duration,
    start_location: leg.start_location,
    end_location: leg.end_location,
    html_instructions: best.steps.map(({ html }) => `<div>${onlyBold(html)}</div>`).join(''),
    polyline: { points: best.polyline },
    ...frame,
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
