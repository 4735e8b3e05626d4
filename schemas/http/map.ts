import { type Static, Type } from 'typebox';
import { oneOf } from './one-of.js';
import type { RouteContract } from './route-contract.js';

const tileNumber = Type.Integer({ minimum: 0, maximum: 4_194_303 });

export const getVectorTile = {
  operationId: 'getVectorTile',
  method: 'GET',
  path: '/v1/tiles/{z}/{x}/{y}.mvt',
  listener: 'public',
  tag: 'map',
  summary: 'One vector tile of the map',
  description: 'From the built map; where no map was built, the roads only (layer `roads`).',
  scopes: 'open',
  params: Type.Object({ z: Type.Integer({ minimum: 0, maximum: 22 }), x: tileNumber, y: tileNumber }),
  responses: {
    200: { description: 'Mapbox Vector Tile.', contentType: 'application/vnd.mapbox-vector-tile' },
    204: { description: 'The tile is empty.' },
    304: { description: 'Not modified.' },
    404: { description: 'The tile address does not exist.' },
  },
} as const satisfies RouteContract;

export const getTileJson = {
  operationId: 'getTileJson',
  method: 'GET',
  path: '/v1/tiles.json',
  listener: 'public',
  tag: 'map',
  summary: 'TileJSON 3.0 of the map',
  scopes: 'open',
  responses: { 200: { description: 'TileJSON.', schema: Type.Unknown() } },
} as const satisfies RouteContract;

export const TrafficAnswer = Type.Object({
  metric_version: Type.Integer(),
  tileset_id: Type.String(),
  type: Type.Literal('FeatureCollection'),
  features: Type.Array(
    Type.Object({
      type: Type.Literal('Feature'),
      id: Type.Integer(),
      geometry: Type.Object({
        type: Type.Literal('LineString'),
        coordinates: Type.Array(Type.Array(Type.Number())),
      }),
      properties: Type.Object({
        edge_id: Type.String(),
        closed: Type.Boolean(),
        speed_kph: Type.Number(),
        free_flow_kph: Type.Number(),
        congestion: oneOf(['low', 'moderate', 'heavy', 'severe', 'closed']),
      }),
    }),
  ),
});
export type TrafficAnswer = Static<typeof TrafficAnswer>;

export const getTraffic = {
  operationId: 'getTraffic',
  method: 'GET',
  path: '/v1/traffic',
  listener: 'public',
  tag: 'traffic',
  summary: 'Road edges whose current speed differs from free flow, as GeoJSON',
  description:
    'If `since` is the current metric version, and `tileset`, when given, is the current tileset, ' +
    'the answer is 304.',
  scopes: 'open',
  query: Type.Object({
    since: Type.Optional(Type.Integer({ minimum: 0 })),
    tileset: Type.Optional(Type.String({ maxLength: 16 })),
  }),
  responses: {
    200: { description: 'All changed edges.', schema: TrafficAnswer },
    304: { description: 'Not modified.' },
  },
} as const satisfies RouteContract;

export const FleetAnswer = Type.Object({
  at: Type.Number({ description: 'Unix milliseconds.' }),
  drivers: Type.Array(
    Type.Object({
      id: Type.String(),
      lat: Type.Number(),
      lng: Type.Number(),
      heading: Type.Union([Type.Number(), Type.Null()]),
      timestamp: Type.Number(),
      navigating: Type.Boolean(),
    }),
  ),
});
export type FleetAnswer = Static<typeof FleetAnswer>;

export const getFleet = {
  operationId: 'getFleet',
  method: 'GET',
  path: '/v1/fleet',
  listener: 'both',
  tag: 'traffic',
  summary: 'Last known positions of the drivers, for operators',
  scopes: ['operator', 'desk'],
  query: Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 5_000 })) }),
  responses: { 200: { description: 'Positions from the last minute.', schema: FleetAnswer } },
} as const satisfies RouteContract;

export const StatusAnswer = Type.Object({
  tileset: Type.Object({
    id: Type.String(),
    name: Type.String(),
    edges: Type.Integer(),
    cells: Type.Integer(),
    bounds: Type.Array(Type.Number(), { description: 'west, south, east, north' }),
    middle: Type.Object(
      { lat: Type.Number(), lng: Type.Number() },
      { description: 'Where the roads for cars are densest, and where a map opens.' },
    ),
    attribution: Type.String(),
  }),
  metric_version: Type.Integer(),
  points_per_second: Type.Number(),
  drivers: Type.Integer(),
  navigations: Type.Integer(),
  navigations_connected: Type.Integer({
    description: 'Drivers with an open WebSocket, on all instances that share the live cache.',
  }),
  reroutes: Type.Integer(),
  incidents: Type.Integer(),
  cause_to_push_ms: Type.Union([Type.Number(), Type.Null()], {
    description:
      'Median of the last pushes, from accepting the point that caused the change to sending the frame.',
  }),
  adapters: Type.Record(Type.String(), Type.String()),
});
export type StatusAnswer = Static<typeof StatusAnswer>;

export const getStatus = {
  operationId: 'getStatus',
  method: 'GET',
  path: '/v1/status',
  listener: 'both',
  tag: 'operations',
  summary: 'Live figures of the city',
  scopes: 'open',
  responses: { 200: { description: 'Figures of this process.', schema: StatusAnswer } },
} as const satisfies RouteContract;

export const getDayStyle = {
  operationId: 'getDayStyle',
  method: 'GET',
  path: '/v1/styles/day.json',
  listener: 'public',
  tag: 'map',
  summary: 'A MapLibre style that draws the map',
  scopes: 'open',
  responses: { 200: { description: 'MapLibre style specification, version 8.', schema: Type.Unknown() } },
} as const satisfies RouteContract;
