import type { HotelPlaces } from '#schemas/http/hotel-places.js';
import type { StayPriceView } from '#schemas/http/hotel-stay-prices.js';
import { HotelPicture } from './hotel-picture.js';
import { messages } from './messages.js';
import type { RequestedStay } from './requested-stay.js';
import { withStay } from './stay-address.js';
import { moneyText, nightsOf } from './texts.js';
import { addressOf } from './use-address.js';

interface TileProps {
  readonly hotel: HotelPlaces['hotels'][number];
  /** Null while the dates are invalid. */
  readonly stay: RequestedStay | null;
  /** Undefined while it is loading, null where it failed. */
  readonly price: StayPriceView | null | undefined;
}

/** A hotel of the list: its picture, its address, and the lowest price for the whole stay. */
export function HotelTile({ hotel: { hotelID, name, address }, stay, price }: TileProps) {
  const link = addressOf('hotels', hotelID);
  return (
    <a class="tile" href={stay === null ? link : withStay(link, stay)}>
      <HotelPicture hotelId={hotelID} />
      <span class="tile-words">
        <strong>{name}</strong>
        <span class="muted">{address}</span>
        {stay !== null && <Price stay={stay} price={price} />}
      </span>
    </a>
  );
}

function Price({ stay, price }: { readonly stay: RequestedStay; readonly price: TileProps['price'] }) {
  if (price === undefined) return <span class="tile-price skeleton-line" />;
  if (price?.cheapest === undefined)
    return (
      <span class="muted">
        {price?.reason === undefined ? messages.noPrice : messages.noPriceBecause[price.reason]}
      </span>
    );
  const { roomType, stay: quote, refundable, freeCancelHours, rooms } = price.cheapest;
  return (
    <span class="tile-price">
      <b>{moneyText(quote.total, price.currency)}</b>
      <span class="muted">
        {roomType} · {messages.totalFor(nightsOf(stay.startDate, stay.endDate), stay.guests)}
      </span>
      <span class={refundable ? 'good' : 'muted'}>
        {refundable ? messages.freeUntil(freeCancelHours) : messages.notRefundable}
        {rooms <= 5 && <span class="few"> · {messages.onlyRoomsLeft(rooms)}</span>}
      </span>
    </span>
  );
}
