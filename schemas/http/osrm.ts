import { type TObject, Type } from 'typebox';
import { lineOptions } from './osrm-line-options.js';
import { topSpeedOption, vehicleOptions } from './osrm-vehicle-options.js';
import type { RouteContract } from './route-contract.js';

const option = (description: string) => Type.Optional(Type.String({ description }));
const each = 'One element per coordinate, joined by `;`. An empty element means the default.';

/** The options that every service has; a trace (`match`) has no sizes. */
const generalOptions = {
  approaches: option(`\`curb\`, \`opposite\` or \`unrestricted\` (default). ${each}`),
  bearings: option(`Degrees from north, 0 to 360, and a range, 0 to 180: \`90,20;\`. ${each}`),
  exclude: option('A list of `toll`, `motorway`, `ferry`, `unpaved`; or `none`.'),
  format: option('`json`.'),
  generate_hints: option('`true` (default) or `false`.'),
  hints: option(
    `\`hint\` of an earlier answer: the place snaps to that road if it is within the radius. ${each}`,
  ),
  radiuses: option(`Metres to the road, or \`unlimited\`; default 1000, never more than 5000. ${each}`),
  skip_waypoints: option('`true` or `false` (default). `true` omits the waypoints from the answer.'),
  snapping: option('`default` (not onto ferries) or `any`.'),
  ...vehicleOptions,
};

const coordinates = '`lng,lat;lng,lat`, `polyline(…)` or `polyline6(…)`, with optional `.json`.';

const profileParam = Type.String({
  description:
    '`driving` (`driving-traffic`, `car`), `cycling` (`bike`, `bicycle`), `walking` (`foot`) ' +
    'or `truck`.',
});

const params = (places: string) =>
  Type.Object({
    profile: profileParam,
    coordinates: Type.String({
      description: `${places}: ${coordinates}`,
    }),
  });

const responses = (answer: string, codes: string) => ({
  200: { description: answer, schema: Type.Unknown() },
  400: {
    description: `\`code\`: ${codes}; and \`message\`.`,
    schema: Type.Object({ code: Type.String(), message: Type.String() }),
  },
  503: {
    description:
      'The routing pool is saturated, the map is not loaded yet, or the driving metric does not ' +
      'include an active incident yet. See Retry-After.',
  },
});

/*
 * The layout of OSRM's version 5, so that its clients work unchanged. Its errors keep OSRM's shape: `code`
 * and `message` with status 400. The handlers check queries, with OSRM's error messages.
 */
const service = { method: 'GET', listener: 'public', tag: 'navigation', scopes: 'open' } as const;

export const getOsrmRoute = {
  ...service,
  operationId: 'getOsrmRoute',
  path: '/v1/osrm/route/v1/{profile}/{coordinates}',
  summary: 'Routes in the layout of OSRM v5, for OSRM clients',
  description:
    'Every option of the route service of OSRM is supported or rejected with its code; other options are ' +
    'rejected. A route through several places continues straight at each and makes a U-turn only where ' +
    'nothing else leads on, or where `continue_straight` or the profile allows it. The nearest road is ' +
    'used; where no route leads from or to it, the nearest road within the radius that belongs to the ' +
    'largest connected part of the map, else the answer is NoRoute. `waypoints[].distance` says how far ' +
    'the road is, and `warnings`, which is not a field of OSRM, has a sentence for each place that is moved.',
  params: params('2 to 100 places'),
  query: Type.Object({
    ...generalOptions,
    ...topSpeedOption,
    ...lineOptions,
    alternatives: option(
      '`true` (two), `false` (default) or a number up to 3: alternatives to the best route. Through ' +
        'several places, they take another way between two of them.',
    ),
    continue_straight: option(
      '`true`, `false` or `default`: `false` allows a U-turn at a waypoint where it is faster. By ' +
        'default, driving makes one only where it must.',
    ),
    waypoints: option(
      'Zero-based indices of the coordinates that separate legs, joined by `;`. The first and the ' +
        'last must be included.',
    ),
  }),
  responses: responses('Routes.', 'InvalidQuery, InvalidOptions, InvalidValue, TooBig, NoSegment or NoRoute'),
} as const satisfies RouteContract;

