import { useState } from 'preact/hooks';
import type { Static } from 'typebox';
import type { ReservationView } from '#schemas/http/hotel-reservations.js';
import type { getStaffReservation } from '#schemas/http/hotel-staff.js';
import { askAs } from './calls.js';
import { Shown } from './frame.js';
import { statusTexts } from './reservations-page.js';
import { count, dayText, moneyText } from './texts.js';
import { addressOf } from './use-address.js';
import { useLoaded } from './use-loaded.js';

type Detail = Static<(typeof getStaffReservation)['responses'][200]['schema']>;

/** What staff may do with a reservation in this status: text of the button, last part of the address. */
function deedsOf({ status, refundable, refundDue }: ReservationView): readonly (readonly [string, string])[] {
  const moreToRefund = status === 'cancelled' && Number(refundable) > Number(refundDue);
  return [
    ...(status === 'pending_payment' ? ([['Cancel the payment', 'payment-cancellation']] as const) : []),
    ...(status === 'paid' || status === 'payment_returned' || status === 'pending_payment'
      ? ([['Cancel the reservation', 'cancellation']] as const)
      : []),
    ...(status === 'paid'
      ? ([
          ['Assign rooms', 'rooms'],
          ['Check in', 'check-in'],
        ] as const)
      : []),
    ...(status === 'paid' || status === 'payment_returned' ? ([['No show', 'no-show']] as const) : []),
    ...(status === 'checked_in' ? ([['Check out', 'check-out']] as const) : []),
    ...(moreToRefund ? ([['Refund everything', 'refund']] as const) : []),
  ];
}

export function StaffReservation({ reservationId }: { readonly reservationId: string }) {
  const path = `/v1/staff/reservations/${encodeURIComponent(reservationId)}`;
  const [detail, again] = useLoaded(path, () => askAs<Detail>('staff', path));
  const [reason, setReason] = useState('');
  const [trouble, setTrouble] = useState('');
  const [busy, setBusy] = useState(false);
  const act = async (deed: string, reservation: ReservationView) => {
    setTrouble('');
    setBusy(true);
    const body = { reason, ...(deed === 'refund' ? { refundDue: reservation.refundable } : {}) };
    try {
      await askAs('staff', `${path}/${deed}`, { method: 'POST', body });
      setReason('');
    } catch (cause) {
      setTrouble((cause as Error).message);
    }
    setBusy(false);
    again();
  };
  return (
    <Shown state={detail}>
      {({ userID, reservation, history }) => (
        <section class="card">
          <div class="card-head">
            <h2>
              {dayText(reservation.startDate)} – {dayText(reservation.endDate)}
            </h2>
            <span class={`status status-${reservation.status}`}>{statusTexts[reservation.status]}</span>
          </div>
          <p class="muted">
            {reservation.reservationID} · guest {userID} · {reservation.hotelID} ·{' '}
            {count(Number(reservation.roomCount), 'room')} {reservation.roomTypeID}
            {reservation.roomNumbers !== undefined && ` · number ${reservation.roomNumbers.join(', ')}`}
          </p>
          <p>
            {moneyText(reservation.price, reservation.currency)}, paid{' '}
            {moneyText(reservation.paid, reservation.currency)}, due back{' '}
            {moneyText(reservation.refundDue, reservation.currency)}, refunded{' '}
            {moneyText(reservation.refunded, reservation.currency)}
          </p>
          {Number(reservation.disputed) > 0 && (
            <p class="bad">
              The guest's bank took back {moneyText(reservation.disputed, reservation.currency)} by a dispute.
            </p>
          )}
          {reservation.status === 'payment_returned' && (
            <p class="bad">
              Nothing of the payment is left. The rooms are held, but nobody can be checked in. Cancel the
              reservation{Number(reservation.disputed) > 0 && ', or wait until the dispute is won'}.
            </p>
          )}
          <ol>
            {history.map(({ at, to }) => (
              <li key={`${at}${to}`} class="muted">
                {new Date(at).toLocaleString('en-GB')} {to}
              </li>
            ))}
          </ol>
          <label class="field">
            <span>Reason, for the audit list</span>
            <input
              type="text"
              value={reason}
              maxLength={200}
              onInput={({ currentTarget: { value } }) => setReason(value)}
            />
          </label>
          <div class="button-row wrap">
            {deedsOf(reservation).map(([text, deed]) => (
              <button
                key={deed}
                type="button"
                class={deed === 'cancellation' ? 'main-button danger' : 'main-button quiet'}
                disabled={busy || reason.trim() === ''}
                onClick={() => void act(deed, reservation)}
              >
                {text}
              </button>
            ))}
          </div>
          {trouble !== '' && (
            <p class="bad" role="alert">
              {trouble}
            </p>
          )}
          <a href={addressOf('actions', reservation.reservationID)}>What staff did with it</a>
        </section>
      )}
    </Shown>
  );
}
