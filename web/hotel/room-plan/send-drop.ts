import type { PlanStay } from '#schemas/http/hotel-desk.js';
import type { ReservationView } from '#schemas/http/hotel-reservations.js';
import type { ExpectedStay, StayQuoteView } from '#schemas/http/hotel-stay-changes.js';
import { RequestFailed } from '../../http/ask.js';
import { askAs } from '../calls.js';
import { messages as staffMessages } from '../staff-messages.js';
import { moneyText, timeText } from '../texts.js';
import type { Drop, Held } from './drop.js';
import { messages } from './plan-messages.js';
import { nameOf } from './plan-texts.js';

export type Change = Extract<Drop, { readonly kind: 'change' }>;

const pathOf = ({ stay }: Held): string => `/v1/staff/reservations/${encodeURIComponent(stay.reservationID)}`;

/** Resolves to what is said of it. */
export async function assignRooms(held: Held, rooms: PlanStay['rooms']): Promise<string> {
  const body = { roomIDs: rooms.map(({ roomID }) => roomID), expected: seen(held) };
  await orOvertaken(askAs('desk', `${pathOf(held)}/rooms`, { method: 'POST', body }));
  return messages.assigned(nameOf(held.stay), rooms.map(({ number }) => number).join(', '));
}

export const quoteOf = (held: Held, { change }: Change): Promise<StayQuoteView> =>
  askAs<StayQuoteView>('desk', `${pathOf(held)}/stay/quote`, { method: 'POST', body: change });

/** Makes the change that was quoted, then assigns its rooms. Resolves to what is said of it. */
export async function changeStay(
  held: Held,
  { change, roomIDs }: Change,
  { difference }: StayQuoteView,
): Promise<string> {
  const name = nameOf(held.stay);
  const agreed = Number(difference) > 0 ? { difference } : {};
  const request = { method: 'PUT', body: { ...change, ...agreed, expected: seen(held) } } as const;
  const { supplement, currency } = await orOvertaken(
    askAs<ReservationView>('desk', `${pathOf(held)}/stay`, request),
  );
  if (supplement !== undefined && Number(difference) > 0)
    return staffMessages.waitsForPayment(
      moneyText(supplement.amount, currency),
      timeText(supplement.expiresAt),
    );
  if (roomIDs === null) return messages.changedWithoutRoom(name);
  try {
    const expected = { ...stayOf(held), ...change };
    await askAs('desk', `${pathOf(held)}/rooms`, { method: 'POST', body: { roomIDs, expected } });
    return messages.changed(name);
  } catch (cause) {
    throw new Error(messages.roomLost(name, (cause as Error).message));
  }
}

const stayOf = ({ stay: { roomTypeID, startDate, endDate, roomCount } }: Held): ExpectedStay => ({
  ...{ roomTypeID, startDate, endDate, roomCount },
});

/** As this plan showed it: somebody else may have moved it meanwhile. */
const seen = (held: Held): ExpectedStay => ({
  ...stayOf(held),
  roomIDs: held.stay.rooms.map(({ roomID }) => roomID),
});

/** This plan showed it as possible: a refusal means that the plan is old. */
async function orOvertaken<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (cause) {
    if (cause instanceof RequestFailed && cause.status === 409)
      throw new Error(messages.overtaken(cause.message));
    throw cause;
  }
}