export const getOsrmMatch = {
  ...service,
  operationId: 'getOsrmMatch',
  path: '/v1/osrm/match/v1/{profile}/{coordinates}',
  summary: 'The drives of a recorded trace, in the layout of OSRM v5',
  description:
    'A point that no road is near, or that no drive can pass, is `null` in `tracepoints`, and the drive ' +
    'goes on behind it. A trace is split where its points do not connect, and at a pause of more than ten ' +
    'times the usual interval. `alternatives_count` says on how many other roads a point may be. With ' +
    '`waypoints`, there is one drive through all of them that turns round in no road between two, or the ' +
    'answer is NoMatch.',
  params: params('2 to 100 places'),
  query: Type.Object({
    ...generalOptions,
    ...lineOptions,
    gaps: option('`split` (default), or `ignore`: pauses do not split the trace.'),
    radiuses: option(
      'Standard deviation of a place in metres; default 5. Less than 0.7 counts as 0.7, more than 40 ' +
        `as 40. ${each}`,
    ),
    snapping: option('`default` or `any`: a point may be on a ferry in both.'),
    tidy: option(
      '`true` or `false` (default). `true` leaves out points within 15 m or 5 s of the one before.',
    ),
    timestamps: option('Whole seconds, one for each coordinate, joined by `;`. They never descend.'),
    waypoints: option(
      'Zero-based indices of the coordinates that separate legs, joined by `;`. The first and the ' +
        'last must be included.',
    ),
  }),
  responses: responses(
    '`matchings` and `tracepoints`.',
    'InvalidQuery, InvalidOptions, InvalidValue, TooBig, NoSegment or NoMatch',
  ),
} as const satisfies RouteContract;

export const getOsrmNearest = {
  ...service,
  operationId: 'getOsrmNearest',
  path: '/v1/osrm/nearest/v1/{profile}/{coordinates}',
  summary: 'The nearest roads in the layout of OSRM v5',
  description:
    'Of one place the nearest pieces of road, nearest first; of several places a list for each, in which ' +
    'a place without a road is `{"code": "NoSegment"}`. A piece of road goes from one crossing to the ' +
    'next. `nodes` are the ids in OpenStreetMap of the points before and behind the place; 0 for a point ' +
    'between crossings on a map that an older program built.',
  params: params('1 to 100 places'),
  query: Type.Object({
    ...generalOptions,
    number: option('Roads for each place, 1 (default) to 100.'),
  }),
  responses: responses('Places on roads.', 'InvalidQuery, InvalidOptions, InvalidValue, TooBig or NoSegment'),
} as const satisfies RouteContract;

export const getOsrmTable = {
  ...service,
  operationId: 'getOsrmTable',
  path: '/v1/osrm/table/v1/{profile}/{coordinates}',
  summary: 'Times and distances between places in the layout of OSRM v5',
  description:
    'Each cell is what the route service answers for its two places, with live traffic; `null` where it ' +
    'finds no route. Where it uses another place than the nearest, the cell is in `moved_cells`, its ' +
    '`source`, `destination` or `both` at the same position of `moved_ends`, and the place in `moved` of ' +
    'the source or destination; these are not fields of OSRM. A table has at most ' +
    '10,000 cells: sources times destinations, for example 100 times 100. An address has at most 2,048 ' +
    'bytes, about 95 places of plain coordinates: send more as a polyline, or with POST.',
  params: params('2 to 500 places'),
  query: Type.Object({
    ...generalOptions,
    ...topSpeedOption,
    annotations: option('`duration` (default), `distance` or `duration,distance`.'),
    depart_at: option(
      '`now` (default), Unix seconds or RFC 3339: with live traffic up to half an hour ahead, with free ' +
        'flow after that. Not an option of OSRM.',
    ),
    destinations: option('`all` (default), or zero-based indices of coordinates, joined by `;`.'),
    fallback_coordinate: option(
      'Between which places straight lines for `fallback_speed` are measured: `input` (default) or ' +
        '`snapped`.',
    ),
    fallback_speed: option(
      'Metres per second, greater than 0. Cells without a route are estimated with a straight line and ' +
        'listed in `fallback_speed_cells`.',
    ),
    scale_factor: option('Greater than 0; durations are multiplied by it.'),
    sources: option('`all` (default), or zero-based indices of coordinates, joined by `;`.'),
  }),
  responses: responses(
    'Durations, distances, sources and destinations.',
    'InvalidQuery, InvalidOptions, InvalidValue, TooBig or NoSegment',
  ),
} as const satisfies RouteContract;

