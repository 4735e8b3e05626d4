import { type Static, Type } from 'typebox';
import type { RouteContract } from './route-contract.js';
import { Position } from './shapes.js';

export const NewIncident = Type.Object(
  {
    kind: Type.Union([Type.Literal('closed'), Type.Literal('blocked'), Type.Literal('slow')], {
      description:
        '`closed`: no driving; walking and bicycling may pass. `blocked`: closed for every mode. ' +
        '`slow`: driving at `speed_kph`.',
    }),
    at: Type.Optional(Position),
    edge_id: Type.Optional(
      Type.String({ minLength: 3, maxLength: 96, description: 'Stable id of a road edge.' }),
    ),
    both_directions: Type.Optional(Type.Boolean({ description: 'Default true.' })),
    speed_kph: Type.Optional(
      Type.Number({ minimum: 1, maximum: 200, description: 'Required when kind is slow.' }),
    ),
    expires_in_s: Type.Integer({ minimum: 10, maximum: 30 * 86_400 }),
    note: Type.Optional(Type.String({ maxLength: 200 })),
  },
  { additionalProperties: false },
);
export type NewIncident = Static<typeof NewIncident>;

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
  scopes: ['operator', 'staff'],
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
  scopes: ['operator', 'staff'],
  params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) }),
  responses: {
    204: { description: 'The end of the incident is in the event log.' },
    404: { description: 'No active incident has this id.' },
  },
} as const satisfies RouteContract;
