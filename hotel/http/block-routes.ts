import { type HttpAnswer, type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import type { Sql } from '#platform/sql/sql.js';
import * as contracts from '#schemas/http/hotel-blocks.js';
import { type BlockChange, changeBlock } from '../blocks/change-block.js';
import { type BlockRefusal, BlockRefused, createBlock } from '../blocks/create-block.js';
import { type BlockState, type GroupBlock, readBlocks } from '../blocks/group-block.js';
import { blockLimits } from '../blocks/limits.js';
import { releaseBlocks } from '../blocks/release-blocks.js';
import type { Hotels } from '../hotels/hotels.js';
import { hotelLimits } from '../limits.js';
import { dayAtHotel } from '../rates/ari-version.js';
import { audited } from '../staff/audited.js';
import { blockFaults, changeFaults, timeFaults } from './block-faults.js';
import { catchUnavailable } from './catch-unavailable.js';
import { datesProblem } from './failed-dates.js';
import { hotelProblems } from './hotel-problems.js';
import { noHotel } from './hotel-routes.js';
import * as messages from './messages.js';

export interface BlockRouteDeps {
  readonly sql: Sql;
  readonly hotels: Hotels;
  readonly now: () => Date;
}

const attempts = hotelLimits.attemptsMax;

/** Rooms held for groups, for staff. */
export function blockRoutes({ sql, hotels, now }: BlockRouteDeps): readonly Route[] {
  const show = async (hotelId: string, blockId: string, status = 200): Promise<HttpAnswer> => {
    const [block] = await readBlocks(sql, hotelId, { blockId, limit: 1 });
    return block === undefined
      ? problem(problems.notFound, messages.noBlock)
      : { status, headers: { 'cache-control': 'no-store' }, body: blockView(block) };
  };
  return [
    route(contracts.putGroupBlock, ({ params, body: { reason, rooms, ...given }, identity }) =>
      catchUnavailable(async () => {
        const hotel = await hotels.get(params.id);
        if (hotel === undefined) return noHotel();
        const block: GroupBlock = {
          ...given,
          blockId: params.block,
          releaseAt: new Date(given.releaseAt),
          rooms: rooms.map(({ roomTypeID: roomTypeId, rooms: many }) => ({ roomTypeId, rooms: many })),
        };
        const [known] = await readBlocks(sql, params.id, { blockId: params.block, limit: 1 });
        // A repeated request is answered also when its days are over.
        const errors = blockFaults(block, hotel);
        if (known === undefined)
          errors.push(...timeFaults(block, now(), await dayAtHotel(sql, params.id, now())));
        if (errors.length > 0) return problem(problems.invalid, messages.badFields, { errors });
        const { id: subject } = params;
        const entry = { action: 'create-group-block', subject, reason, staffId: identity.userId } as const;
        const outcome = await audited(sql, now(), { ...entry, detail: { block } }, () =>
          orRefused(sql.transaction((tx) => createBlock(tx, now(), params.id, block), { attempts })),
        );
        switch (outcome.kind) {
          case 'created':
            return show(params.id, params.block, 201);
          case 'unchanged':
            return show(params.id, params.block);
          case 'differs':
            return problem(hotelProblems.blockDiffers);
          case 'code-used':
            return problem(hotelProblems.blockCodeUsed);
          case 'too-many-blocks':
          case 'insufficient':
          case 'not-bookable':
            return refusal(outcome);
        }
      }),
    ),
    route(contracts.changeGroupBlock, ({ params, body: { reason, rooms, name, releaseAt }, identity }) =>
      catchUnavailable(async () => {
        const hotel = await hotels.get(params.id);
        if (hotel === undefined) return noHotel();
        const [known] = await readBlocks(sql, params.id, { blockId: params.block, limit: 1 });
        if (known === undefined) return problem(problems.notFound, messages.noBlock);
        const change: BlockChange = {
          name,
          ...(releaseAt === undefined ? {} : { releaseAt: new Date(releaseAt) }),
          rooms: rooms?.map(({ roomTypeID: roomTypeId, rooms: many }) => ({ roomTypeId, rooms: many })),
        };
        const errors = changeFaults(change, known, hotel, now());
        if (errors.length > 0) return problem(problems.invalid, messages.badFields, { errors });
        const of = {
          hotelId: params.id,
          blockId: params.block,
          today: await dayAtHotel(sql, params.id, now()),
        };
        const entry = { action: 'change-group-block', subject: params.id, reason } as const;
        const detail = { blockID: params.block, ...change };
        const outcome = await audited(sql, now(), { ...entry, staffId: identity.userId, detail }, () =>
          orRefused(sql.transaction((tx) => changeBlock(tx, of, change), { attempts })),
        );
        switch (outcome.kind) {
          case 'changed':
          case 'unknown':
            return show(params.id, params.block);
          case 'released':
            return problem(hotelProblems.blockClosed);
          case 'too-many-blocks':
          case 'insufficient':
          case 'not-bookable':
            return refusal(outcome);
        }
      }),
    ),
    route(contracts.getGroupBlock, ({ params }) => catchUnavailable(() => show(params.id, params.block))),
    route(contracts.listGroupBlocks, ({ params }) =>
      catchUnavailable(async () => {
        if ((await hotels.get(params.id)) === undefined) return noHotel();
        const blocks = await readBlocks(sql, params.id, { limit: blockLimits.listMax });
        const headers = { 'cache-control': 'no-store' };
        return { status: 200, headers, body: { blocks: blocks.map(blockView) } };
      }),
    ),
    route(contracts.releaseGroupBlock, ({ params, body: { reason }, identity }) =>
      catchUnavailable(async () => {
        const entry = { action: 'release-group-block', subject: params.id, reason } as const;
        const of = { hotelId: params.id, blockId: params.block };
        const detail = { blockID: params.block };
        await audited(sql, now(), { ...entry, staffId: identity.userId, detail }, async () => {
          const released = await sql.transaction((tx) => releaseBlocks(tx, now(), of), { attempts });
          return { kind: released === 0 ? 'unchanged' : 'released' };
        });
        return show(params.id, params.block);
      }),
    ),
  ];
}

/** A refusal rolls the transaction back, and is an outcome here. */
async function orRefused<Outcome>(work: Promise<Outcome>): Promise<Outcome | BlockRefusal> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof BlockRefused) return error.outcome;
    throw error;
  }
}

function refusal(outcome: BlockRefusal): HttpAnswer {
  switch (outcome.kind) {
    case 'too-many-blocks':
      return problem(hotelProblems.tooManyBlocks);
    case 'insufficient':
      return datesProblem(hotelProblems.insufficient, outcome.dates);
    case 'not-bookable':
      return datesProblem(hotelProblems.notBookable, outcome.dates);
  }
}

const blockView = (block: BlockState): contracts.GroupBlockView => ({
  blockID: block.blockId,
  name: block.name,
  code: block.code,
  startDate: block.startDate,
  endDate: block.endDate,
  releaseAt: block.releaseAt.toISOString(),
  releasedAt: block.releasedAt?.toISOString() ?? null,
  nights: block.nights.map(({ roomTypeId: roomTypeID, ...night }) => ({ roomTypeID, ...night })),
  reservationIDs: [...block.reservationIds],
});
