import { Type } from 'typebox';
import type { RouteContract } from './route-contract.js';

const option = (description: string) => Type.Optional(Type.String({ description }));
const each = 'One element for each coordinate, joined by `;`; an empty one is the default.';

/**
 * The layout of OSRM's version 5, so that its clients work unchanged. Its errors keep OSRM's shape: `code` and `message`
 * with status 400. What a query may hold is checked by the handler, in OSRM's words.
 */
export const getOsrmRoute = {
  operationId: 'getOsrmRoute',
  method: 'GET',
  path: '/v1/osrm/route/v1/{profile}/{coordinates}',
  listener: 'public',
  tag: 'navigation',
  summary: 'Routes in the layout of OSRM v5, for clients made for it',
  description:
    "Every option of OSRM's route service is honoured, or refused with its code; others are refused. \
A route through several places goes straight on at each and turns round where nothing else leads on, or where \
`continue_straight` or the profile allows it. The nearest road is taken; where no route leads from there, the \
nearest road of the largest connected part of the map. `waypoints[].distance` says how far the road is.",
  scopes: 'open',
  params: Type.Object({
    profile: Type.String({
      description: '`driving` (or `car`), `cycling` (`bike`, `bicycle`) or `walking` (`foot`).',
    }),
    coordinates: Type.String({
      description:
        'Two to 100 places: `lng,lat;lng,lat`, `polyline(…)` or `polyline6(…)`. `.json` may follow.',
    }),
  }),
  query: Type.Object({
    alternatives: option(
      '`true` (two), `false` (default) or a number up to 3: routes beside the best one, of two places.',
    ),
    annotations: option(
      '`true`, `false` (default) or a list of `distance`, `duration`, `speed`, `weight`, `datasources`: \
one value for each pair of points of the leg. `nodes` is refused, and not in `true`.',
    ),
    approaches: option(`\`curb\`, \`opposite\` or \`unrestricted\` (default). ${each}`),
    bearings: option(`Degrees from north, 0 to 360, and a range, 0 to 180: \`90,20;\`. ${each}`),
    continue_straight: option(
      '`true`, `false` or `default`: turn round at a waypoint where quicker; driving, only where one must.',
    ),
    exclude: option('A list of `toll`, `motorway`, `ferry`, `unpaved`; or `none`.'),
    format: option('`json`.'),
    generate_hints: option('`true` (default) or `false`.'),
    geometries: option('`polyline` (default), `polyline6` or `geojson`.'),
    hints: option(
      `\`hint\` of an earlier answer: the place is on that road, where it is within the radius. ${each}`,
    ),
    language: option('Language of `maneuver.instruction`; default `en`. Not an option of OSRM.'),
    overview: option('`simplified` (default), `full`, `by_legs` or `false`.'),
    radiuses: option(`Metres to the road, or \`unlimited\`; default 1000, never more than 5000. ${each}`),
    skip_waypoints: option('`true` or `false` (default): no `waypoints` in the answer.'),
    snapping: option('`default`, not onto ferries, or `any`.'),
    steps: option('`true` or `false` (default).'),
    waypoints: option(
      'Indices, from 0, of the coordinates at which a leg ends, joined by `;`, with the first and the last.',
    ),
  }),
  responses: {
    200: { description: 'Routes.', schema: Type.Unknown() },
    400: {
      description:
        '`code`: InvalidQuery, InvalidOptions, InvalidValue, TooBig, NoSegment or NoRoute; and `message`.',
      schema: Type.Object({ code: Type.String(), message: Type.String() }),
    },
    503: {
      description:
        'The routing pool is saturated, the map is not loaded yet, or the driving metric lacks an active incident; see Retry-After.',
    },
  },
} as const satisfies RouteContract;
