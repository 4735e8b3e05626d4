import type { GroupBlockView } from '#schemas/http/hotel-blocks.js';
import type { HotelView } from '#schemas/http/hotels.js';
import { localAt, momentAt } from './hotel-time.js';
import { messages } from './staff-messages.js';
import { addDays, nightsOf, today } from './texts.js';

/** What staff have typed about a group. */
export interface BlockEntry {
  readonly name: string;
  readonly code: string;
  readonly startDate: string;
  readonly endDate: string;
  /** As the clocks of the hotel show it. */
  readonly releaseAt: string;
  readonly rooms: readonly RoomsEntry[];
  readonly reason: string;
}

export interface RoomsEntry {
  readonly roomTypeID: string;
  readonly rooms: string;
}

const nightsMax = 31;

export function newEntry({ roomTypes }: HotelView): BlockEntry {
  const startDate = addDays(today(), 30);
  return {
    ...{ name: '', code: '', reason: '' },
    startDate,
    endDate: addDays(startDate, 1),
    releaseAt: `${addDays(startDate, -7)}T18:00`,
    rooms: [{ roomTypeID: roomTypes[0]?.roomTypeID ?? '', rooms: '' }],
  };
}

export function entryOf(block: GroupBlockView, { timeZone }: HotelView): BlockEntry {
  const { name, code, startDate, endDate, releaseAt, nights } = block;
  const rooms = new Map<string, number>();
  for (const { roomTypeID, held, pickedUp } of nights)
    rooms.set(roomTypeID, Math.max(rooms.get(roomTypeID) ?? 0, held + pickedUp));
  return {
    ...{ name, code, startDate, endDate, reason: '' },
    releaseAt: localAt(Date.parse(releaseAt), timeZone),
    rooms: [...rooms].map(([roomTypeID, many]) => ({ roomTypeID, rooms: String(many) })),
  };
}

/** One sentence, empty if nothing is wrong that this page can see. */
export function entryFault(
  { startDate, endDate, releaseAt }: BlockEntry,
  { timeZone }: HotelView,
  isNew: boolean,
): string {
  const nights = nightsOf(startDate, endDate);
  if (isNew && !(nights >= 1 && nights <= nightsMax)) return messages.blockNights(nightsMax);
  const release = momentAt(releaseAt, timeZone);
  const last = momentAt(`${addDays(endDate, 1)}T12:00`, timeZone);
  return release > Date.now() && release <= last ? '' : messages.badReleaseTime;
}

const releaseOf = ({ releaseAt }: BlockEntry, { timeZone }: HotelView) =>
  new Date(momentAt(releaseAt, timeZone)).toISOString();
const roomsOf = (rooms: readonly RoomsEntry[]) =>
  rooms.map(({ roomTypeID, rooms: many }) => ({ roomTypeID, rooms: Number(many) }));

export const blockOf = (entry: BlockEntry, hotel: HotelView) => ({
  name: entry.name.trim(),
  code: entry.code.trim().toUpperCase(),
  startDate: entry.startDate,
  endDate: entry.endDate,
  releaseAt: releaseOf(entry, hotel),
  rooms: roomsOf(entry.rooms),
  reason: entry.reason.trim(),
});

/** Only what differs, so that two people who change different things keep both. Undefined: nothing. */
export function changeOf(entry: BlockEntry, before: BlockEntry, hotel: HotelView) {
  const same = (of: RoomsEntry) =>
    before.rooms.some((one) => one.roomTypeID === of.roomTypeID && one.rooms === of.rooms);
  const rooms = entry.rooms.filter((of) => !same(of));
  const change = {
    ...(entry.name.trim() === before.name ? {} : { name: entry.name.trim() }),
    ...(entry.releaseAt === before.releaseAt ? {} : { releaseAt: releaseOf(entry, hotel) }),
    ...(rooms.length === 0 ? {} : { rooms: roomsOf(rooms) }),
  };
  return Object.keys(change).length === 0 ? undefined : { ...change, reason: entry.reason.trim() };
}
