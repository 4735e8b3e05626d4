import { useState } from 'preact/hooks';
import type { BookingPaymentView } from '#schemas/http/bookings.js';
import type { ReservationView } from '#schemas/http/hotel-reservations.js';
import { askAs, reservationsPath } from './calls.js';
import { messages } from './messages.js';
import { moneyText, stayDates } from './texts.js';
import { addressOf } from './use-address.js';

type Waiting = NonNullable<BookingPaymentView['supplement']>;

/** On the card of a reservation: what is to be paid now, and a way to give it up. */
export function OpenSupplement({
  reservation: { reservationID, currency, supplement },
  onChanged,
}: {
  readonly reservation: ReservationView;
  readonly onChanged: () => void;
}) {
  const [trouble, setTrouble] = useState('');
  if (supplement === undefined) return null;
  const giveUp = async () => {
    const path = `${reservationsPath}/${encodeURIComponent(reservationID)}/supplement`;
    try {
      await askAs('customer', path, { method: 'DELETE' });
    } catch (cause) {
      setTrouble((cause as Error).message);
    }
    onChanged();
  };
  return (
    <div class="button-row wrap">
      <p class="wide">{messages.supplementWaits(moneyText(supplement.amount, currency))}</p>
      <a class="main-button" href={addressOf('pay', reservationID)}>
        {messages.pay}
      </a>
      <button type="button" class="main-button quiet" onClick={() => void giveUp()}>
        {messages.doNotPay}
      </button>
      {trouble !== '' && (
        <p class="bad wide" role="alert">
          {trouble}
        </p>
      )}
    </div>
  );
}

/** What a supplement is for. */
export function SupplementFor({
  supplement: { change },
  currency,
}: {
  readonly supplement: Waiting;
  readonly currency: string;
}) {
  if (change === undefined) return <p>{messages.forExtras}</p>;
  const { roomCount, price } = change;
  return <p>{messages.forChange(stayDates(change), Number(roomCount), moneyText(price, currency))}</p>;
}
