import { Type } from 'typebox';
import type { RouteContract } from './route-contract.js';

const option = (description: string) => Type.Optional(Type.String({ description }));
const each = 'One element per coordinate, joined by `;`. An empty element means the default.';

/**
 * The layout of OSRM's version 5, so that its clients work unchanged. Its errors keep OSRM's shape: `code`
 * and `message` with status 400. The handler checks queries, with OSRM's error messages.
 */
export const getOsrmRoute = {
  operationId: 'getOsrmRoute',
  method: 'GET',
  path: '/v1/osrm/route/v1/{profile}/{coordinates}',
  listener: 'public',
  tag: 'navigation',
  summary: 'Routes in the layout of OSRM v5, for OSRM clients',
  description:
    'Every option of the route service of OSRM is supported or rejected with its code; other options are ' +
    'rejected. A route through several places continues straight at each and makes a U-turn only where ' +
    'nothing else leads on, or where `continue_straight` or the profile allows it. The nearest road is ' +
    'used; where no route leads from there, the nearest road of the largest connected part of the map. ' +
    '`waypoints[].distance` says how far the road is.',
  scopes: 'open',
  params: Type.Object({
    profile: Type.String({
      description: '`driving` (or `car`), `cycling` (`bike`, `bicycle`) or `walking` (`foot`).',
    }),
    coordinates: Type.String({
      description:
        '2 to 100 places: `lng,lat;lng,lat`, `polyline(…)` or `polyline6(…)`, with optional `.json`.',
    }),
  }),
  query: Type.Object({
    alternatives: option(
      '`true` (two), `false` (default) or a number up to 3: alternatives to the best route between ' +
        'two places.',
    ),
    annotations: option(
      '`true`, `false` (default) or a list of `distance`, `duration`, `speed`, `weight`, `datasources`: \
one value per pair of points of the leg. `nodes` is rejected and not part of `true`.',
    ),
    approaches: option(`\`curb\`, \`opposite\` or \`unrestricted\` (default). ${each}`),
    bearings: option(`Degrees from north, 0 to 360, and a range, 0 to 180: \`90,20;\`. ${each}`),
    continue_straight: option(
      '`true`, `false` or `default`: `false` allows a U-turn at a waypoint where it is faster. By ' +
        'default, driving makes one only where it must.',
    ),
    exclude: option('A list of `toll`, `motorway`, `ferry`, `unpaved`; or `none`.'),
    format: option('`json`.'),
    generate_hints: option('`true` (default) or `false`.'),
    geometries: option('`polyline` (default), `polyline6` or `geojson`.'),
    hints: option(
      `\`hint\` of an earlier answer: the place snaps to that road if it is within the radius. ${each}`,
    ),
    language: option('Language of `maneuver.instruction`; default `en`. Not an option of OSRM.'),
    overview: option('`simplified` (default), `full`, `by_legs` or `false`.'),
    radiuses: option(`Metres to the road, or \`unlimited\`; default 1000, never more than 5000. ${each}`),
    skip_waypoints: option('`true` or `false` (default). `true` omits `waypoints` from the answer.'),
    snapping: option('`default` (not onto ferries) or `any`.'),
    steps: option('`true` or `false` (default).'),
    waypoints: option(
      'Zero-based indices of the coordinates that separate legs, joined by `;`. The first and the ' +
        'last must be included.',
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
        'The routing pool is saturated, the map is not loaded yet, or the driving metric does not ' +
        'include an active incident yet. See Retry-After.',
    },
  },
} as const satisfies RouteContract;
