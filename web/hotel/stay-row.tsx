import type { ComponentChildren } from 'preact';
import type { ReservationView } from '#schemas/http/hotel-reservations.js';
import { messages as guestMessages } from './messages.js';
import { messages } from './staff-messages.js';
import { stayDates } from './texts.js';
import { addressOf } from './use-address.js';

interface StayRowProps {
  readonly stay: Pick<
    ReservationView,
    'reservationID' | 'startDate' | 'endDate' | 'roomCount' | 'roomTypeID' | 'status'
  >;
  readonly guestName: string | undefined;
  readonly typeOf: (roomTypeId: string) => string;
  /** Numbers of rooms, with what is said of them; empty: none were assigned. */
  readonly rooms: string;
  /** Behind the status. */
  readonly children?: ComponentChildren;
}

/** One stay of a list: guest, nights, rooms with their numbers, status. */
export function StayRow({ stay, guestName, typeOf, rooms, children }: StayRowProps) {
  return (
    <li class="pick-up">
      <a href={addressOf('reservations', stay.reservationID)}>
        <bdi>{guestName ?? messages.noName}</bdi>
      </a>
      <span>{stayDates(stay)}</span>
      <span class="muted">
        {messages.roomsOfOneType(stay.roomCount, typeOf(stay.roomTypeID))}
        {rooms !== '' && ` · ${messages.roomNumbers(rooms)}`}
      </span>
      <span>
        <span class={`status status-${stay.status}`}>{guestMessages.reservationStatus[stay.status]}</span>
        {children}
      </span>
    </li>
  );
}
