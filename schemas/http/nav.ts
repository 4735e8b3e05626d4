import { type Static, Type } from 'typebox';
import { oneOf } from './one-of.js';
import type { RouteContract } from './route-contract.js';
import { Polyline, Position, TextValue, TravelMode } from './shapes.js';
import { topSpeedField, vehicleFields } from './vehicle.js';

/** As many as Google Directions has. */
export const waypointsMax = 23;
export const avoidances = ['tolls', 'motorways', 'ferries', 'unpaved'] as const;
export type Avoidance = (typeof avoidances)[number];

/** The source of a leg's times. */
export const Evidence = Type.Object({
  live_edges: Type.Integer({ description: 'Number of edges of the route with a live speed.' }),
  edges: Type.Integer(),
  metric_age_s: Type.Union([Type.Number(), Type.Null()], {
    description: 'Seconds since the metric version was published; null before the first version.',
  }),
});

const NavLane = Type.Object({
  indications: Type.Array(Type.String(), {
    description:
      'Where the lane leads: `left`, `slight left`, `straight`, `uturn`, …; `none` without a sign.',
  }),
  valid: Type.Boolean({ description: 'Whether the lane leads to where the route goes.' }),
});

export const NavStep = Type.Object({
  distance: TextValue,
  duration: TextValue,
  start_location: Position,
  end_location: Position,
  html_instructions: Type.String(),
  maneuver: Type.Optional(Type.String()),
  lanes: Type.Optional(
    Type.Array(NavLane, {
      description: 'The lanes before the maneuver, from left to right, where the map knows them.',
    }),
  ),
  polyline: Polyline,
  travel_mode: TravelMode,
});

const TimeValue = Type.Object(
  {
    text: Type.String({ description: 'RFC 3339, UTC.' }),
    value: Type.Integer({ description: 'Unix seconds.' }),
  },
  { description: 'Of a request with `arrival_time`.' },
);

const ViaWaypoint = Type.Object({
  location: Position,
  step_index: Type.Integer(),
  step_interpolation: Type.Number({ description: 'Position on the step, 0 to 1.' }),
});

const NavLeg = Type.Object({
  distance: TextValue,
  duration: TextValue,
  duration_in_traffic: TextValue,
  duration_interval: Type.Optional(
    Type.Object(
      { low: TextValue, high: TextValue },
      { description: 'Four out of five trips take between these times.' },
    ),
  ),
  duration_fallback: Type.Optional(
    Type.Union([Type.Literal('no-model'), Type.Literal('failed')], {
      description:
        'Set when `duration_in_traffic` comes from the road metric instead of learned trips. Until trips ' +
        'of this map are known, a model that was trained on other maps answers, without this field.',
    }),
  ),
  duration_free_flow: Type.Optional(TextValue),
  start_location: Position,
  end_location: Position,
  distance_to_start: Type.Object(TextValue.properties, {
    description: 'Straight-line distance from the requested origin to `start_location`.',
  }),
  distance_from_end: Type.Object(TextValue.properties, {
    description: 'Straight-line distance from `end_location` to the requested destination.',
  }),
  departure_time: Type.Optional(TimeValue),
  arrival_time: Type.Optional(TimeValue),
  via_waypoint: Type.Optional(
    Type.Array(ViaWaypoint, { description: 'Places that the leg passes without a stop.' }),
  ),
  elevation: Type.Optional(
    Type.Object(
      { gain: TextValue, loss: TextValue, known_for: TextValue },
      {
        description:
          'Metres up and down on roads whose slope the map states, `known_for` so much of the leg. Absent ' +
          'where it states none.',
      },
    ),
  ),
  steps: Type.Array(NavStep),
});

const NavRoute = Type.Object({
  summary: Type.String(),
  legs: Type.Array(NavLeg),
  overview_polyline: Polyline,
  copyrights: Type.String(),
  warnings: Type.Array(Type.String(), {
    description:
      'Notes for the driver: a road at either end is closed, or the route starts or ends ' +
      'away from the requested place. An end is moved only if no route leads from or to the ' +
      'nearest roads, by at most 1,000 m and at most the distance between the places; otherwise the ' +
      'status is ZERO_RESULTS.',
  }),
  waypoint_order: Type.Optional(
    Type.Array(Type.Integer(), {
      description: 'Numbers of the waypoints with a stop, in the order of the route; with `waypoints`.',
    }),
  ),
  ranked_because: Type.String({ description: 'Why the route has this position in the list.' }),
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
  metric_version: Type.Integer({ description: 'Version of the road metric that all figures are based on.' }),
  tileset_id: Type.String(),
  evidence: Type.Optional(Evidence),
  reason: Type.Optional(Type.String({ description: 'Why there is no route.' })),
});
export type NavAnswer = Static<typeof NavAnswer>;
export type NavRoute = Static<typeof NavRoute>;
export type NavLane = Static<typeof NavLane>;
export type NavStep = Static<typeof NavStep>;

