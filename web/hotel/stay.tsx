import { render } from 'preact';
import { useEffect } from 'preact/hooks';
import '../style/tokens.css';
import '../style/panel.css';
import './stay.css';
import './hotels.css';
import { keptByTab } from '../http/kept.js';
import { language } from '../language/language.js';
import { messages as texts } from './card-messages.js';
import { CardsPage } from './cards-page.js';
import { Frame } from './frame.js';
import { HotelList } from './hotel-list.js';
import { HotelPage } from './hotel-page.js';
import { messages } from './messages.js';
import { PayPage, paying } from './pay-page.js';
import { ReservationsPage } from './reservations-page.js';
import { RoomPage } from './room-page.js';
import { keepTypedGuest } from './typed-guest.js';
import { addressOf, goTo, useAddress } from './use-address.js';

const links = [
  [messages.hotels, addressOf('hotels')],
  [messages.myReservations, addressOf('reservations')],
  [texts.savedCards, addressOf('cards')],
  [messages.liveMap, '/'],
] as const;

const titles: Readonly<Record<string, string>> = {
  reservations: messages.reservationsTitle,
  cards: texts.savedCardsTitle,
};

/**
 * The provider sends guests back with `tokenID` and `payResult`, which anyone could write: only the return
 * itself is used.
 */
function backFromProvider(): void {
  if (!new URLSearchParams(location.search).has('tokenID')) return;
  const reservationId = paying.get();
  // The guest left the checkout, not a reservation.
  if (reservationId === null && keptByTab.get('meridian-checkout') !== null) {
    location.replace(`/payment/${location.search}`);
    return;
  }
  history.replaceState(null, '', location.pathname);
  if (reservationId === null) goTo('reservations');
  else goTo('pay', reservationId);
}

function Stay() {
  const [place = 'hotels', id, part, roomId] = useAddress();
  useEffect(() => {
    document.title = titles[place] ?? messages.pageTitle;
  }, [place]);
  return (
    <Frame
      brand={messages.brand}
      links={links}
      here={addressOf(place in titles ? place : 'hotels')}
      personal={place in titles || place === 'pay'}
    >
      {place === 'pay' && id !== undefined ? (
        <PayPage key={id} reservationId={id} />
      ) : place === 'reservations' ? (
        <ReservationsPage />
      ) : place === 'cards' ? (
        <CardsPage />
      ) : id !== undefined && part === 'rooms' && roomId !== undefined ? (
        <RoomPage key={`${id}/${roomId}`} hotelId={id} roomId={roomId} />
      ) : id !== undefined ? (
        <HotelPage key={id} hotelId={id} />
      ) : (
        <HotelList />
      )}
    </Frame>
  );
}

document.documentElement.lang = language;
backFromProvider();
keepTypedGuest();
render(<Stay />, document.getElementById('page') as HTMLElement);
