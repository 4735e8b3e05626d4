import { type Static, Type } from 'typebox';
import type { RouteContract } from './route-contract.js';

const closed = { additionalProperties: false } as const;
const pattern = '^[^\\p{Cc}\\p{Cs}]*$';
const id = Type.String({ minLength: 1, maxLength: 64, pattern });
const day = Type.String({ format: 'date', description: 'YYYY-MM-DD in the time zone of the hotel.' });
const stay = (description: string) => Type.Integer({ minimum: 1, maximum: 31, description });

/** `hotel/selling/ari-update.ts` has the same, and a test compares them. */
export const ariBounds = { updatesMax: 1_000, cellsMax: 50_000, daysMax: 800 } as const;

const AriUpdateView = Type.Object(
  {
    roomTypeIDs: Type.Array(id, { minItems: 1, maxItems: 100, uniqueItems: true }),
    from: day,
    to: Type.String({ format: 'date', description: 'Inclusive.' }),
    ratePlanID: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        pattern,
        description: 'Then price and restrictions are those of the plan, in addition to the room type’s.',
      }),
    ),
    price: Type.Optional(
      Type.String({
        maxLength: 20,
        description:
          'Decimal string for one room and night. Only for the room type or a plan with own prices.',
      }),
    ),
    overbookingPercent: Type.Optional(
      Type.Integer({
        minimum: 100,
        maximum: 200,
        description: 'This percentage of the rooms can be sold. Default of each day: 110.',
      }),
    ),
    sellLimit: Type.Optional(
      Type.Union([Type.Integer({ minimum: 0, maximum: 1_000_000 }), Type.Null()], {
        description: 'At most this many rooms are sold, including those sold already. null: no limit.',
      }),
    ),
    stopSell: Type.Optional(Type.Boolean({ description: 'true: these nights are not sold.' })),
    closedToArrival: Type.Optional(Type.Boolean({ description: 'true: no stay arrives on these days.' })),
    closedToDeparture: Type.Optional(Type.Boolean({ description: 'true: no stay departs on these days.' })),
    minStay: Type.Optional(stay('Nights of a stay that arrives on these days. 1: no minimum.')),
    maxStay: Type.Optional(
      Type.Union([stay('Nights of a stay that arrives on these days.'), Type.Null()], {
        description: 'null: no maximum.',
      }),
    ),
  },
  { ...closed, description: 'What is absent stays as it is.' },
);
export type AriUpdateView = Static<typeof AriUpdateView>;

export const updateHotelAri = {
  operationId: 'updateHotelAri',
  method: 'PUT',
  path: '/v1/staff/hotels/{id}/ari',
  listener: 'internal',
  tag: 'hotel management',
  scopes: ['desk'],
  summary: 'Set availability, rates and restrictions of many room types and days, all or nothing',
  description:
    'Updates apply in order; a later one wins. Each reservation is made before or after the whole ' +
    'request. A repeated request changes nothing. Limits below what is already sold refuse no existing ' +
    'reservation; nothing more is sold.',
  params: Type.Object({ id }),
  body: {
    maxBytes: 512 * 1024,
    contentTypes: ['application/json'],
    schema: Type.Object(
      {
        reason: Type.String({
          minLength: 1,
          maxLength: 500,
          pattern,
          description: 'Reason, recorded in the audit log.',
        }),
        updates: Type.Array(AriUpdateView, {
          minItems: 1,
          maxItems: ariBounds.updatesMax,
          description: `Room types × days, over all updates: at most ${ariBounds.cellsMax}.`,
        }),
      },
      closed,
    ),
  },
  responses: {
    204: { description: 'Everything is set.' },
    404: { description: 'No hotel has this id.' },
    409: {
      description:
        'Some days are not in the inventory (see `dates`), the rate plan does not exist or derives its ' +
        'prices, a minimum stay would be above the maximum, or a derived plan would cost nothing or less. ' +
        'Nothing was changed.',
    },
  },
} as const satisfies RouteContract;

const AriRateView = Type.Object(
  {
    ratePlanID: Type.Optional(
      Type.String({ description: 'Absent: the rate and the terms of the room type.' }),
    ),
    price: Type.Optional(
      Type.String({ description: 'One room, decimal. Absent: the night cannot be sold at this rate.' }),
    ),
    stopSell: Type.Boolean(),
    closedToArrival: Type.Boolean(),
    closedToDeparture: Type.Boolean(),
    minStay: Type.Integer(),
    maxStay: Type.Optional(Type.Integer()),
  },
  { ...closed, description: 'Restrictions are those of room type and rate plan together.' },
);

const AriSnapshotView = Type.Object(
  {
    version: Type.String({
      description:
        'Of the hotel. Take each delta of the topic hotel.ari.changed.v1 with a higher version; of several ' +
        'pages, the version of the first one counts.',
    }),
    currency: Type.String(),
    days: Type.Array(
      Type.Object(
        {
          roomTypeID: Type.String(),
          date: day,
          available: Type.Integer({ description: 'Rooms that can be sold now.' }),
          rates: Type.Array(AriRateView),
        },
        closed,
      ),
    ),
    nextCursor: Type.Optional(
      Type.String({ description: 'Present when there are more room types; send it as cursor.' }),
    ),
  },
  closed,
);
export type AriSnapshotView = Static<typeof AriSnapshotView>;

export const getHotelAri = {
  operationId: 'getHotelAri',
  method: 'GET',
  path: '/v1/staff/hotels/{id}/ari',
  listener: 'internal',
  tag: 'hotel management',
  scopes: ['desk', 'service'],
  summary: 'Snapshot of availability, rates and restrictions, from which a channel follows the deltas',
  description:
    'A channel reads from the end of the topic first, takes all pages, then applies the deltas above the ' +
    'version of the first page: nothing is missing.',
  params: Type.Object({ id }),
  query: Type.Object({ from: day, to: day, cursor: Type.Optional(id) }, closed),
  responses: {
    200: { description: 'A page of whole room types.', schema: AriSnapshotView },
    404: { description: 'No hotel has this id.' },
    409: { description: 'The hotel has no channel feed.' },
  },
} as const satisfies RouteContract;

export const putChannelFeed = {
  operationId: 'putChannelFeed',
  method: 'PUT',
  path: '/v1/staff/hotels/{id}/channel-feed',
  listener: 'internal',
  tag: 'hotel management',
  scopes: ['desk'],
  summary: 'Start or end the deltas of availability, rates and restrictions for channels',
  params: Type.Object({ id }),
  body: {
    maxBytes: 2_048,
    contentTypes: ['application/json'],
    schema: Type.Object(
      {
        reason: Type.String({
          minLength: 1,
          maxLength: 500,
          pattern,
          description: 'Reason, recorded in the audit log.',
        }),
        enabled: Type.Boolean(),
      },
      closed,
    ),
  },
  responses: {
    204: { description: 'Changes from now on are published, or no longer.' },
    404: { description: 'No hotel has this id.' },
  },
} as const satisfies RouteContract;
