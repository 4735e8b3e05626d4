import { type Static, Type } from 'typebox';
import type { RouteContract } from './route-contract.js';
import { getNavWithWork } from './search-work.js';
import { Position } from './shapes.js';

const Hour = Type.Object({
  hour_of_week: Type.Integer({
    minimum: 0,
    maximum: 167,
    description: 'UTC; 0 is Monday 00:00 to 01:00, 167 is Sunday 23:00 to 24:00.',
  }),
  share: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'Of all times at this place; recent ones more.',
  }),
});

const UsualPlace = Type.Object({
  id: Type.Integer({ description: 'Named by `routes`; stays the same while the place is known.' }),
  location: Position,
  days: Type.Integer({ description: 'Different days (UTC) on which you arrived.' }),
  last_seen_at: Type.String({ description: 'RFC 3339, rounded to the hour.' }),
  arrivals: Type.Array(Hour),
  departures: Type.Array(Hour),
});

const UsualRoute = Type.Object({
  from: Type.Integer({ description: 'Id of a place.' }),
  to: Type.Integer({ description: 'Id of a place.' }),
  trips: Type.Integer(),
  share: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'Of your trips from this place to that one; recent ones more.',
  }),
  edge_ids: Type.Array(Type.String(), { description: 'Stable ids of its longest road edges.' }),
});

export const Patterns = Type.Object(
  {
    enabled: Type.Boolean({ description: 'You allowed that they are learned.' }),
    places: Type.Array(UsualPlace),
    routes: Type.Array(UsualRoute),
  },
  {
    examples: [
      {
        enabled: true,
        places: [
          {
            id: 1,
            location: { lat: 35.9012, lng: 14.4931 },
            days: 12,
            last_seen_at: '2026-11-25T07:00:00Z',
            arrivals: [{ hour_of_week: 17, share: 0.4 }],
            departures: [{ hour_of_week: 6, share: 0.5 }],
          },
        ],
        routes: [],
      },
    ],
  },
);
export type Patterns = Static<typeof Patterns>;

const Permission = Type.Object(
  { enabled: Type.Boolean({ description: 'False revokes, and deletes what was learned.' }) },
  { additionalProperties: false, examples: [{ enabled: true }] },
);

const owner = {
  listener: 'public',
  tag: 'personalization',
  scopes: ['driver', 'customer'],
  params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 128 }) }),
} as const;
const notYours = { description: 'The user id is not yours or does not exist.' } as const;
const storeUnavailable = { description: 'The object store is not available. See Retry-After.' } as const;

export const getPatterns = {
  ...owner,
  operationId: 'getPatterns',
  method: 'GET',
  path: '/v1/users/{id}/patterns',
  summary: 'Your own usual places and routes',
  description:
    'Places where you stayed for ten minutes or more on three days or more, and routes that you drove ' +
    'three times or more between two of them. Learned only while you allow it, from locations sent after ' +
    'that, two hours behind. Unused ones are deleted after 90 days. Without permission the lists are empty.',
  responses: {
    200: { description: 'What is learned now.', schema: Patterns },
    404: notYours,
    503: storeUnavailable,
  },
} as const satisfies RouteContract;

export const putPatterns = {
  ...owner,
  operationId: 'putPatterns',
  method: 'PUT',
  path: '/v1/users/{id}/patterns',
  summary: 'Allow or revoke that your usual places and routes are learned',
  description: 'Off by default. Revoking deletes what was learned and the permission itself.',
  body: { maxBytes: 1_024, contentTypes: ['application/json'], schema: Permission },
  responses: {
    200: { description: 'The event log has it.', schema: Permission },
    404: notYours,
    503: {
      description:
        'The event log did not confirm it, so the result is unknown, or the limit of users is reached. ' +
        'Retry after Retry-After.',
    },
  },
} as const satisfies RouteContract;

export const deletePatterns = {
  ...owner,
  operationId: 'deletePatterns',
  method: 'DELETE',
  path: '/v1/users/{id}/patterns',
  summary: 'Revoke the permission and delete what was learned',
  description: 'The same as `PUT` with `"enabled": false`. The 202 is sent after the event log has it.',
  responses: {
    202: { description: 'It is durable; the data is deleted within seconds.' },
    404: notYours,
    503: { description: 'The event log did not confirm it, so the result is unknown. Retry.' },
  },
} as const satisfies RouteContract;

const Destinations = Type.Object(
  { places: Type.Array(Type.Object({ id: Type.Integer(), location: Position, days: Type.Integer() })) },
  { examples: [{ places: [{ id: 2, location: { lat: 35.8878, lng: 14.4027 }, days: 9 }] }] },
);
export type Destinations = Static<typeof Destinations>;

export const getDestinations = {
  ...owner,
  operationId: 'getDestinations',
  method: 'GET',
  path: '/v1/users/{id}/destinations',
  summary: 'Where you usually go at this hour',
  description:
    'Your usual places, those that you usually arrive at in this hour of the week first, then those of ' +
    'this hour on other days. Empty without permission (`PUT /v1/users/{id}/patterns`).',
  query: Type.Object({
    from: Type.Optional(
      Type.String({ maxLength: 64, description: '`lat,lng`; places within 300 m of it are left out.' }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, description: 'Default 5.' })),
  }),
  responses: {
    200: { description: 'Most likely first.', schema: Destinations },
    400: { description: '`from` is not a place.' },
    404: notYours,
    503: storeUnavailable,
  },
} as const satisfies RouteContract;

export const getUserNav = {
  ...owner,
  operationId: 'getUserNav',
  method: 'GET',
  path: '/v1/users/{id}/nav',
  tag: 'navigation',
  summary: 'Routes as from GET /v1/nav, your usual route first',
  description:
    'If you allowed it, and one of the alternatives covers 80 % of a route that you usually drive between ' +
    'these places, it is first, unless it takes over 10 % or 3 minutes longer than the fastest.',
  query: getNavWithWork.query,
  responses: { ...getNavWithWork.responses, 404: notYours },
} as const satisfies RouteContract;
