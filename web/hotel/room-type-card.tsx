import { useRef, useState } from 'preact/hooks';
import type { AvailabilityView } from '#schemas/http/hotel-availability.js';
import type { ReservationView } from '#schemas/http/hotel-reservations.js';
import type { HotelView } from '#schemas/http/hotels.js';
import { ask } from '../http/ask.js';
import { askAs, reservationsPath } from './calls.js';
import { Shown } from './frame.js';
import * as messages from './messages.js';
import type { RequestedStay } from './requested-stay.js';
import { TaxList } from './tax-list.js';
import { dayText, moneyText } from './texts.js';
import { goTo } from './use-address.js';
import { useLoaded } from './use-loaded.js';

interface RoomTypeProps {
  readonly hotel: HotelView;
  readonly type: HotelView['roomTypes'][number];
  /** Null while the dates are invalid. */
  readonly stay: RequestedStay | null;
}

export function RoomTypeCard({ hotel, type, stay }: RoomTypeProps) {
  return (
    <li class="card room-type">
      <h3>{type.name}</h3>
      <p class="muted">{messages.roomType(type)}</p>
      {stay !== null && (
        // The last price is not shown for other nights or rooms: the button below it would reserve these.
        <Offer
          key={`${stay.startDate} ${stay.endDate} ${stay.roomCount}`}
          hotel={hotel}
          typeId={type.roomTypeID}
          stay={stay}
        />
      )}
    </li>
  );
}

/** The current price of the nights. It may be slightly old, because reserving checks the price. */
function Offer({
  hotel,
  typeId,
  stay,
}: {
  readonly hotel: HotelView;
  readonly typeId: string;
  readonly stay: RequestedStay;
}) {
  const { startDate, endDate, roomCount } = stay;
  const path = `/v1/hotels/${encodeURIComponent(hotel.hotelID)}/room-types/${encodeURIComponent(typeId)}/availability`;
  const query = new URLSearchParams({ startDate, endDate, roomCount: String(roomCount) });
  const [offer, again] = useLoaded(
    `${path}?${query}`,
    async () => (await ask<AvailabilityView>(`${path}?${query}`))!,
  );
  return (
    <Shown state={offer}>
      {({ nights, currency, stay: price }) => {
        const left = Math.min(...nights.map(({ rooms }) => rooms));
        const full = nights.filter(({ rooms }) => rooms < roomCount).map(({ date }) => dayText(date));
        return (
          <>
            <details class="turns">
              <summary>{messages.pricePerNight}</summary>
              <ul class="nights">
                {nights.map(({ date, rooms, price }) => (
                  <li key={date}>
                    <span>{dayText(date)}</span>
                    <span class="muted">{rooms === 0 ? messages.soldOut : messages.roomsLeft(rooms)}</span>
                    <span>{price === undefined ? messages.noPrice : moneyText(price, currency)}</span>
                  </li>
                ))}
              </ul>
            </details>
            {full.length > 0 ? (
              <p class="bad">{messages.notEnoughRooms(full.join(', '))}</p>
            ) : price === undefined ? (
              <p class="bad">{messages.notOnSale}</p>
            ) : (
              <div class="offer">
                <p>
                  <strong>{moneyText(price.total, currency)}</strong>
                  {left <= 5 && <span class="muted"> {messages.onlyRoomsLeft(left)}</span>}
                </p>
                <TaxList taxes={price.taxes} net={price.net} currency={currency} />
                <ReserveButton hotelId={hotel.hotelID} typeId={typeId} stay={stay} onRefused={again} />
              </div>
            )}
          </>
        );
      }}
    </Shown>
  );
}

interface ReserveProps {
  readonly hotelId: string;
  readonly typeId: string;
  readonly stay: RequestedStay;
  readonly onRefused: () => void;
}

/**
 * The id is created once for each request: a double click, or an attempt after a lost answer, makes one
 * reservation.
 */
function ReserveButton({ hotelId, typeId, stay, onRefused }: ReserveProps) {
  const wanted = `${hotelId}/${typeId}/${stay.startDate}/${stay.endDate}/${stay.roomCount}`;
  const form = useRef({ wanted: '', reservationID: '' });
  if (form.current.wanted !== wanted) form.current = { wanted, reservationID: crypto.randomUUID() };
  const [refusal, setRefusal] = useState('');
  const [busy, setBusy] = useState(false);
  const reserve = async () => {
    setBusy(true);
    setRefusal('');
    const here = location.hash;
    try {
      const { reservationID } = await askAs<ReservationView>('customer', reservationsPath, {
        method: 'POST',
        body: {
          reservationID: form.current.reservationID,
          hotelID: hotelId,
          roomTypeID: typeId,
          startDate: stay.startDate,
          endDate: stay.endDate,
          roomCount: String(stay.roomCount),
        },
      });
      // A guest who has left the page meanwhile, for example after the first answer to a double click, stays
      // away.
      if (location.hash === here) goTo('pay', reservationID);
    } catch (cause) {
      setRefusal((cause as Error).message);
      onRefused();
    } finally {
      setBusy(false);
    }
  };
  return (
    <div class="reserve">
      <button type="button" class="main-button" aria-busy={busy} onClick={() => void reserve()}>
        {messages.reserve}
      </button>
      {refusal !== '' && (
        <p class="bad" role="alert">
          {refusal}
        </p>
      )}
    </div>
  );
}
