import { describe, expect, it } from 'vitest';
import type { PlanRoom, PlanStay, RoomPlanView } from '#schemas/http/hotel-desk.js';
import { barsOf, closedIn, datesOf, linesOf, spanOf } from '#web/hotel/room-plan/bars.js';
import { dropOf, type Held, homeOf, moved, type Row, rowsOf } from '#web/hotel/room-plan/drop.js';

const day = (date: number) => `2027-07-${String(date).padStart(2, '0')}`;
const room = (number: number, over: Partial<PlanRoom> = {}): PlanRoom => ({
  ...{ roomID: `r${number}`, number: String(number), floor: 1, status: 'available', closed: [] },
  ...over,
});
const stay = (
  name: string,
  first: number,
  last: number,
  rooms: number[],
  over: Partial<PlanStay> = {},
): PlanStay => ({
  ...{ reservationID: name, guestName: name, status: 'paid', roomTypeID: 'double' },
  ...{ roomCount: String(Math.max(rooms.length, 1)), startDate: day(first), endDate: day(last) },
  rooms: rooms.map((number) => ({ roomID: `r${number}`, number: String(number) })),
  ...over,
});
/** 5 to 11 July; today is the 6th. */
const planOf = (over: Partial<RoomPlanView> = {}): RoomPlanView => ({
  ...{ today: day(6), from: day(5), to: day(11), roomTypeID: 'double' },
  types: ['attic', 'double', 'single'].map((roomTypeID) => ({ roomTypeID, rooms: 4, unassigned: 0 })),
  rooms: [1, 2, 3, 4].map((number) => room(number)),
  ...{ stays: [], unassigned: [] },
  ...over,
});
const at = (number: number): Row => ({ kind: 'room', roomID: `r${number}` });
const held = (one: PlanStay, row: Row, shift = 0): Held => ({
  ...{ stay: one, row, shift },
  roomID: one.rooms[0]?.roomID ?? null,
});

describe('bars of the room plan', () => {
  it('lie on the nights that the plan shows, and say where they go on', () => {
    const plan = planOf();
    expect(datesOf(plan)).toHaveLength(7);
    const span = (first: number, last: number) => spanOf({ from: day(first), to: day(last) }, plan);
    expect(span(5, 5)).toEqual({ at: 0, nights: 1, goesOn: { before: false, after: false } });
    expect(span(11, 11)).toEqual({ at: 6, nights: 1, goesOn: { before: false, after: false } });
    expect(span(1, 20)).toEqual({ at: 0, nights: 7, goesOn: { before: true, after: true } });
    expect(span(10, 12)).toEqual({ at: 5, nights: 2, goesOn: { before: false, after: true } });
    expect([span(1, 4), span(12, 13)]).toEqual([undefined, undefined]);
  });

  it('of a stay with two rooms are in both rows; a room shows when it is out of order', () => {
    const both = stay('Both', 6, 7, [1, 3]);
    const plan = planOf({
      stays: [both, stay('Gone', 3, 4, [1])],
      rooms: [room(1), room(2), room(3, { closed: [{ from: day(1), to: day(5) }] })],
    });
    expect(plan.rooms.map((one) => barsOf(plan, one).map((bar) => bar.stay.guestName))).toEqual([
      ['Both'],
      [],
      ['Both'],
    ]);
    expect(closedIn(plan, plan.rooms[2]!)).toEqual([
      { at: 0, nights: 1, goesOn: { before: true, after: false } },
    ]);
  });

  it('of stays without a room never overlap, in as few lines as the fullest night needs', () => {
    const unassigned = [
      ...[stay('A', 5, 6, []), stay('B', 5, 5, []), stay('C', 6, 8, []), stay('D', 7, 7, [])],
      stay('E', 8, 9, []),
    ];
    const lines = linesOf(planOf({ unassigned }));
    expect(lines.map((bars) => bars.map((bar) => bar.stay.guestName).join(''))).toEqual(['ADE', 'BC']);
  });
});

