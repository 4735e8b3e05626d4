import { type HttpAnswer, type Route, route } from '#platform/http/http-types.js';
import { type FieldError, problem, problems } from '#platform/http/problem.js';
import type { Sql } from '#platform/sql/sql.js';
import * as contracts from '#schemas/http/hotel-blocks.js';
import { BlockRefused, createBlock } from '../blocks/create-block.js';
import { type BlockState, type GroupBlock, readBlocks } from '../blocks/group-block.js';
import { blockLimits } from '../blocks/limits.js';
import { releaseBlocks } from '../blocks/release-blocks.js';
import type { Hotel } from '../hotels/hotel.js';
import type { Hotels } from '../hotels/hotels.js';
import { hotelLimits } from '../limits.js';
import { dayAtHotel } from '../rates/ari-version.js';
import { nightsBetween } from '../reservations/stay-days.js';
import { audited } from '../staff/audited.js';
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
        const errors = faultsOf(block, hotel);
        if (known === undefined)
          errors.push(...timeFaults(block, now(), await dayAtHotel(sql, params.id, now())));
        if (errors.length > 0) return problem(problems.invalid, messages.badFields, { errors });
        const { id: subject } = params;
        const entry = { action: 'create-group-block', subject, reason, staffId: identity.userId } as const;
        const outcome = await audited(sql, now(), { ...entry, detail: { block } }, async () => {
          try {
            return await sql.transaction((tx) => createBlock(tx, now(), params.id, block), { attempts });
          } catch (error) {
            if (error instanceof BlockRefused) return error.outcome;
            throw error;
          }
        });
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
            return problem(hotelProblems.tooManyBlocks);
          case 'insufficient':
            return datesProblem(hotelProblems.insufficient, outcome.dates);
          case 'not-bookable':
            return datesProblem(hotelProblems.notBookable, outcome.dates);
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

function faultsOf({ startDate, endDate, releaseAt, rooms }: GroupBlock, hotel: Hotel): FieldError[] {
  const faults: FieldError[] = [];
  const nights = nightsBetween(startDate, endDate);
  if (nights < 1) faults.push({ pointer: '/endDate', message: messages.endBeforeStart });
  if (nights > blockLimits.nightsMax)
    faults.push({ pointer: '/endDate', message: messages.tooManyNights(nights, blockLimits.nightsMax) });
  if (Number.isNaN(releaseAt.getTime())) faults.push({ pointer: '/releaseAt', message: messages.noMoment });
  const types = new Set(hotel.roomTypes.map(({ roomTypeId }) => roomTypeId));
  const seen = new Set<string>();
  for (const [index, { roomTypeId }] of rooms.entries()) {
    const pointer = `/rooms/${index}/roomTypeID`;
    if (!types.has(roomTypeId)) faults.push({ pointer, message: messages.unknownRoomType });
    if (seen.has(roomTypeId)) faults.push({ pointer, message: messages.namedTwice });
    seen.add(roomTypeId);
  }
  return faults;
}

function timeFaults({ startDate, endDate, releaseAt }: GroupBlock, now: Date, today: string): FieldError[] {
  const faults: FieldError[] = [];
  if (startDate < today) faults.push({ pointer: '/startDate', message: messages.blockInThePast });
  // A day of leeway for time zones: the exact end of the last night is not needed.
  const lastMs = Date.parse(`${endDate}T00:00:00Z`) + 2 * 86_400_000;
  if (releaseAt <= now || releaseAt.getTime() > lastMs)
    faults.push({ pointer: '/releaseAt', message: messages.badRelease });
  return faults;
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
