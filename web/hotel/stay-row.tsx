import type { Static } from 'typebox';
import type { getStaffReservation } from '#schemas/http/hotel-staff.js';
import { askAs } from './calls.js';
import { Shown } from './frame.js';
import { guestAt } from './guest-at.js';
import { messages as guestMessages } from './messages.js';
import { messages } from './staff-messages.js';
import { stayDates } from './texts.js';
import { addressOf } from './use-address.js';
import { useLoaded } from './use-loaded.js';

type Detail = Static<(typeof getStaffReservation)['responses'][200]['schema']>;

interface StayRowProps {
  /** Of the reservation. */
  readonly id: string;
  readonly typeOf: (roomTypeId: string) => string;
}

/** One stay of a list, loaded by itself: guest, nights, rooms with their numbers, status. Two requests. */
export function StayRow({ id, typeOf }: StayRowProps) {
  const path = `/v1/staff/reservations/${encodeURIComponent(id)}`;
  const [loaded] = useLoaded(path, async () => {
    const [{ reservation }, guest] = await Promise.all([askAs<Detail>('desk', path), guestAt(path)]);
    return { reservation, name: guest?.name };
  });
  return (
    <li class="pick-up">
      <Shown state={loaded}>
        {({ reservation: { startDate, endDate, roomCount, roomTypeID, roomNumbers, status }, name }) => (
          <>
            <a href={addressOf('reservations', id)}>
              <bdi>{name ?? messages.noName}</bdi>
            </a>
            <span>{stayDates({ startDate, endDate })}</span>
            <span class="muted">
              {messages.roomsOfOneType(roomCount, typeOf(roomTypeID))}
              {roomNumbers !== undefined && ` · ${messages.roomNumbers(roomNumbers.join(', '))}`}
            </span>
            <span class={`status status-${status}`}>{guestMessages.reservationStatus[status]}</span>
          </>
        )}
      </Shown>
    </li>
  );
}
