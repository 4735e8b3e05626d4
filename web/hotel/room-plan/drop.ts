import type { PlanRoom, PlanStay, RoomPlanView } from '#schemas/http/hotel-desk.js';
import { addDays, nightsOf } from '../texts.js';
import type { Nights } from './bars.js';

/** A row of the plan that a stay is dropped on. */
export type Row =
  | { readonly kind: 'room'; readonly roomID: string }
  /** Of stays without a room. */
  | { readonly kind: 'lane' }
  /** Another room type than the one that is open. */
  | { readonly kind: 'type'; readonly roomTypeID: string };

/** A stay that was picked up, and where it would be dropped now. */
export interface Held {
  readonly stay: PlanStay;
  /** Which of its rooms was picked up; null: it has none yet. */
  readonly roomID: string | null;
  readonly row: Row;
  /** Nights later, or earlier. */
  readonly shift: number;
}

export type Refusal =
  | { readonly why: 'checkedIn' | 'paymentReturned' | 'over' | 'begun' | 'past' | 'keepsRoom' | 'hasRoom' }
  | { readonly why: 'closed'; readonly number: string }
  | { readonly why: 'taken'; readonly number: string; readonly by: PlanStay }
  | { readonly why: 'tooFew'; readonly free: number; readonly needed: number };

export type Drop =
  /** Where it was. */
  | { readonly kind: 'home' }
  | { readonly kind: 'assign'; readonly rooms: PlanStay['rooms'] }
  | {
      readonly kind: 'change';
      readonly change: {
        readonly startDate?: string;
        readonly endDate?: string;
        readonly roomTypeID?: string;
      };
      /** All rooms that it gets afterwards; null: none. */
      readonly roomIDs: readonly string[] | null;
    }
  | ({ readonly kind: 'refused' } & Refusal);

export const homeOf = (roomID: string | null): Row =>
  roomID === null ? { kind: 'lane' } : { kind: 'room', roomID };

/** The rows that a held stay can go to, from above. */
export const rowsOf = (plan: RoomPlanView, roomID: string | null): readonly Row[] =>
  plan.types.flatMap(({ roomTypeID }): Row[] => {
    if (roomTypeID !== plan.roomTypeID) return [{ kind: 'type', roomTypeID }];
    const rooms = plan.rooms.map((room): Row => ({ kind: 'room', roomID: room.roomID }));
    return roomID === null ? [{ kind: 'lane' }, ...rooms] : rooms;
  });

export const isSameRow = (a: Row, b: Row): boolean => JSON.stringify(a) === JSON.stringify(b);

/** So many rows down and nights later; one of its nights always stays in the plan. */
export function moved(plan: RoomPlanView, held: Held, rows: number, nights: number): Held {
  const all = rowsOf(plan, held.roomID);
  const at = all.findIndex((row) => isSameRow(row, held.row));
  const row = all[Math.min(Math.max(at + rows, 0), all.length - 1)] ?? held.row;
  return { ...held, row, shift: shiftWithin(plan, held.stay, held.shift + nights) };
}

export function shiftWithin(plan: Nights, { startDate, endDate }: PlanStay, shift: number): number {
  const least = nightsOf(endDate, plan.from) - 1;
  const most = nightsOf(startDate, plan.to) - 1;
  return Math.min(Math.max(shift, least), most);
}

export const nightsHeld = ({ stay: { startDate, endDate }, shift }: Held): Nights => ({
  from: addDays(startDate, shift),
  to: addDays(endDate, shift),
});

/** What happens if the stay is dropped where it is held, as far as this plan knows. */
export function dropOf(plan: RoomPlanView, held: Held): Drop {
  const { stay, roomID, row, shift } = held;
  if (isSameRow(row, homeOf(roomID)) && shift === 0) return { kind: 'home' };
  const fixed = fixedBy(plan, held);
  if (fixed !== undefined) return { kind: 'refused', why: fixed };
  const nights = nightsHeld(held);
  const dates = shift === 0 ? {} : { startDate: nights.from, endDate: nights.to };
  if (row.kind === 'type')
    return { kind: 'change', change: { ...dates, roomTypeID: row.roomTypeID }, roomIDs: null };
  if (row.kind === 'lane')
    return roomID === null
      ? { kind: 'change', change: dates, roomIDs: null }
      : { kind: 'refused', why: 'keepsRoom' };
  const wanted = wantedRooms(plan, held, row.roomID);
  if ('why' in wanted) return { kind: 'refused', ...wanted };
  for (const room of plan.rooms.filter((one) => wanted.includes(one.roomID))) {
    const refusal = refusalOf(plan, room, stay, nights);
    if (refusal !== undefined) return { kind: 'refused', ...refusal };
  }
  if (shift !== 0) return { kind: 'change', change: dates, roomIDs: wanted };
  const known = [...stay.rooms, ...plan.rooms].map(({ roomID: id, number }) => ({ roomID: id, number }));
  return { kind: 'assign', rooms: wanted.map((id) => known.find((room) => room.roomID === id)!) };
}

/** Why this stay does not move at all, or not to these nights or another type. */
function fixedBy(
  plan: RoomPlanView,
  held: Held,
): 'checkedIn' | 'paymentReturned' | 'over' | 'begun' | 'past' | undefined {
  const { stay, row, shift } = held;
  if (stay.status === 'checked_in') return 'checkedIn';
  if (stay.status === 'payment_returned') return 'paymentReturned';
  if (stay.status !== 'paid') return 'over';
  if (shift === 0 && row.kind !== 'type') return undefined;
  if (stay.startDate < plan.today) return 'begun';
  return nightsHeld(held).from < plan.today ? 'past' : undefined;
}

/** A stay of several rooms without any gets the next ones that are free, too. */
function wantedRooms(plan: RoomPlanView, held: Held, target: string): readonly string[] | Refusal {
  const { stay, roomID } = held;
  if (roomID !== null) {
    const others = stay.rooms.map((room) => room.roomID).filter((id) => id !== roomID);
    return others.includes(target) ? { why: 'hasRoom' } : [...others, target];
  }
  const at = plan.rooms.findIndex((room) => room.roomID === target);
  const next = [...plan.rooms.slice(at + 1), ...plan.rooms.slice(0, at)];
  const nights = nightsHeld(held);
  const free = next.filter((room) => refusalOf(plan, room, stay, nights) === undefined);
  const needed = Number(stay.roomCount);
  if (free.length + 1 < needed) return { why: 'tooFew', free: free.length + 1, needed };
  return [target, ...free.slice(0, needed - 1).map((room) => room.roomID)];
}

/** Why the stay cannot have this room on these nights. */
function refusalOf(
  plan: RoomPlanView,
  room: PlanRoom,
  stay: PlanStay,
  { from, to }: Nights,
): Refusal | undefined {
  const { number } = room;
  const overlaps = (first: string, last: string) => first <= to && last >= from;
  if (room.status === 'out_of_order' || room.closed.some((nights) => overlaps(nights.from, nights.to)))
    return { why: 'closed', number };
  const by = plan.stays.find(
    (other) =>
      other.reservationID !== stay.reservationID &&
      overlaps(other.startDate, other.endDate) &&
      other.rooms.some(({ roomID }) => roomID === room.roomID),
  );
  return by === undefined ? undefined : { why: 'taken', number, by };
}
