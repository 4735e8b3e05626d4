import type { PlanRoom, PlanStay, RoomPlanView } from '#schemas/http/hotel-desk.js';
import { addDays, nightsOf } from '../texts.js';

/** Nights of a plan, counted from its first one. */
export interface Span {
  readonly at: number;
  readonly nights: number;
  /** It has more nights than the plan shows. */
  readonly goesOn: { readonly before: boolean; readonly after: boolean };
}

/** A stay in one room, or in none yet. */
export interface Bar {
  readonly stay: PlanStay;
  readonly roomID: string | null;
  readonly span: Span;
}

export interface Nights {
  readonly from: string;
  readonly to: string;
}

export const datesOf = ({ from, to }: Nights): readonly string[] =>
  Array.from({ length: nightsOf(from, to) }, (_, night) => addDays(from, night));

/** Undefined: none of these nights is in the plan. */
export function spanOf(nights: Nights, plan: Nights): Span | undefined {
  const before = nights.from < plan.from;
  const after = nights.to > plan.to;
  const first = before ? plan.from : nights.from;
  const last = after ? plan.to : nights.to;
  if (first > last) return undefined;
  return { at: nightsOf(plan.from, first) - 1, nights: nightsOf(first, last), goesOn: { before, after } };
}

/** By first night. */
export const barsOf = (plan: RoomPlanView, { roomID }: PlanRoom): readonly Bar[] =>
  plan.stays
    .filter(({ rooms }) => rooms.some((room) => room.roomID === roomID))
    .flatMap((stay) => barIn(plan, stay, roomID));

/**
 * The stays without a room in as few lines as needed: each in the first line that is free on its first night.
 */
export function linesOf(plan: RoomPlanView): readonly (readonly Bar[])[] {
  const lines: Bar[][] = [];
  for (const bar of plan.unassigned.flatMap((stay) => barIn(plan, stay, null))) {
    const line = lines.find((bars) => endOf(bars.at(-1)!.span) <= bar.span.at);
    if (line === undefined) lines.push([bar]);
    else line.push(bar);
  }
  return lines;
}

/** Nights on which a room is out of order or not yet in service. */
export const closedIn = (plan: Nights, { closed }: PlanRoom): readonly Span[] =>
  closed.flatMap((nights) => spanOf(nights, plan) ?? []);

function barIn(plan: Nights, stay: PlanStay, roomID: string | null): readonly Bar[] {
  const span = spanOf({ from: stay.startDate, to: stay.endDate }, plan);
  return span === undefined ? [] : [{ stay, roomID, span }];
}

const endOf = ({ at, nights }: Span): number => at + nights;
