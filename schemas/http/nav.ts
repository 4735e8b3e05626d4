import { type Static, Type } from 'typebox';
import { oneOf } from './one-of.js';
import type { RouteContract } from './route-contract.js';
import { Polyline, Position, TextValue, TravelMode } from './shapes.js';

export const avoidances = ['tolls', 'motorways', 'ferries', 'unpaved'] as const;
export type Avoidance = (typeof avoidances)[number];

/** What the times of a leg rest on. */
export const Evidence = Type.Object({
  live_edges: Type.Integer({ description: 'Edges of the route with a live speed.' }),
  edges: Type.Integer(),
  metric_age_s: Type.Union([Type.Number(), Type.Null()], {
    description: 'Seconds since the metric version was published; null before the first.',
  }),
});

export const NavStep = Type.Object({
  distance: TextValue,
  duration: TextValue,
  start_location: Position,
  end_location: Position,
  html_instructions: Type.String(),
  maneuver: Type.Optional(Type.String()),
  polyline: Polyline,
  travel_mode: TravelMode,
});

const NavLeg = Type.Object({
  distance: TextValue,
  duration: TextValue,
  duration_in_traffic: TextValue,
  duration_interval: Type.Optional(
    Type.Object(
      { low: TextValue, high: TextValue },
      { description: 'Four trips of five take between these.' },
    ),
  ),
  duration_fallback: Type.Optional(
    Type.Union([Type.Literal('no-model'), Type.Literal('failed')], {
      description:
        'Set when `duration_in_traffic` was not learnt from trips and is the time of the road metric.',
    }),
  ),
  duration_free_flow: Type.Optional(TextValue),
  start_location: Position,
  end_location: Position,
  distance_to_start: Type.Object(TextValue.properties, {
    description: 'From the origin that was asked for to `start_location`, as the crow flies.',
  }),
  distance_from_end: Type.Object(TextValue.properties, {
    description: 'From `end_location` to the destination that was asked for, as the crow flies.',
  }),
  steps: Type.Array(NavStep),
});

const NavRoute = Type.Object({
  summary: Type.String(),
  legs: Type.Array(NavLeg),
  overview_polyline: Polyline,
  copyrights: Type.String(),
  warnings: Type.Array(Type.String(), {
    description:
      'What to know before setting out: a road at either end is closed now, or the route begins or ends ' +
      'away from the place that was asked for. An end is moved only where no way leads from or to the ' +
      'roads nearest to it, by at most 1,000 m and by no more than the places lie apart; otherwise the ' +
      'status is ZERO_RESULTS.',
  }),
  ranked_because: Type.String({ description: 'Why the route stands at this place of the list.' }),
});

const GeocodedWaypoint = Type.Object({
  geocoder_status: Type.String(),
  partial_match: Type.Boolean(),
  place_id: Type.String(),
  types: Type.Array(Type.String()),
});

export const NavAnswer = Type.Object({
  status: Type.Union([Type.Literal('OK'), Type.Literal('ZERO_RESULTS'), Type.Literal('NOT_FOUND')]),
  geocoded_waypoints: Type.Array(GeocodedWaypoint),
  routes: Type.Array(NavRoute),
  distance: Type.Optional(TextValue),
  duration: Type.Optional(TextValue),
  start_location: Type.Optional(Position),
  end_location: Type.Optional(Position),
  html_instructions: Type.Optional(Type.String()),
  polyline: Type.Optional(Polyline),
  travel_mode: TravelMode,
  metric_version: Type.Integer({ description: 'Version of the road metric that every figure rests on.' }),
  tileset_id: Type.String(),
  evidence: Type.Optional(Evidence),
  reason: Type.Optional(Type.String({ description: 'Why there is no route.' })),
});
export type NavAnswer = Static<typeof NavAnswer>;
export type NavRoute = Static<typeof NavRoute>;
export type NavStep = Static<typeof NavStep>;

const namedPlace = 'An address, `lat,lng`, or `place_id:` with an id of the geocoder.';

export const getNav = {
  operationId: 'getNav',
  method: 'GET',
  path: '/v1/nav',
  listener: 'public',
  tag: 'navigation',
  summary: 'Routes from origin to destination under current traffic',
  description:
    'The answer has the fields of the navigation specification at the top level and the Google Directions layout in `routes`.',
  scopes: 'open',
  query: Type.Object({
    origin: Type.String({ minLength: 1, maxLength: 200, description: namedPlace }),
    destination: Type.String({ minLength: 1, maxLength: 200, description: namedPlace }),
    mode: Type.Optional(oneOf(['driving', 'walking', 'bicycling', 'cycling'])),
    avoid: Type.Optional(
      Type.String({
        maxLength: 60,
        description: 'tolls, motorways (or highways), ferries, unpaved; joined by `|`',
      }),
    ),
    alternatives: Type.Optional(Type.Boolean()),
    departure_time: Type.Optional(
      Type.String({
        maxLength: 40,
        description:
          '`now`, Unix seconds or RFC 3339. Live traffic counts up to half an hour ahead, free flow after that.',
      }),
    ),
    language: Type.Optional(Type.String({ maxLength: 16 })),
    units: Type.Optional(Type.Union([Type.Literal('metric'), Type.Literal('imperial')])),
  }),
  responses: {
    200: { description: 'Routes, or a status that says why there is none.', schema: NavAnswer },
    400: { description: 'A parameter is missing or wrong.' },
    503: {
      description:
        'The routing pool is saturated, the map or its geocoding index is not loaded yet, or the driving metric lacks an active incident; see Retry-After.',
    },
  },
} as const satisfies RouteContract;

/** What the platform knows of a navigation under way; the navigating-user record of the specification is `tiles`. */
export const Navigation = Type.Object({
  navigation_id: Type.String(),
  state: Type.Union([Type.Literal('active'), Type.Literal('unreachable'), Type.Literal('ended')], {
    description:
      '`unreachable`: no way leads to the destination now; `edge_ids` are those of the last route.',
  }),
  destination: Position,
  avoid: Type.Array(Type.String()),
  tileset_id: Type.String(),
  tiles: Type.Array(Type.String(), {
    description: 'Start tile to ever coarser tiles up to one that holds the destination.',
  }),
  edge_ids: Type.Array(Type.String()),
  duration_s: Type.Number(),
  metric_version: Type.Integer(),
  route_version: Type.Integer({ description: 'Grows by one with each route of this navigation.' }),
  changed_at: Type.String({ description: 'RFC 3339' }),
});
export type Navigation = Static<typeof Navigation>;

export const getNavigation = {
  operationId: 'getNavigation',
  method: 'GET',
  path: '/v1/navigations/{id}',
  listener: 'public',
  tag: 'navigation',
  summary: 'Your own navigation that is under way or ended a moment ago',
  scopes: ['driver', 'customer'],
  params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) }),
  responses: {
    200: { description: 'The record.', schema: Navigation },
    404: { description: "Not your navigation, or nobody's." },
  },
} as const satisfies RouteContract;
