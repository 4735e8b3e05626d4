import { type Static, Type } from 'typebox';
import { oneOf } from './one-of.js';

const closed = { additionalProperties: false } as const;

export const Position = Type.Object(
  {
    lat: Type.Number({ minimum: -90, maximum: 90, description: 'Degrees, WGS 84.' }),
    lng: Type.Number({ minimum: -180, maximum: 180, description: 'Degrees, WGS 84.' }),
  },
  closed,
);
export type Position = Static<typeof Position>;

/** Google's pair of a text for people and a number for programs: metres or seconds. */
export const TextValue = Type.Object(
  { text: Type.String(), value: Type.Number({ description: 'Metres or seconds.' }) },
  closed,
);
export type TextValue = Static<typeof TextValue>;

export const Polyline = Type.Object(
  { points: Type.String({ description: 'Encoded polyline, precision 5.' }) },
  closed,
);

export const travelModes = ['DRIVING', 'WALKING', 'BICYCLING'] as const;
export const TravelMode = oneOf(travelModes);

/**
 * RFC 9457, with a stable `code`, the fields that were wrong, and the id under which the request was logged.
 */
export const Problem = Type.Object({
  type: Type.String({ description: 'URL of a page that explains this kind of problem.' }),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.Optional(Type.String()),
  instance: Type.Optional(Type.String()),
  code: Type.String(),
  errors: Type.Optional(
    Type.Array(
      Type.Object({ pointer: Type.String({ description: 'JSON pointer.' }), message: Type.String() }),
    ),
  ),
  trace_id: Type.Optional(Type.String()),
});
export type Problem = Static<typeof Problem>;
