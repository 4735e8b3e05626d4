import { type Static, Type } from 'typebox';
import type { RouteContract } from './route-contract.js';

const closed = { additionalProperties: false } as const;

const HotelPlaces = Type.Object(
  {
    hotels: Type.Array(
      Type.Object(
        {
          hotelID: Type.String(),
          name: Type.String(),
          address: Type.String(),
          lat: Type.Number(),
          lng: Type.Number(),
        },
        closed,
      ),
    ),
    more: Type.Boolean({ description: 'More hotels match. Zoom in, or give more of the name.' }),
  },
  closed,
);
export type HotelPlaces = Static<typeof HotelPlaces>;

/** A separate path and tag: the specification has no search, but a map needs the positions of the hotels. */
export const getHotelPlaces = {
  operationId: 'getHotelPlaces',
  method: 'GET',
  path: '/v1/hotel-places',
  listener: 'public',
  tag: 'map',
  summary: 'Locations of hotels, for a map (extension)',
  scopes: 'open',
  query: Type.Object(
    {
      name: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 100,
          pattern: '^[^\\p{Cc}\\p{Cs}]*$',
          description: 'Part of the name, case-insensitive.',
        }),
      ),
      lat: Type.Optional(
        Type.Number({ minimum: -90, maximum: 90, description: 'Together with lng: sorts by distance.' }),
      ),
      lng: Type.Optional(Type.Number({ minimum: -180, maximum: 180 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'Default 50.' })),
    },
    closed,
  ),
  responses: { 200: { description: 'Hotels, nearest first or by id.', schema: HotelPlaces } },
} as const satisfies RouteContract;