/** The same question as JSON, for what is too long for an address. */
const posted = <const Id extends string, const Path extends string>(
  get: { readonly summary: string; readonly query: TObject; readonly responses: RouteContract['responses'] },
  { operationId, path, places }: { operationId: Id; path: Path; places: string },
) =>
  ({
    ...service,
    method: 'POST',
    operationId,
    path,
    summary: `${get.summary}, with a JSON body`,
    description:
      'The options are those of the GET operation. Lists are arrays: `null` is the default of a place, a ' +
      'bearing is `[degrees, range]`.',
    params: Type.Object({ profile: profileParam }),
    body: {
      maxBytes: 64 * 1024,
      contentTypes: ['application/json'],
      describedBy: Type.Object({
        coordinates: Type.Unknown({
          description: `${places}: \`[[lng, lat], …]\`, or a text with \`polyline(…)\` or \`polyline6(…)\`.`,
        }),
        ...Object.fromEntries(
          Object.entries(get.query.properties).map(([name, schema]) => [
            name,
            Type.Optional(Type.Unknown({ description: (schema as { description: string }).description })),
          ]),
        ),
      }),
    },
    responses: get.responses,
  }) as const satisfies RouteContract;

export const postOsrmRoute = posted(getOsrmRoute, {
  operationId: 'postOsrmRoute',
  path: '/v1/osrm/route/v1/{profile}',
  places: '2 to 100 places',
});

export const postOsrmMatch = posted(getOsrmMatch, {
  operationId: 'postOsrmMatch',
  path: '/v1/osrm/match/v1/{profile}',
  places: '2 to 100 places',
});

export const postOsrmNearest = posted(getOsrmNearest, {
  operationId: 'postOsrmNearest',
  path: '/v1/osrm/nearest/v1/{profile}',
  places: '1 to 100 places',
});

export const postOsrmTable = posted(getOsrmTable, {
  operationId: 'postOsrmTable',
  path: '/v1/osrm/table/v1/{profile}',
  places: '2 to 500 places',
});

export const getOsrmTile = {
  ...service,
  operationId: 'getOsrmTile',
  path: '/v1/osrm/tile/v1/{profile}/{tile}',
  summary: 'The roads that routes use and the turns between them, as the vector tile of OSRM v5',
  description:
    'Layer `speeds` has each direction of a road with `speed` in km/h, `duration` in seconds, `name`, ' +
    '`datasource` (`free flow` or `live traffic`), `is_small` (not in the largest connected part) and ' +
    '`is_startpoint`; `weight` is the duration and `rate` the speed. From zoom 15 on, layer `turns` has ' +
    'each legal turn with `bearing_in` and `turn_angle` in degrees, `cost` and `weight` in seconds, `type` ' +
    'and `modifier`. Closed roads are not part of a tile. A tile without a road is empty.',
  params: Type.Object({
    profile: profileParam,
    tile: Type.String({ description: '`tile({x},{y},{zoom}).mvt`, zoom 12 to 19.' }),
  }),
  responses: {
    ...responses('', 'InvalidQuery, InvalidOptions, InvalidValue or TooBig'),
    200: { description: 'A Mapbox Vector Tile.', contentType: 'application/x-protobuf' },
  },
} as const satisfies RouteContract;

export const getOsrmTrip = {
  ...service,
  operationId: 'getOsrmTrip',
  path: '/v1/osrm/trip/v1/{profile}/{coordinates}',
  summary: 'A trip through places in the best order, in the layout of OSRM v5',
  description:
    'The order with the least travel time, exact up to 12 places; a good one for more. A vehicle may turn ' +
    'around at every place, as in the trip service of OSRM. `trips` has one trip. `warnings`, which is not ' +
    'a field of OSRM, has a sentence for each place that is moved because no route leads to a closer road.',
  params: params('2 to 100 places'),
  query: Type.Object({
    ...generalOptions,
    ...topSpeedOption,
    ...lineOptions,
    destination: option('`any` (default), or `last`: the last place is the last that is visited.'),
    roundtrip: option(
      '`true` (default) or `false`: the trip does not return. Then `source` or `destination` must be ' +
        'fixed, else the answer is NotImplemented.',
    ),
    source: option('`any` (default), or `first`: the trip begins at the first place.'),
  }),
  responses: responses(
    'A trip.',
    'InvalidQuery, InvalidOptions, InvalidValue, TooBig, NotImplemented, NoSegment or NoTrips',
  ),
} as const satisfies RouteContract;

export const postOsrmTrip = posted(getOsrmTrip, {
  operationId: 'postOsrmTrip',
  path: '/v1/osrm/trip/v1/{profile}',
  places: '2 to 100 places',
});
