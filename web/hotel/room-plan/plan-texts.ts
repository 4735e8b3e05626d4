import type { PlanStay, RoomPlanView } from '#schemas/http/hotel-desk.js';
import { messages as staffMessages } from '../staff-messages.js';
import { stayDates } from '../texts.js';
import { type Drop, dropOf, type Held, nightsHeld, type Refusal } from './drop.js';
import { messages } from './plan-messages.js';

export const nameOf = ({ guestName }: PlanStay): string => guestName ?? staffMessages.noName;

/** A sentence ends behind it, and a short month may end with a full stop, too. */
const datesText = (stay: Parameters<typeof stayDates>[0]): string => stayDates(stay).replace(/\.$/, '');

/** Where a held stay is, and whether it can be dropped there. */
export function heldText(plan: RoomPlanView, held: Held, typeOf: (id: string) => string): string {
  return `${placeText(plan, held, typeOf)} ${dropText(dropOf(plan, held))}`;
}

function placeText(plan: RoomPlanView, held: Held, typeOf: (id: string) => string): string {
  const { row } = held;
  const { from: startDate, to: endDate } = nightsHeld(held);
  const dates = datesText({ startDate, endDate });
  switch (row.kind) {
    case 'room':
      return messages.toRoom(plan.rooms.find(({ roomID }) => roomID === row.roomID)?.number ?? '', dates);
    case 'lane':
      return messages.toLane(dates);
    case 'type':
      return messages.toType(typeOf(row.roomTypeID), dates);
  }
}

function dropText(drop: Drop): string {
  if (drop.kind === 'home') return messages.asBefore;
  return drop.kind === 'refused' ? refusalText(drop) : messages.free;
}

export function refusalText(refusal: Refusal): string {
  if (refusal.why === 'closed') return messages.closed(refusal.number);
  if (refusal.why === 'taken')
    return messages.taken(refusal.number, nameOf(refusal.by), datesText(refusal.by));
  if (refusal.why === 'tooFew') return messages.tooFew(refusal.free, refusal.needed);
  return messages.refused[refusal.why];
}
