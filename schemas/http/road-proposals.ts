import { type Static, Type } from 'typebox';
import type { RouteContract } from './route-contract.js';

const roadKinds = [
  'primary',
  'secondary',
  'tertiary',
  'unclassified',
  'residential',
  'service',
  'track',
] as const;

const LineString = Type.Object({
  type: Type.Literal('LineString'),
  coordinates: Type.Array(Type.Array(Type.Number()), { description: '[longitude, latitude]' }),
});

const RoadProposal = Type.Object({
  road_id: Type.String(),
  state: Type.Union([Type.Literal('proposed'), Type.Literal('accepted'), Type.Literal('refused')]),
  geometry: LineString,
  passes: Type.Integer(),
  drivers: Type.Integer({ description: 'Number of distinct drivers per day.' }),
  one_way: Type.Boolean(),
  last_seen_at: Type.String({ description: 'RFC 3339' }),
});
export type RoadProposal = Static<typeof RoadProposal>;

const RoadReview = Type.Object(
  {
    accept: Type.Boolean(),
    highway: Type.Optional(
      Type.Union(
        roadKinds.map((kind) => Type.Literal(kind)),
        { description: 'OpenStreetMap highway class; default unclassified.' },
      ),
    ),
    one_way: Type.Optional(Type.Boolean({ description: 'Default: the direction of the drives.' })),
    name: Type.Optional(Type.String({ maxLength: 120 })),
    note: Type.Optional(Type.String({ maxLength: 200 })),
  },
  { additionalProperties: false },
);
export type RoadReview = Static<typeof RoadReview>;

export const listRoadProposals = {
  operationId: 'listRoadProposals',
  method: 'GET',
  path: '/v1/road-proposals',
  listener: 'internal',
  tag: 'map',
  summary: 'Roads that drives suggest and the map does not have',
  scopes: ['operator', 'desk'],
  query: Type.Object({
    state: Type.Optional(
      Type.Union([Type.Literal('proposed'), Type.Literal('accepted'), Type.Literal('refused')]),
    ),
  }),
  responses: {
    200: {
      description: 'Most-driven first.',
      schema: Type.Object({ roads: Type.Array(RoadProposal) }),
    },
  },
} as const satisfies RouteContract;

export const postRoadReview = {
  operationId: 'postRoadReview',
  method: 'POST',
  path: '/v1/road-proposals/{id}/review',
  listener: 'internal',
  tag: 'map',
  summary: 'Accept or reject a proposed road; a later review replaces an earlier one',
  scopes: ['operator', 'desk'],
  params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) }),
  body: { maxBytes: 4_096, contentTypes: ['application/json'], schema: RoadReview },
  responses: {
    200: { description: 'The decision is in the event log.', schema: RoadProposal },
    404: { description: 'No proposed road has this id.' },
    503: {
      description:
        'The event log did not confirm it, so the result is unknown. Retry: the same decision sent ' +
        'twice counts once.',
    },
  },
} as const satisfies RouteContract;

const AcceptedRoads = Type.Object({
  type: Type.Literal('FeatureCollection'),
  features: Type.Array(
    Type.Object({
      type: Type.Literal('Feature'),
      id: Type.String(),
      geometry: LineString,
      properties: Type.Record(Type.String(), Type.String(), {
        description: 'OpenStreetMap tags.',
      }),
    }),
  ),
});
export type AcceptedRoads = Static<typeof AcceptedRoads>;

export const getAcceptedRoads = {
  operationId: 'getAcceptedRoads',
  method: 'GET',
  path: '/v1/accepted-roads',
  listener: 'internal',
  tag: 'map',
  summary: 'The accepted roads as GeoJSON, with tags',
  scopes: ['operator', 'desk', 'service'],
  responses: { 200: { description: 'A feature collection.', schema: AcceptedRoads } },
} as const satisfies RouteContract;