describe('a drop on the room plan', () => {
  const ada = stay('Ada', 7, 8, [1]);
  const bo = stay('Bo', 8, 9, [2]);
  const plan = planOf({ stays: [ada, bo] });

  it('on another free room assigns it; where it was it changes nothing', () => {
    expect(dropOf(plan, held(ada, at(1)))).toEqual({ kind: 'home' });
    expect(dropOf(plan, held(ada, at(3)))).toEqual({
      ...{ kind: 'assign', rooms: [{ roomID: 'r3', number: '3' }] },
    });
  });

  it('on a room that is taken is refused with who has it, also for one night of several', () => {
    expect(dropOf(plan, held(ada, at(2)))).toEqual({ kind: 'refused', why: 'taken', number: '2', by: bo });
    // A night earlier they do not meet.
    expect(dropOf(plan, held(ada, at(2), -1))).toEqual({
      kind: 'change',
      change: { startDate: day(6), endDate: day(7) },
      roomIDs: ['r2'],
    });
  });

  it('on a room out of order is refused: by its days, and by what housekeeping says now', () => {
    const broken = planOf({
      stays: [ada],
      rooms: [
        ...[room(1), room(2, { closed: [{ from: day(8), to: day(20) }] })],
        ...[room(3, { status: 'out_of_order' }), room(4, { closed: [{ from: day(9), to: day(9) }] })],
      ],
    });
    expect(dropOf(broken, held(ada, at(2)))).toEqual({ kind: 'refused', why: 'closed', number: '2' });
    expect(dropOf(broken, held(ada, at(3)))).toEqual({ kind: 'refused', why: 'closed', number: '3' });
    expect(dropOf(broken, held(ada, at(4)))).toMatchObject({ kind: 'assign' });
    expect(dropOf(broken, held(ada, at(4), 1))).toEqual({ kind: 'refused', why: 'closed', number: '4' });
  });

  it('on other nights changes the dates and keeps the room; not into the past', () => {
    expect(dropOf(plan, held(ada, at(1), 2))).toEqual({
      kind: 'change',
      change: { startDate: day(9), endDate: day(10) },
      roomIDs: ['r1'],
    });
    expect(dropOf(plan, held(ada, at(1), -2))).toEqual({ kind: 'refused', why: 'past' });
  });

  it('on another type changes the type, and the room is assigned later', () => {
    const row = { kind: 'type', roomTypeID: 'single' } as const;
    expect(dropOf(plan, held(ada, row))).toEqual({
      ...{ kind: 'change', roomIDs: null },
      change: { roomTypeID: 'single' },
    });
    expect(dropOf(plan, held(ada, row, 1))).toMatchObject({
      change: { roomTypeID: 'single', startDate: day(8), endDate: day(9) },
    });
  });

  it.each([
    ['checked_in', 'checkedIn'],
    ['payment_returned', 'paymentReturned'],
    ['completed', 'over'],
    ['no_show', 'over'],
  ] as const)('of a stay that is %s is refused', (status, why) => {
    const one = stay('One', 6, 7, [1], { status });
    expect(dropOf(planOf({ stays: [one] }), held(one, at(3)))).toEqual({ kind: 'refused', why });
  });

  it('of a stay that has begun gives it another room, not other nights or another type', () => {
    const begun = stay('Begun', 5, 7, [1]);
    const old = planOf({ stays: [begun] });
    expect(dropOf(old, held(begun, at(3)))).toMatchObject({ kind: 'assign' });
    expect(dropOf(old, held(begun, at(1), 3))).toEqual({ kind: 'refused', why: 'begun' });
    const row = { kind: 'type', roomTypeID: 'single' } as const;
    expect(dropOf(old, held(begun, row))).toEqual({ kind: 'refused', why: 'begun' });
  });

  it('of one of several rooms leaves the others, and never gives the same room twice', () => {
    const both = stay('Both', 7, 8, [1, 3]);
    const two = planOf({ stays: [both, bo] });
    expect(dropOf(two, held(both, at(4)))).toEqual({
      ...{ kind: 'assign', rooms: [both.rooms[1], { roomID: 'r4', number: '4' }] },
    });
    expect(dropOf(two, held(both, at(3)))).toEqual({ kind: 'refused', why: 'hasRoom' });
    // Its other room has a guest on the new nights.
    const cy = stay('Cy', 10, 10, [3]);
    const three = planOf({ stays: [both, cy] });
    expect(dropOf(three, held(both, at(1), 2))).toEqual({
      kind: 'refused',
      why: 'taken',
      number: '3',
      by: cy,
    });
  });

  it('of a stay without a room gives it that one and as many more as it has, from there on', () => {
    const waits = stay('Waits', 8, 9, [], { roomCount: '2' });
    const lane = planOf({ stays: [bo], unassigned: [waits] });
    const numbers = (row: Row) => {
      const drop = dropOf(lane, held(waits, row));
      return drop.kind === 'assign' ? drop.rooms.map(({ number }) => number) : drop;
    };
    expect(numbers(at(1))).toEqual(['1', '3']);
    expect(numbers(at(4))).toEqual(['4', '1']);
    expect(dropOf(lane, held({ ...waits, roomCount: '4' }, at(1)))).toEqual({
      ...{ kind: 'refused', why: 'tooFew', free: 3, needed: 4 },
    });
    expect(dropOf(lane, held(waits, homeOf(null)))).toEqual({ kind: 'home' });
    expect(dropOf(lane, held(waits, homeOf(null), 1))).toMatchObject({ kind: 'change', roomIDs: null });
    expect(dropOf(lane, held(ada, homeOf(null)))).toEqual({ kind: 'refused', why: 'keepsRoom' });
  });

  it('goes up and down over the rooms and the other types, and never out of the plan', () => {
    expect(rowsOf(plan, 'r1').map((row) => Object.values(row).at(-1))).toEqual([
      ...['attic', 'r1', 'r2', 'r3', 'r4', 'single'],
    ]);
    expect(rowsOf(plan, null)[1]).toEqual({ kind: 'lane' });
    const from = held(ada, at(1));
    expect(moved(plan, from, 1, 0).row).toEqual(at(2));
    expect(moved(plan, from, -9, 0).row).toEqual({ kind: 'type', roomTypeID: 'attic' });
    expect(moved(plan, from, 9, 0).row).toEqual({ kind: 'type', roomTypeID: 'single' });
    expect([moved(plan, from, 0, -9).shift, moved(plan, from, 0, 9).shift]).toEqual([-3, 4]);
  });
});
