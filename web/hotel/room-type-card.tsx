import { useRef, useState } from 'preact/hooks';
import type { AvailabilityView } from '#schemas/http/hotel-availability.js';
import type { OffersView } from '#schemas/http/hotel-rate-plans.js';
import type { ReservationView } from '#schemas/http/hotel-reservations.js';
import type { HotelView } from '#schemas/http/hotels.js';
import { newReservationId } from '#schemas/reservation-id.js';
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
  const query = new URLSearchParams({ startDate, endDate });
  const rooms = new URLSearchParams({ startDate, endDate, roomCount: String(roomCount) });
  const plans = path.replace(/availability$/, 'offers');
  const [offer, again] = useLoaded(`${path}?${rooms}`, async () => {
    const [availability, offers] = await Promise.all([
      ask<AvailabilityView>(`${path}?${query}`),
      ask<OffersView>(`${plans}?${rooms}`),
    ]);
    return { ...availability!, ...offers! };
  });
  return (
    <Shown state={offer}>
      {({ nights, currency, offers }) => {
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
            ) : offers.every((plan) => plan.stay === undefined) ? (
              <p class="bad">{messages.notOnSale}</p>
            ) : (
              offers.map((plan) => (
                <div class="offer" key={plan.ratePlanID ?? ''}>
                  <p>
                    {offers.length > 1 && <span>{messages.planName(plan)}: </span>}
                    {plan.stay !== undefined && <strong>{moneyText(plan.stay.total, currency)}</strong>}
                    {left <= 5 && <span class="muted"> {messages.onlyRoomsLeft(left)}</span>}
                    {offers.length > 1 && <span class="muted"> {messages.planTerms(plan)}</span>}
                  </p>
                  {plan.stay === undefined ? (
                    <p class="bad">{messages.notOnSale}</p>
                  ) : plan.restriction !== undefined ? (
                    <p class="bad">{messages.restricted(plan.restriction)}</p>
                  ) : (
                    <>
                      <TaxList taxes={plan.stay.taxes} net={plan.stay.net} currency={currency} />
                      <ReserveButton
                        hotelId={hotel.hotelID}
                        typeId={typeId}
                        stay={stay}
                        planId={plan.ratePlanID}
                        onRefused={again}
                      />
                    </>
                  )}
                </div>
              ))
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
  /** Undefined: the rate and the terms of the room type. */
  readonly planId: string | undefined;
  readonly onRefused: () => void;
}

/**
 * The id is created once for each request: a double click, or an attempt after a lost answer, makes one
 * reservation.
 */
function ReserveButton({ hotelId, typeId, stay, planId, onRefused }: ReserveProps) {
  const wanted = `${hotelId}/${typeId}/${stay.startDate}/${stay.endDate}/${stay.roomCount}/${planId}`;
  const form = useRef({ wanted: '', reservationID: '' });
  if (form.current.wanted !== wanted) form.current = { wanted, reservationID: newReservationId(hotelId) };
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
          ...(planId === undefined ? {} : { ratePlanID: planId }),
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