const namedPlace = 'An address, `lat,lng`, or `place_id:` with an id from the geocoder.';

export const getNav = {
  operationId: 'getNav',
  method: 'GET',
  path: '/v1/nav',
  listener: 'public',
  tag: 'navigation',
  summary: 'Routes from origin to destination under current traffic',
  description:
    'The answer has the fields of the navigation specification at the top level. `routes` has the ' +
    'layout of Google Directions.',
  scopes: 'open',
  query: Type.Object(
    {
      origin: Type.String({ minLength: 1, maxLength: 200, description: namedPlace }),
      destination: Type.String({ minLength: 1, maxLength: 200, description: namedPlace }),
      mode: Type.Optional(oneOf(['driving', 'walking', 'bicycling', 'cycling', 'truck'])),
      ...vehicleFields,
      ...topSpeedField,
      avoid: Type.Optional(
        Type.String({
          maxLength: 60,
          description: 'tolls, motorways (or highways), ferries, unpaved; joined by `|`',
        }),
      ),
      waypoints: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 1_800,
          description:
            `At most ${waypointsMax} places, joined by \`|\`. The route stops at each, with a leg to the ` +
            'next; `via:` before a place: it passes without a stop. `optimize:true|` before the first: the ' +
            'stops come in the best order, exact up to ten.',
        }),
      ),
      alternatives: Type.Optional(
        Type.Boolean({ description: 'Up to two more routes; not with `waypoints`.' }),
      ),
      departure_time: Type.Optional(
        Type.String({
          maxLength: 40,
          description:
            '`now`, Unix seconds or RFC 3339. Live traffic is used up to half an hour ahead, free ' +
            'flow after that. Roads and turns that are open at some hours are used if they are open ' +
            'then.',
        }),
      ),
      arrival_time: Type.Optional(
        Type.String({
          maxLength: 40,
          description:
            'Unix seconds or RFC 3339: `departure_time` of each leg is the latest that arrives by then, ' +
            'under the traffic that `departure_time` would use. Not with `departure_time`.',
        }),
      ),
      language: Type.Optional(
        Type.String({
          maxLength: 16,
          description:
            'Language tag of instructions, default `en`. Without its region where that is not offered: ' +
            '`de-AT` is `de`. An unknown language is refused.',
        }),
      ),
      units: Type.Optional(Type.Union([Type.Literal('metric'), Type.Literal('imperial')])),
    },
    { additionalProperties: false },
  ),
  responses: {
    200: { description: 'Routes, or a status that says why there are none.', schema: NavAnswer },
    400: { description: 'A parameter is missing, invalid or unknown.' },
    503: {
      description:
        'The routing pool is saturated, the map or its geocoding index is not loaded yet, or the ' +
        'driving metric does not include an active incident yet. See Retry-After.',
    },
  },
} as const satisfies RouteContract;

/** The state of an active navigation; the navigating-user record of the specification is `tiles`. */
export const Navigation = Type.Object({
  navigation_id: Type.String(),
  state: Type.Union([Type.Literal('active'), Type.Literal('unreachable'), Type.Literal('ended')], {
    description:
      '`unreachable`: no route leads to the destination now; `edge_ids` are those of the last route.',
  }),
  destination: Position,
  avoid: Type.Array(Type.String()),
  tileset_id: Type.String(),
  tiles: Type.Array(Type.String(), {
    description: 'From the start tile through larger tiles to one that contains the destination.',
  }),
  edge_ids: Type.Array(Type.String()),
  duration_s: Type.Number(),
  metric_version: Type.Integer(),
  route_version: Type.Integer({ description: 'Increases by one with each route of this navigation.' }),
  changed_at: Type.String({ description: 'RFC 3339' }),
});
export type Navigation = Static<typeof Navigation>;

export const getNavigation = {
  operationId: 'getNavigation',
  method: 'GET',
  path: '/v1/navigations/{id}',
  listener: 'public',
  tag: 'navigation',
  summary: 'Your own navigation that is active or just ended',
  scopes: ['driver', 'customer'],
  params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) }),
  responses: {
    200: { description: 'The record.', schema: Navigation },
    404: { description: 'The navigation is not yours or does not exist.' },
  },
} as const satisfies RouteContract;
