import { type Static, Type } from 'typebox';
import type { RouteContract } from './route-contract.js';

/** Points of one trace at most: a quarter of a day at one in five seconds. */
export const tracePointsMax = 5_000;
export const matchBodyBytesMax = 768 * 1024;

const TracePointBody = Type.Object(
  {
    lat: Type.Number({ minimum: -90, maximum: 90 }),
    lng: Type.Number({ minimum: -180, maximum: 180 }),
    timestamp: Type.Number({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Unix milliseconds.',
    }),
    accuracy: Type.Optional(Type.Number({ minimum: 0, description: 'Metres (68% confidence). Default 10.' })),
    speed: Type.Optional(Type.Number({ minimum: 0, description: 'Metres per second.' })),
    heading: Type.Optional(Type.Number({ minimum: 0, maximum: 360, description: 'Degrees from north.' })),
  },
  { additionalProperties: false },
);

const Matching = Type.Object({
  confidence: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'Mean likelihood per point; 1 means that all points lie exactly on the road.',
  }),
  distance: Type.Number({ description: 'Metres.' }),
  geometry: Type.String({ description: 'Encoded polyline, precision 6.' }),
  edge_ids: Type.Array(Type.String(), { description: 'Stable ids of the directed edges, in order.' }),
  from_fraction: Type.Number({ description: 'Position on the first edge where the drive starts, 0 to 1.' }),
  to_fraction: Type.Number({ description: 'Position on the last edge where the drive ends, 0 to 1.' }),
});

const Tracepoint = Type.Object({
  matchings_index: Type.Integer(),
  location: Type.Array(Type.Number(), { minItems: 2, maxItems: 2, description: '[longitude, latitude]' }),
  distance: Type.Number({ description: 'Metres from the point that was sent.' }),
  edge_id: Type.String(),
  fraction: Type.Number({ description: 'Position on the edge: 0 at its start, 1 at its end.' }),
  name: Type.String({ description: 'Name of the road; can be empty.' }),
});

export const MatchAnswer = Type.Object({
  code: Type.Union([Type.Literal('Ok'), Type.Literal('NoMatch')]),
  tileset_id: Type.String(),
  matchings: Type.Array(Matching),
  tracepoints: Type.Array(Type.Union([Tracepoint, Type.Null()]), {
    description:
      'One per point. Null if the point is not near a road, is not later than the previous points, ' +
      'or is isolated.',
  }),
});
export type MatchAnswer = Static<typeof MatchAnswer>;

export const postMatch = {
  operationId: 'postMatch',
  method: 'POST',
  path: '/v1/match',
  listener: 'public',
  tag: 'navigation',
  summary: 'Match a recorded trace to roads',
  description:
    'Matches a whole trace with a hidden Markov model over the road network. The layout of the ' +
    'answer is that of OSRM. A trace that leaves the roads, or pauses for longer than `gap_s`, ' +
    'gives several matchings. The trace is not stored.',
  scopes: ['driver', 'customer', 'operator', 'desk', 'service'],
  body: {
    maxBytes: matchBodyBytesMax,
    contentTypes: ['application/json'],
    schema: Type.Object(
      {
        points: Type.Array(TracePointBody, { minItems: 2, maxItems: tracePointsMax }),
        gap_s: Type.Optional(
          Type.Number({
            minimum: 1,
            maximum: 3_600,
            description: 'A longer pause starts a new matching. Default 120.',
          }),
        ),
        mode: Type.Optional(
          Type.Union([Type.Literal('driving'), Type.Literal('bicycling'), Type.Literal('walking')]),
        ),
      },
      { additionalProperties: false },
    ),
  },
  responses: {
    200: { description: 'The matchings, or `NoMatch` if no point is near a road.', schema: MatchAnswer },
    400: { description: 'The body is not a trace.' },
    413: { description: `More than ${matchBodyBytesMax} bytes.` },
    503: { description: 'The server is busy with other traces. See Retry-After.' },
  },
} as const satisfies RouteContract;
