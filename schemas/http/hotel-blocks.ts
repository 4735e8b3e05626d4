import { type Static, Type } from 'typebox';
import type { RouteContract } from './route-contract.js';

const closed = { additionalProperties: false } as const;
const pattern = '^[^\\p{Cc}\\p{Cs}]*$';
const id = Type.String({ minLength: 1, maxLength: 64, pattern });
const day = Type.String({ format: 'date', description: 'YYYY-MM-DD in the time zone of the hotel.' });
const reason = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern,
  description: 'Reason, recorded in the audit log.',
});
/** `hotel/blocks/limits.ts` has the same, and a test compares them. */
export const blockBounds = { typesMax: 50, roomsMax: 2_000, nightsMax: 31, listMax: 200 } as const;

const same = {
  name: Type.String({ minLength: 1, maxLength: 200, pattern }),
  code: Type.String({
    pattern: '^[A-Z0-9-]{4,32}$',
    description: 'What guests send as `blockCode`. Unique in the hotel, also after the release.',
  }),
  startDate: day,
  endDate: Type.String({
    format: 'date',
    description: `Last night, inclusive; at most ${blockBounds.nightsMax} nights.`,
  }),
};
const releaseAt =
  'RFC 3339. What is not picked up by then returns to sale. Before the end of the last night.';

const releaseTime = Type.String({ format: 'date-time', description: releaseAt });

const NewGroupBlock = Type.Object(
  {
    ...same,
    releaseAt: releaseTime,
    rooms: Type.Array(
      Type.Object(
        { roomTypeID: id, rooms: Type.Integer({ minimum: 1, maximum: blockBounds.roomsMax }) },
        closed,
      ),
      { minItems: 1, maxItems: blockBounds.typesMax, description: 'Rooms of each type on every night.' },
    ),
    reason,
  },
  closed,
);

const GroupBlockChange = Type.Object(
  {
    name: Type.Optional(same.name),
    releaseAt: Type.Optional(releaseTime),
    rooms: Type.Optional(
      Type.Array(
        Type.Object(
          { roomTypeID: id, rooms: Type.Integer({ minimum: 0, maximum: blockBounds.roomsMax }) },
          closed,
        ),
        {
          maxItems: blockBounds.typesMax,
          description:
            'Rooms of a type on each night from today on, those that were picked up among them. Types that ' +
            'are left out keep theirs.',
        },
      ),
    ),
    reason,
  },
  closed,
);

const GroupBlockView = Type.Object({
  blockID: Type.String(),
  ...same,
  releaseAt: Type.String({ description: releaseAt }),
  releasedAt: Type.Union([Type.String(), Type.Null()], { description: 'null: the block is open.' }),
  nights: Type.Array(
    Type.Object({
      roomTypeID: Type.String(),
      date: day,
      held: Type.Integer({ description: 'Held for the group and not picked up.' }),
      pickedUp: Type.Integer({ description: 'Reserved with the code, cancelled ones included.' }),
    }),
  ),
  reservationIDs: Type.Array(Type.String(), { description: 'At most 500, the newest first.' }),
});
export type GroupBlockView = Static<typeof GroupBlockView>;

const common = { listener: 'internal', tag: 'hotel management', scopes: ['desk'] } as const;
const path = '/v1/staff/hotels/{id}/group-blocks/{block}';
const params = Type.Object({ id, block: id });
const unknown = { description: 'No hotel has this id, or it has no such block.' };

export const putGroupBlock = {
  ...common,
  operationId: 'putGroupBlock',
  method: 'PUT',
  path,
  summary: 'Hold rooms for a group, on all nights or on none',
  description:
    'Held rooms count as reserved. Guests reserve them with `blockCode`. A repeated request changes ' +
    'nothing. Restrictions on selling do not concern what the hotel holds.',
  params,
  body: { maxBytes: 32 * 1024, contentTypes: ['application/json'], schema: NewGroupBlock },
  responses: {
    200: { description: 'The same block was created before.', schema: GroupBlockView },
    201: { description: 'The rooms are held.', schema: GroupBlockView },
    404: { description: 'No hotel has this id.' },
    409: {
      description:
        'Not enough rooms are left or on sale (see `dates`), the id or the code has another block, or the ' +
        'hotel has too many open blocks. Nothing was changed.',
    },
  },
} as const satisfies RouteContract;

export const changeGroupBlock = {
  ...common,
  operationId: 'changeGroupBlock',
  method: 'POST',
  path: `${path}/change`,
  summary: 'Change the name, the release time or the rooms of an open group block',
  description:
    'On all nights or on none. What is left out stays as it is. A night on which more rooms were picked up ' +
    'than it now has holds no further ones. Code and dates are never changed.',
  params,
  body: { maxBytes: 32 * 1024, contentTypes: ['application/json'], schema: GroupBlockChange },
  responses: {
    200: { description: 'The block.', schema: GroupBlockView },
    404: unknown,
    409: {
      description:
        'Not enough rooms are left or on sale (see `dates`), or the block is released. Nothing was changed.',
    },
  },
} as const satisfies RouteContract;

export const getGroupBlock = {
  ...common,
  operationId: 'getGroupBlock',
  method: 'GET',
  path,
  summary: 'A group block: what is held and picked up on each night',
  params,
  responses: { 200: { description: 'The block.', schema: GroupBlockView }, 404: unknown },
} as const satisfies RouteContract;

export const listGroupBlocks = {
  ...common,
  operationId: 'listGroupBlocks',
  method: 'GET',
  path: '/v1/staff/hotels/{id}/group-blocks',
  summary: `The newest group blocks of a hotel, at most ${blockBounds.listMax}`,
  params: Type.Object({ id }),
  responses: {
    200: { description: 'The blocks.', schema: Type.Object({ blocks: Type.Array(GroupBlockView) }) },
    404: { description: 'No hotel has this id.' },
  },
} as const satisfies RouteContract;

export const releaseGroupBlock = {
  ...common,
  operationId: 'releaseGroupBlock',
  method: 'POST',
  path: `${path}/release`,
  summary: 'Return what was not picked up to sale now',
  description: 'A block that is released already stays as it is. Reservations are not concerned.',
  params,
  body: { maxBytes: 4_096, contentTypes: ['application/json'], schema: Type.Object({ reason }, closed) },
  responses: { 200: { description: 'The block.', schema: GroupBlockView }, 404: unknown },
} as const satisfies RouteContract;
