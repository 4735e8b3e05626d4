import type { HotelView, RoomView } from '#schemas/http/hotels.js';
import { ask } from '../http/ask.js';
import { Shown } from './frame.js';
import { messages } from './messages.js';
import { RoomTypeCard } from './room-type-card.js';
import { withStay } from './stay-address.js';
import { StayForm, stayFault } from './stay-form.js';
import { dayText } from './texts.js';
import { addressOf } from './use-address.js';
import { useLoaded } from './use-loaded.js';
import { useRequestedStay } from './use-requested-stay.js';

interface Found {
  readonly hotel: HotelView;
  readonly room: RoomView;
}

/** One room. Guests reserve its type; the room is assigned at arrival. */
export function RoomPage({ hotelId, roomId }: { readonly hotelId: string; readonly roomId: string }) {
  const hotelPath = `/v1/hotels/${encodeURIComponent(hotelId)}`;
  const [found] = useLoaded<Found>(`${hotelId}/${roomId}`, async () => {
    const [hotel, room] = await Promise.all([
      ask<HotelView>(hotelPath),
      ask<RoomView>(`${hotelPath}/rooms/${encodeURIComponent(roomId)}`),
    ]);
    return { hotel: hotel!, room: room! };
  });
  const [stay, setStay] = useRequestedStay();
  const wrong = stayFault(stay);
  return (
    <Shown state={found}>
      {({ hotel, room: { number, floor, status, roomTypeID, outOfOrder } }) => (
        <>
          <section class="stay-title">
            <div>
              <h2>{messages.room(number)}</h2>
              <p class="muted">
                <a href={withStay(addressOf('hotels', hotelId), stay)}>{hotel.name}</a> ·{' '}
                {messages.floor(floor)} · {messages.roomStatus[status]}
              </p>
              {outOfOrder.map(({ from, to }) => (
                <p key={from} class="muted">
                  {messages.roomUnavailable(dayText(from), dayText(to))}
                </p>
              ))}
            </div>
          </section>
          <StayForm stay={stay} onStay={setStay} />
          {wrong !== '' && (
            <p class="bad" role="status">
              {wrong}
            </p>
          )}
          <ul class="room-types">
            {hotel.roomTypes
              .filter((type) => type.roomTypeID === roomTypeID)
              .map((type) => (
                <RoomTypeCard key={roomTypeID} hotel={hotel} type={type} stay={wrong === '' ? stay : null} />
              ))}
          </ul>
        </>
      )}
    </Shown>
  );
}
