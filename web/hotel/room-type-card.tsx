import type { AvailabilityView } from '#schemas/http/hotel-availability.js';
import type { OffersView } from '#schemas/http/hotel-rate-plans.js';
import type { HotelView } from '#schemas/http/hotels.js';
import { ask } from '../http/ask.js';
import { Shown } from './frame.js';
import { messages } from './messages.js';
import type { RequestedStay } from './requested-stay.js';
import { ReserveStay } from './reserve-stay.js';
import { TaxList } from './tax-list.js';
import { dayText, moneyText } from './texts.js';
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
      {stay !== null && type.capacity * stay.roomCount < stay.guests && (
        <p class="muted">{messages.sleepsAtMost(type.capacity * stay.roomCount)}</p>
      )}
      {stay !== null && type.capacity * stay.roomCount >= stay.guests && (
        // The last price is not shown for other nights or rooms: the button below it would reserve these.
        <Offer
          key={`${stay.startDate} ${stay.endDate} ${stay.roomCount} ${stay.guests}`}
          hotel={hotel}
          type={type}
          stay={stay}
        />
      )}
    </li>
  );
}

/** The current price of the nights. It may be slightly old, because reserving checks the price. */
function Offer({ hotel, type, stay }: RoomTypeProps & { readonly stay: RequestedStay }) {
  const { startDate, endDate, roomCount, guests } = stay;
  const path = `/v1/hotels/${encodeURIComponent(hotel.hotelID)}/room-types/${encodeURIComponent(type.roomTypeID)}/availability`;
  const query = new URLSearchParams({ startDate, endDate });
  const rooms = new URLSearchParams({ startDate, endDate, roomCount: String(roomCount) });
  const plans = path.replace(/availability$/, 'offers');
  const [offer, again] = useLoaded(`${path}?${rooms}`, async () => {
    const [availability, offers] = await Promise.all([
      ask<AvailabilityView>(`${path}?${query}`),
      ask<OffersView>(`${plans}?${rooms}&guests=${guests}`),
    ]);
    return { ...availability!, ...offers! };
  });
  return (
    <Shown state={offer}>
      {({ nights, currency, offers, receiptByEmail }) => {
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
                      <ReserveStay
                        hotelId={hotel.hotelID}
                        type={type}
                        stay={stay}
                        planId={plan.ratePlanID}
                        offersPath={`${plans}?${rooms}`}
                        receiptByEmail={receiptByEmail}
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
