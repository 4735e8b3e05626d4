import { type Static, Type } from 'typebox';
import { oneOf } from './one-of.js';
import type { RouteContract } from './route-contract.js';
import { topSpeedField, vehicleFields } from './vehicle.js';

export const isochroneMinutesMax = 120;
export const isochroneKilometresMax = 200;
export const isochroneContoursMax = 4;
export const isochroneBodyBytesMax = 4 * 1024;

const closed = { additionalProperties: false } as const;
const Place = Type.Object(
  {
    lat: Type.Number({ minimum: -90, maximum: 90 }),
    lon: Type.Number({ minimum: -180, maximum: 180 }),
  },
  closed,
);
const Contour = Type.Object(
  {
    time: Type.Optional(
      Type.Number({ exclusiveMinimum: 0, maximum: isochroneMinutesMax, description: 'Minutes.' }),
    ),
    distance: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: isochroneKilometresMax,
        description: 'Kilometres along the quickest route.',
      }),
    ),
    color: Type.Optional(Type.String({ pattern: '^[0-9A-Fa-f]{6}$', description: 'Hexadecimal, no `#`.' })),
  },
  { ...closed, description: 'Either `time` or `distance`.' },
);

export const IsochroneQuery = Type.Object(
  {
    locations: Type.Array(Place, { minItems: 1, maxItems: 1 }),
    costing: oneOf(['auto', 'bicycle', 'pedestrian', 'truck']),
    costing_options: Type.Optional(
      Type.Object(
        {
          auto: Type.Optional(Type.Object(topSpeedField, closed)),
          truck: Type.Optional(Type.Object({ ...vehicleFields, ...topSpeedField }, closed)),
        },
        closed,
      ),
    ),
    contours: Type.Array(Contour, { minItems: 1, maxItems: isochroneContoursMax }),
    polygons: Type.Optional(
      Type.Boolean({ description: 'Areas with holes; `false` (default): the lines around them.' }),
    ),
    denoise: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description:
          'Only areas of at least this share of the largest of the contour. Default 1: the largest ' +
          'alone; 0: all that can be reached.',
      }),
    ),
    generalize: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 10_000,
        description: 'Metres by which points may be left out of a line. Lines may then cross.',
      }),
    ),
    show_locations: Type.Optional(
      Type.Boolean({ description: '`true`: also the place and where it is on a road. Default `false`.' }),
    ),
    id: Type.Optional(Type.String({ maxLength: 64, description: 'Is part of the answer.' })),
  },
  {
    ...closed,
    examples: [
      {
        locations: [{ lat: 35.911, lon: 14.502 }],
        costing: 'auto',
        contours: [{ time: 10 }],
        polygons: true,
      },
    ],
  },
);
export type IsochroneQuery = Static<typeof IsochroneQuery>;

const Position = Type.Array(Type.Number(), { minItems: 2, maxItems: 2 });
const Line = Type.Array(Position);
const Geometry = Type.Union([
  Type.Object({ type: Type.Literal('Polygon'), coordinates: Type.Array(Line) }),
  Type.Object({ type: Type.Literal('MultiPolygon'), coordinates: Type.Array(Type.Array(Line)) }),
  Type.Object({ type: Type.Literal('LineString'), coordinates: Line }),
  Type.Object({ type: Type.Literal('MultiLineString'), coordinates: Type.Array(Line) }),
  Type.Object({ type: Type.Literal('Point'), coordinates: Position }),
]);
const Properties = Type.Object({
  contour: Type.Optional(Type.Number({ description: 'Minutes or kilometres.' })),
  metric: Type.Optional(oneOf(['time', 'distance'])),
  color: Type.Optional(Type.String()),
  opacity: Type.Optional(Type.Number()),
  fill: Type.Optional(Type.String()),
  'fill-opacity': Type.Optional(Type.Number()),
  fillColor: Type.Optional(Type.String()),
  fillOpacity: Type.Optional(Type.Number()),
  tolerance_m: Type.Optional(
    Type.Number({ description: 'Metres by which a line may be off. Not a field of Valhalla.' }),
  ),
  type: Type.Optional(oneOf(['input', 'snapped'])),
  location_index: Type.Optional(Type.Integer()),
});
export const IsochroneAnswer = Type.Object({
  type: Type.Literal('FeatureCollection'),
  id: Type.Optional(Type.String()),
  features: Type.Array(
    Type.Object({ type: Type.Literal('Feature'), properties: Properties, geometry: Geometry }),
  ),
  warnings: Type.Optional(
    Type.Array(Type.String(), {
      description: 'The area begins away from the place. Not a field of Valhalla.',
    }),
  ),
  metric_version: Type.Integer({ description: 'Version of the road metric. Not a field of Valhalla.' }),
  tileset_id: Type.String({ description: 'Not a field of Valhalla.' }),
});
export type IsochroneAnswer = Static<typeof IsochroneAnswer>;

const isochrone = {
  path: '/v1/isochrone',
  listener: 'public',
  tag: 'navigation',
  description:
    'With live traffic, in the layout of Valhalla. A place is in an area if the road nearest to it can be ' +
    'reached within the limit and is at most 150 m away, or 1.5 steps of the grid on which the area is ' +
    'drawn. Holes are places whose nearest road cannot. `tolerance_m` says how exactly lines are drawn: ' +
    'two steps of the grid, which has at most 32,768 vertices and steps of at least 10 m, and ' +
    '`generalize`. The contour with the greatest limit comes first. Other fields of Valhalla are rejected.',
  scopes: 'open',
  responses: {
    200: { description: 'Areas or lines as GeoJSON.', schema: IsochroneAnswer },
    400: {
      description:
        'A field is missing, invalid or unknown, no road is within 1,000 m of the place, or the area has ' +
        'more than two million roads.',
    },
    503: {
      description:
        'The routing pool is saturated, the map is not loaded yet, or the driving metric does not include ' +
        'an active incident yet. See Retry-After.',
    },
  },
} as const;

export const getIsochrone = {
  ...isochrone,
  operationId: 'getIsochrone',
  method: 'GET',
  summary: 'The area within a time or a distance of a place',
  query: Type.Object(
    {
      json: Type.String({
        maxLength: isochroneBodyBytesMax,
        description: 'The body of `POST /v1/isochrone`.',
      }),
    },
    closed,
  ),
} as const satisfies RouteContract;

export const postIsochrone = {
  ...isochrone,
  operationId: 'postIsochrone',
  method: 'POST',
  summary: 'The area within a time or a distance of a place',
  body: { maxBytes: isochroneBodyBytesMax, contentTypes: ['application/json'], schema: IsochroneQuery },
} as const satisfies RouteContract;
