import { type Static, Type } from 'typebox';
import { oneOf } from './one-of.js';
import type { RouteContract } from './route-contract.js';
import { Position } from './shapes.js';

const closed = { additionalProperties: false } as const;
const OrNull = <S extends ReturnType<typeof Type.String | typeof Type.Number>>(schema: S) =>
  Type.Union([schema, Type.Null()]);
const Count = (description: string) => Type.Integer({ minimum: 0, description });
const Instant = (description: string) => Type.String({ description: `${description} RFC 3339.` });
/** Degrees: west, south, east, north. */
const Bounds = Type.Array(Type.Number(), {
  minItems: 4,
  maxItems: 4,
  description: 'west, south, east, north',
});
const operations = {
  method: 'GET',
  listener: 'internal',
  tag: 'operations',
  scopes: ['operator'],
} as const;

/** What one answer has at most. */
export const operationsMax = {
  closures: 200,
  operations: 100,
  lags: 200,
  queues: 50,
  /** Squares on the longer side of the area. */
  squaresAcross: 48,
  /** Points of all lines of the outline. */
  outlinePoints: 12_000,
} as const;

const Program = Type.Object(
  {
    name: Type.String({ description: 'The command of the program: `up` or `api`.' }),
    version: Type.String(),
    started_at: Instant('Of this process.'),
    public_url: Type.String({ description: 'Where people open the live map.' }),
    api_keys: oneOf(['off', 'optional', 'required'] as const),
  },
  closed,
);

const Readiness = Type.Object(
  {
    ready: Type.Boolean(),
    missing: Type.Array(
      Type.Object(
        {
          name: Type.String({ description: 'The condition, as `/readyz` names it.' }),
          reason: Type.String(),
          needed: Type.Boolean({ description: 'False: the program works without it.' }),
        },
        closed,
      ),
    ),
  },
  closed,
);

const MapState = Type.Object(
  {
    name: Type.String(),
    release_id: OrNull(Type.String()),
    tileset_id: Type.String(),
    bounds: Bounds,
    metrics: Type.Array(
      Type.Object(
        {
          mode: oneOf(['driving', 'bicycling', 'walking', 'truck'] as const),
          version: Count('Of the metric that routes of the mode use now; 0: empty roads.'),
        },
        closed,
      ),
    ),
    metric_published_at: OrNull(Instant('Of the driving metric; null before the first.')),
  },
  closed,
);

const Lags = Type.Object(
  {
    unknown_because: OrNull(Type.String({ description: 'Why there are no lags; else null.' })),
    groups: Type.Array(
      Type.Object(
        {
          group: Type.String(),
          topic: Type.String(),
          records: Count('Behind the end of the topic, over all partitions.'),
          newest_at: OrNull(Instant('When the newest record of the topic was appended.')),
        },
        closed,
      ),
      { maxItems: operationsMax.lags },
    ),
  },
  closed,
);

const ListedClosure = Type.Object(
  {
    incident_id: Type.String(),
    kind: oneOf(['closed', 'blocked', 'slow'] as const),
    source: oneOf(['operator', 'detected'] as const),
    road: Type.String({ description: 'Empty: the road has no name.' }),
    at: Type.Union([Position, Type.Null()], { description: 'Null: the map has none of its edges.' }),
    edges: Count('Directed edges that it names.'),
    speed_kph: OrNull(Type.Number({ description: 'Of a slow road.' })),
    started_at: Instant('First evidence, or when an operator closed it.'),
    expires_at: OrNull(Instant('Without new evidence; null: when it is removed.')),
    last_evidence_at: OrNull(Instant('When the deciding point was accepted; null for an operator.')),
    evidence: Type.String({ description: 'What was observed, as a sentence, or the note of an operator.' }),
  },
  closed,
);
export type ListedClosure = Static<typeof ListedClosure>;

const Closures = Type.Object(
  {
    total: Count('Active ones; the newest are shown.'),
    shown: Type.Array(ListedClosure, { maxItems: operationsMax.closures }),
  },
  closed,
);

const Requests = Type.Object(
  {
    covered_s: Type.Number({ description: 'Seconds that the figures cover, at most 5 minutes and 15 s.' }),
    interval_s: Type.Number(),
    intervals: Type.Array(
      Type.Object(
        {
          ended_at: Instant('The last one is not complete.'),
          requests: Count('All.'),
          failed: Count('5xx.'),
        },
        closed,
      ),
    ),
    operations: Type.Array(
      Type.Object(
        {
          operation: OrNull(
            Type.String({ description: 'Method and path; null: pages, files and checks together.' }),
          ),
          requests: Count('Ended in this time.'),
          refused: Count('Answered with 4xx.'),
          failed: Count('Answered with 5xx.'),
          p50_ms: Type.Number(),
          p99_ms: Type.Number(),
        },
        closed,
      ),
      { maxItems: operationsMax.operations, description: 'The busiest first.' },
    ),
    queues: Type.Array(
      Type.Object({ name: Type.String(), waiting: Count('Now.'), limit: Count('Refuses more.') }, closed),
      { maxItems: operationsMax.queues },
    ),
  },
  closed,
);

const Load = Type.Object(
  {
    drivers: Count('With a location in the last minute.'),
    points_per_second: Type.Number(),
    navigations: Count('Active ones.'),
    navigations_connected: Count('With an open socket, on all instances that share the live cache.'),
    bounds: Bounds,
    zoom: Count('Zoom of the squares, which are map tiles.'),
    squares: Type.Array(
      Type.Object(
        { x: Count('Column of the tile.'), y: Count('Row.'), drivers: Count('In the square.') },
        closed,
      ),
      { maxItems: operationsMax.squaresAcross ** 2, description: 'Those with drivers.' },
    ),
    elsewhere: Count('Drivers outside of the bounds, for instance on a ferry.'),
  },
  closed,
);

export const OperationsAnswer = Type.Object(
  {
    at: Instant('Of the answer.'),
    program: Program,
    readiness: Readiness,
    map: MapState,
    lags: Lags,
    closures: Closures,
    requests: Requests,
    load: Load,
  },
  closed,
);
export type OperationsAnswer = Static<typeof OperationsAnswer>;

export const getOperations = {
  ...operations,
  operationId: 'getOperations',
  path: '/v1/operations',
  summary: 'State, lags, closures, rates and load, for the people who run the platform',
  description:
    'Requests and queues are those of the program that answers; lags are those of all programs on the ' +
    'event log. Requests count when they end, in the last five minutes.',
  responses: { 200: { description: 'As it is now.', schema: OperationsAnswer } },
} as const satisfies RouteContract;

export const OutlineAnswer = Type.Object(
  {
    tileset_id: Type.String(),
    bounds: Bounds,
    lines: Type.Array(
      Type.Array(Type.Number(), { description: 'Degrees: longitude, latitude, longitude, latitude …' }),
    ),
  },
  closed,
);
export type OutlineAnswer = Static<typeof OutlineAnswer>;

export const getOperationsOutline = {
  ...operations,
  operationId: 'getOperationsOutline',
  path: '/v1/operations/outline',
  summary: 'The main roads of the map in few points, to draw the load on',
  responses: { 200: { description: 'Changes with the tileset only.', schema: OutlineAnswer } },
} as const satisfies RouteContract;
