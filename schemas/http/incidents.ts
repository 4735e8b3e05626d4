import { type Static, Type } from 'typebox';
import type { RouteContract } from './route-contract.js';
import { Position } from './shapes.js';

/** What `expires_in_s` and `expires_at` may say at most. */
export const incidentLastsSMax = 30 * 86_400;

const NewKind = Type.Union([Type.Literal('closed'), Type.Literal('blocked'), Type.Literal('slow')], {
  description:
    '`closed`: no driving; walking and bicycling may pass. `blocked`: closed for every mode. ' +
    '`slow`: driving at `speed_kph`.',
});

export const NewIncident = Type.Object(
  {
    kind: NewKind,
    at: Type.Optional(Position),
    edge_id: Type.Optional(
      Type.String({ minLength: 3, maxLength: 96, description: 'Stable id of a road edge.' }),
    ),
    both_directions: Type.Optional(Type.Boolean({ description: 'Default true.' })),
    speed_kph: Type.Optional(
      Type.Number({ minimum: 1, maximum: 200, description: 'Required when kind is slow.' }),
    ),
    expires_in_s: Type.Integer({ minimum: 10, maximum: incidentLastsSMax }),
    note: Type.Optional(Type.String({ maxLength: 200 })),
  },
  { additionalProperties: false },
);
export type NewIncident = Static<typeof NewIncident>;

export const PutIncident = Type.Object(
  {
    kind: NewKind,
    tileset_id: Type.String({
      ...{ minLength: 1, maxLength: 64 },
      description: 'Tileset that the edges belong to, as `GET /v1/status` names it.',
    }),
    edge_ids: Type.Array(Type.String({ minLength: 3, maxLength: 96 }), {
      ...{ minItems: 1, maxItems: 500, uniqueItems: true },
      description: 'Stable ids of the directed edges; the other direction of a street is another edge.',
    }),
    speed_kph: Type.Optional(
      Type.Number({ minimum: 1, maximum: 200, description: 'Required when kind is slow.' }),
    ),
    expires_at: Type.String({
      maxLength: 40,
      description: 'RFC 3339, at most 30 days ahead. A later PUT can move it.',
    }),
    note: Type.Optional(Type.String({ maxLength: 200 })),
  },
  { additionalProperties: false },
);
export type PutIncident = Static<typeof PutIncident>;

export const Incident = Type.Object({
  incident_id: Type.String(),
  kind: Type.Union([Type.Literal('closed'), Type.Literal('blocked'), Type.Literal('slow')]),
  source: Type.Union([Type.Literal('operator'), Type.Literal('detected')]),
  active: Type.Boolean(),
  edge_ids: Type.Array(Type.String()),
  road: Type.String(),
  geometry: Type.Object({
    type: Type.Literal('MultiLineString'),
    coordinates: Type.Array(Type.Array(Type.Array(Type.Number()))),
  }),
  speed_kph: Type.Optional(Type.Number()),
  started_at: Type.String({ description: 'RFC 3339' }),
  expires_at: Type.Union([Type.String(), Type.Null()]),
  evidence: Type.String(),
});
export type Incident = Static<typeof Incident>;

export const postIncident = {
  operationId: 'postIncident',
  method: 'POST',
  path: '/v1/incidents',
  listener: 'both',
  tag: 'traffic',
  summary: 'Close or slow down a road at a place or edge until the incident expires',
  scopes: ['operator', 'desk'],
  body: { maxBytes: 4_096, contentTypes: ['application/json'], schema: NewIncident },
  responses: {
    201: { description: 'The incident is in the event log.', schema: Incident },
    404: { description: 'No road within 100 m of the place, or no such edge.' },
    503: {
      description:
        'The event log did not confirm it, so the result is unknown. Read the incidents before you retry.',
    },
  },
} as const satisfies RouteContract;

export const putIncident = {
  operationId: 'putIncident',
  method: 'PUT',
  path: '/v1/incidents/{id}',
  listener: 'both',
  tag: 'traffic',
  summary: 'Write an incident of a feed of another platform, under an id that the client chooses',
  description:
    'The id is `feed:event`, so that it never names an incident of `POST /v1/incidents` or a detected ' +
    'one. Writing the same incident again changes nothing. Incidents with such ids are not in the feeds ' +
    'of this platform.',
  scopes: ['operator', 'desk'],
  params: Type.Object({
    id: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,23}:[A-Za-z0-9._-]{1,39}$' }),
  }),
  body: { maxBytes: 65_536, contentTypes: ['application/json'], schema: PutIncident },
  responses: {
    200: { description: 'The incident is in the event log.', schema: Incident },
    404: { description: 'The id is not of the form `feed:event`.' },
    503: { description: 'The event log did not confirm it, or too many incidents are active. Retry.' },
  },
} as const satisfies RouteContract;

export const listIncidents = {
  operationId: 'listIncidents',
  method: 'GET',
  path: '/v1/incidents',
  listener: 'both',
  tag: 'traffic',
  summary: 'Active closures and slow-downs',
  scopes: 'open',
  responses: {
    200: { description: 'Newest first.', schema: Type.Object({ incidents: Type.Array(Incident) }) },
  },
} as const satisfies RouteContract;

export const deleteIncident = {
  operationId: 'deleteIncident',
  method: 'DELETE',
  path: '/v1/incidents/{id}',
  listener: 'both',
  tag: 'traffic',
  summary: 'End an incident before it expires',
  scopes: ['operator', 'desk'],
  params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) }),
  responses: {
    204: { description: 'The end of the incident is in the event log.' },
    404: { description: 'No active incident has this id.' },
  },
} as const satisfies RouteContract;
