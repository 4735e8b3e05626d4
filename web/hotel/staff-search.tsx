import { useState } from 'preact/hooks';
import type { Static } from 'typebox';
import type { ReservationView } from '#schemas/http/hotel-reservations.js';
import type { searchReservations } from '#schemas/http/hotel-staff.js';
import { askAs } from './calls.js';
import { Shown } from './frame.js';
import { useHotelNames } from './hotel-names.js';
import { messages as guestMessages } from './messages.js';
import { HotelChoice } from './staff-hotels.js';
import { messages } from './staff-messages.js';
import { moneyText, stayDates } from './texts.js';
import { addressOf } from './use-address.js';
import { useLoaded } from './use-loaded.js';
import { Wide } from './wide.js';

type Found = Static<(typeof searchReservations)['responses'][200]['schema']>;
const path: (typeof searchReservations)['path'] = '/v1/staff/reservations';

interface Search {
  readonly hotelID: string;
  readonly bookingNumber: string;
  readonly status: string;
  readonly on: string;
}

export function StaffSearch() {
  const [search, setSearch] = useState<Search>({ hotelID: '', bookingNumber: '', status: '', on: '' });
  const set = (change: Partial<Search>) => setSearch({ ...search, ...change });
  const query = new URLSearchParams(Object.entries(search).filter(([, value]) => value !== ''));
  const bounded = search.hotelID !== '' || search.bookingNumber !== '';
  return (
    <section>
      <h2>{messages.reservations}</h2>
      <form class="stay-form" onSubmit={(event) => event.preventDefault()}>
        <HotelChoice
          hotelId={search.hotelID}
          any={messages.allHotels}
          onHotel={(hotelID) => set({ hotelID })}
        />
        <label class="field">
          <span>{messages.bookingNumber}</span>
          <input
            type="text"
            value={search.bookingNumber}
            placeholder={messages.bookingExample}
            onChange={({ currentTarget: { value } }) => set({ bookingNumber: value.trim() })}
          />
        </label>
        <label class="field">
          <span>{messages.status}</span>
          <select value={search.status} onChange={({ currentTarget: { value } }) => set({ status: value })}>
            <option value="">{messages.allStatuses}</option>
            {Object.entries(guestMessages.reservationStatus).map(([status, text]) => (
              <option key={status} value={status}>
                {text}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>{messages.stayingOn}</span>
          <input
            type="date"
            value={search.on}
            onInput={({ currentTarget: { value } }) => set({ on: value })}
          />
        </label>
      </form>
      {bounded ? (
        <FoundReservations key={`${query}`} query={`${query}`} />
      ) : (
        <p class="muted">{messages.searchHint}</p>
      )}
    </section>
  );
}

export function FoundReservations({ query }: { readonly query: string }) {
  const [found] = useLoaded(query, () => askAs<Found>('desk', `${path}?${query}`));
  return (
    <Shown state={found}>
      {({ reservations, nextCursor }) => (
        <Wide label={messages.reservations}>
          <table class="table">
            <thead>
              <tr>
                {messages.reservationColumns.map((title) => (
                  <th key={title} scope="col">
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {reservations.map(({ reservation }) => (
                <Row key={reservation.reservationID} reservation={reservation} />
              ))}
            </tbody>
          </table>
          <p class="muted" role="status">
            {reservations.length === 0 && messages.noReservations}
            {nextCursor !== undefined && messages.olderReservations}
          </p>
        </Wide>
      )}
    </Shown>
  );
}

function Row({ reservation }: { readonly reservation: ReservationView }) {
  const { reservationID, startDate, endDate, hotelID, roomTypeID, roomCount, status, currency } = reservation;
  const { hotel, typeOf } = useHotelNames(hotelID);
  return (
    <tr>
      <td>
        <a href={addressOf('reservations', reservationID)}>{stayDates({ startDate, endDate })}</a>
      </td>
      <td>{hotel}</td>
      <td>{messages.roomsOfOneType(roomCount, typeOf(roomTypeID))}</td>
      <td>{reservation.bookingNumber ?? '–'}</td>
      <td>
        <span class={`status status-${status}`}>{guestMessages.reservationStatus[status]}</span>
      </td>
      <td>{moneyText(reservation.price, currency)}</td>
      <td>{Number(reservation.refundDue) > 0 ? moneyText(reservation.refundDue, currency) : ''}</td>
    </tr>
  );
}
