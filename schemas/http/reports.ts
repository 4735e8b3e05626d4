import { type Static, Type } from 'typebox';
import type { RouteContract } from './route-contract.js';
import { Position } from './shapes.js';

const NewReport = Type.Object(
  {
    kind: Type.Union([Type.Literal('closed'), Type.Literal('open')], {
      description:
        'open withdraws the previous report of the same user and counts against the reports of others.',
    }),
    at: Type.Optional(Position),
    edge_id: Type.Optional(
      Type.String({ minLength: 3, maxLength: 96, description: 'Stable id of a road edge.' }),
    ),
    both_directions: Type.Optional(Type.Boolean({ description: 'Default true.' })),
    lasts_s: Type.Optional(
      Type.Integer({
        minimum: 60,
        maximum: 7_200,
        description: 'How long the report counts, in seconds. Default 1,800.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type NewReport = Static<typeof NewReport>;

const Report = Type.Object({
  kind: Type.Union([Type.Literal('closed'), Type.Literal('open')]),
  edge_ids: Type.Array(Type.String()),
  road: Type.String({ description: 'Empty if the road has no name.' }),
  expires_at: Type.String({ description: 'RFC 3339' }),
});

export const postReport = {
  operationId: 'postReport',
  method: 'POST',
  path: '/v1/reports',
  listener: 'public',
  tag: 'traffic',
  summary: 'Report that a road is closed or open: evidence in addition to drives, never a closure by itself',
  scopes: ['driver', 'customer'],
  body: { maxBytes: 1_024, contentTypes: ['application/json'], schema: NewReport },
  responses: {
    202: { description: 'The report is in the event log and will be evaluated.', schema: Report },
    404: { description: 'No road within 100 m of the place, or no such edge.' },
    429: { description: 'Too many reports from one user in an hour.' },
    503: {
      description:
        'The event log did not confirm it, so the result is unknown. Retry: a user has one report per road.',
    },
  },
} as const satisfies RouteContract;
