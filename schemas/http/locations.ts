import { type Static, type TOptional, type TUnsafe, Type } from 'typebox';
import { type LocationFieldValues, locationFields, requiredLocationFields } from '../location-fields.js';
import { oneOf } from './one-of.js';
import type { RouteContract } from './route-contract.js';

/** Points in one batch at most; a client that buffered more sends several batches. */
export const pointsPerBatchMax = 1_000;
export const locationBodyBytesMax = 256 * 1024;

const [lat, lng] = requiredLocationFields;
const tupleNames = [
  'latitude',
  'longitude',
  'Unix milliseconds',
  ...locationFields.map(({ name }) => `${name}?`),
];

const optionalFields = Object.fromEntries(
  locationFields.map((field) => {
    const { name, most, description } = field;
    const range = { minimum: 0, maximum: most };
    const shape = 'values' in field ? oneOf(field.values) : Type.Number(range);
    return [name, Type.Optional({ ...shape, description })];
  }),
) as unknown as {
  [Name in keyof LocationFieldValues]-?: TOptional<TUnsafe<NonNullable<LocationFieldValues[Name]>>>;
};

const LocationObject = Type.Object({
  lat: Type.Number({ minimum: lat.least, maximum: lat.most }),
  lng: Type.Number({ minimum: lng.least, maximum: lng.most }),
  timestamp: Type.Number({ description: 'Unix milliseconds.' }),
  ...optionalFields,
});

const LocationTuple = Type.Array(Type.Union([Type.Number(), Type.String()]), {
  minItems: requiredLocationFields.length,
  maxItems: tupleNames.length,
  description: `[${tupleNames.join(', ')}]`,
});

/** Documents the body; the ingest tier reads it straight from the bytes, without this schema. */
const LocationsBody = Type.Object({
  locs: Type.Union([
    Type.Array(Type.Union([LocationTuple, LocationObject]), { minItems: 1, maxItems: pointsPerBatchMax }),
    Type.String({ description: 'The same array as JSON text.' }),
  ]),
  batch_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'Sending the same id again has no effect.' }),
  ),
});

const RejectedPoint = Type.Object({
  index: Type.Integer({ description: 'Position in `locs`.' }),
  reason: Type.String(),
});

export const LocationsAccepted = Type.Object({
  accepted: Type.Integer(),
  duplicate: Type.Integer(),
  rejected: Type.Integer(),
  batch_id: Type.String(),
  shed: Type.Optional(
    Type.Integer({
      description: 'Points dropped under load because the driver did not move.',
    }),
  ),
  send_every_s: Type.Integer({
    description: 'Suggested sampling interval in seconds. More frequent points have no benefit here.',
  }),
  matched: Type.Optional(
    Type.Object(
      {
        edge: Type.String({ description: 'Stable id of the road edge.' }),
        left: Type.Integer({ description: 'When you left the edge, Unix milliseconds.' }),
      },
      {
        description: 'The last edge that you drove, as far as it is known.',
      },
    ),
  ),
  errors: Type.Optional(Type.Array(RejectedPoint)),
});
export type LocationsAccepted = Static<typeof LocationsAccepted>;

export const postLocations = {
  operationId: 'postLocations',
  method: 'POST',
  path: '/v1/locations',
  listener: 'public',
  tag: 'locations',
  summary: 'Send a batch of your own locations',
  description:
    'The 202 is sent only after the event log has the batch. `locs` can also be a form field or ' +
    'query parameter with the JSON text, and the whole batch can be Protobuf ' +
    '(`meridian.location.v1.LocationUpload` of `location.proto`). gzip is accepted.',
  scopes: ['driver', 'customer'],
  query: Type.Object({ locs: Type.Optional(Type.String()) }),
  body: {
    maxBytes: locationBodyBytesMax,
    contentTypes: ['application/json', 'application/x-protobuf', 'application/x-www-form-urlencoded'],
    describedBy: LocationsBody,
  },
  responses: {
    202: { description: 'The valid points are durable.', schema: LocationsAccepted },
    400: { description: 'The body is not a batch, or all its points are invalid.' },
    413: { description: `More than ${pointsPerBatchMax} points or ${locationBodyBytesMax} bytes.` },
    429: { description: 'Too many batches from one user. See Retry-After.' },
    503: {
      description:
        'The log did not confirm it, so the result is unknown. Retry with the batch_id in `detail`; ' +
        'the batch counts once.',
    },
  },
} as const satisfies RouteContract;

export const deleteUserLocations = {
  operationId: 'deleteUserLocations',
  method: 'DELETE',
  path: '/v1/users/{id}/locations',
  listener: 'public',
  tag: 'locations',
  summary: 'Erase your own location history',
  description:
    'The 202 is sent after the event log has the erasure. The location store follows within ' +
    'seconds; the log deletes the data after its retention time.',
  scopes: ['driver', 'customer'],
  params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 128 }) }),
  responses: {
    202: { description: 'The erasure is durable and covers everything sent before.' },
    404: { description: 'The user id is not yours or does not exist.' },
    503: {
      description: 'The event log did not confirm it, so the result is unknown. Retry after Retry-After.',
    },
  },
} as const satisfies RouteContract;

export const LocationHistory = Type.Object({
  locations: Type.Array(
    Type.Object({ lat: Type.Number(), lng: Type.Number(), timestamp: Type.Number(), ...optionalFields }),
  ),
  next_cursor: Type.Union([Type.String(), Type.Null()]),
});
export type LocationHistory = Static<typeof LocationHistory>;

/** To the last day of ECMAScript's calendar. */
const moment = { minimum: 0, maximum: 8.64e15 } as const;

export const getUserLocations = {
  operationId: 'getUserLocations',
  method: 'GET',
  path: '/v1/users/{id}/locations',
  listener: 'public',
  tag: 'locations',
  summary: 'Read your own location history, oldest first',
  description: 'A location has the optional fields that were sent with it.',
  scopes: ['driver', 'customer'],
  params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 128 }) }),
  query: Type.Object({
    from: Type.Optional(Type.Integer({ ...moment, description: 'Unix milliseconds, inclusive.' })),
    to: Type.Optional(Type.Integer({ ...moment, description: 'Unix milliseconds, exclusive.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
    cursor: Type.Optional(Type.String({ maxLength: 512 })),
  }),
  responses: {
    200: { description: 'A page in time order.', schema: LocationHistory },
    404: { description: 'The user id is not yours or does not exist.' },
    503: { description: 'The location store is not available. `Retry-After` says when to retry.' },
  },
} as const satisfies RouteContract;
