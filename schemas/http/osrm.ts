import { Type } from 'typebox';
import type { RouteContract } from './route-contract.js';

const word = Type.Optional(Type.String({ maxLength: 64 }));

/**
 * The layout of OSRM's version 5, so that its clients work unchanged. Its errors keep OSRM's shape: `code` and `message`
 * with status 400. What a query may hold is checked by the handler, in OSRM's words.
 */
export const getOsrmRoute = {
  operationId: 'getOsrmRoute',
  method: 'GET',
  path: '/v1/osrm/route/v1/{profile}/{coordinates}',
  listener: 'public',
  tag: 'navigation',
  summary: 'Routes in the layout of OSRM v5, for clients made for it',
  description:
    'Profiles `driving` (or `car`), `cycling` (`bike`) and `walking` (`foot`). Coordinates are `lng,lat` joined by `;`. `overview=simplified` gives the full line.',
  scopes: 'open',
  params: Type.Object({
    profile: Type.String({ maxLength: 40 }),
    coordinates: Type.String({ maxLength: 1_500, description: '`lng,lat;lng,lat`' }),
  }),
  query: Type.Object({
    alternatives: word,
    steps: word,
    geometries: word,
    overview: word,
    annotations: word,
    language: word,
    exclude: word,
    generate_hints: word,
    continue_straight: word,
    hints: Type.Optional(Type.String({ maxLength: 1_500 })),
    radiuses: Type.Optional(Type.String({ maxLength: 200 })),
    bearings: Type.Optional(Type.String({ maxLength: 200 })),
    approaches: Type.Optional(Type.String({ maxLength: 200 })),
  }),
  responses: {
    200: { description: 'Routes.', schema: Type.Unknown() },
    400: {
      description:
        "OSRM's error: `code` (InvalidQuery, InvalidValue, NoSegment, NoRoute, TooBig …) and `message`.",
      schema: Type.Object({ code: Type.String(), message: Type.String() }),
    },
    503: { description: 'The routing pool is saturated or the map is not loaded yet; see Retry-After.' },
  },
} as const satisfies RouteContract;
