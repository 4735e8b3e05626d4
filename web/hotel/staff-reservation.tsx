import { useState } from 'preact/hooks';
import type { Static } from 'typebox';
import type { ReservationView } from '#schemas/http/hotel-reservations.js';
import type { getStaffReservation } from '#schemas/http/hotel-staff.js';
import { askAs } from './calls.js';
import { ChangeStay } from './change-stay.js';
import { Shown } from './frame.js';
import { useHotelNames } from './hotel-names.js';
import { messages as guestMessages } from './messages.js';
import { ReasonField } from './reason-field.js';
import { StaffFolio } from './staff-folio.js';
import { StaffGuest } from './staff-guest.js';
import * as messages from './staff-messages.js';
import { moneyText, stayDates } from './texts.js';
import { addressOf } from './use-address.js';
import { useLoaded } from './use-loaded.js';

type Detail = Static<(typeof getStaffReservation)['responses'][200]['schema']>;

const { actions } = messages;

/** What staff may do with a reservation in this status: text of the button, last part of the address. */
function deedsOf({
  status,
  refundable,
  refundDue,
  supplement,
  bookingNumber,
}: ReservationView): readonly (readonly [string, string])[] {
  const moreToRefund = status === 'cancelled' && Number(refundable) > Number(refundDue);
  return [
    ...(status === 'pending_payment' || supplement !== undefined
      ? ([[actions.cancelPayment, 'payment-cancellation']] as const)
      : []),
    ...(bookingNumber !== undefined && supplement === undefined
      ? ([[actions.askForExtras, 'folio/pay-link']] as const)
      : []),
    ...(status === 'paid' || status === 'payment_returned' || status === 'pending_payment'
      ? ([[actions.cancelReservation, 'cancellation']] as const)
      : []),
    ...(status === 'paid'
      ? ([
          [actions.assignRooms, 'rooms'],
          [actions.checkIn, 'check-in'],
        ] as const)
      : []),
    ...(status === 'paid' || status === 'payment_returned' ? ([[actions.noShow, 'no-show']] as const) : []),
    ...(status === 'checked_in' ? ([[actions.checkOut, 'check-out']] as const) : []),
    ...(moreToRefund ? ([[actions.refund, 'refund']] as const) : []),
  ];
}

/** The history is of this version of the platform or an older one, with other words. */
const statusText = (status: string): string =>
  (guestMessages.reservationStatus as Readonly<Record<string, string>>)[status] ??
  status.replaceAll('_', ' ');

function Summary({ reservation }: { readonly reservation: ReservationView }) {
  const { bookingNumber, hotelID, roomCount, roomTypeID, roomNumbers } = reservation;
  const { hotel, typeOf } = useHotelNames(hotelID);
  return (
    <p class="muted">
      {messages.summary(bookingNumber, hotel, messages.roomsOfOneType(roomCount, typeOf(roomTypeID)))}
      {roomNumbers !== undefined && ` · ${messages.roomNumbers(roomNumbers.join(', '))}`}
    </p>
  );
}

export function StaffReservation({ reservationId }: { readonly reservationId: string }) {
  const path = `/v1/staff/reservations/${encodeURIComponent(reservationId)}`;
  const [detail, again] = useLoaded(path, () => askAs<Detail>('desk', path));
  const [reason, setReason] = useState('');
  const [trouble, setTrouble] = useState('');
  const [busy, setBusy] = useState(false);
  const act = async (deed: string, reservation: ReservationView) => {
    setTrouble('');
    setBusy(true);
    const body = { reason, ...(deed === 'refund' ? { refundDue: reservation.refundable } : {}) };
    try {
      await askAs('desk', `${path}/${deed}`, { method: 'POST', body });
      setReason('');
    } catch (cause) {
      setTrouble((cause as Error).message);
    }
    setBusy(false);
    again();
  };
  return (
    <Shown state={detail}>
      {({ reservation, history, receipts }) => (
        <section class="card">
          <div class="card-head">
            <h2>{stayDates(reservation)}</h2>
            <span class={`status status-${reservation.status}`}>
              {guestMessages.reservationStatus[reservation.status]}
            </span>
          </div>
          <Summary reservation={reservation} />
          <p>
            {messages.money(
              moneyText(reservation.price, reservation.currency),
              moneyText(reservation.paid, reservation.currency),
              moneyText(reservation.refundDue, reservation.currency),
              moneyText(reservation.refunded, reservation.currency),
            )}
          </p>
          {Number(reservation.disputed) > 0 && (
            <p class="bad">{messages.disputed(moneyText(reservation.disputed, reservation.currency))}</p>
          )}
          {reservation.status === 'payment_returned' && (
            <p class="bad">{messages.paymentReturned(Number(reservation.disputed) > 0)}</p>
          )}
          {reservation.supplement !== undefined && (
            <p>
              {messages.waitsForPayment(
                moneyText(reservation.supplement.amount, reservation.currency),
                new Date(reservation.supplement.expiresAt).toLocaleString('en-GB'),
              )}
            </p>
          )}
          {receipts.map((receipt, at) => (
            <p key={at} class={receipt.state === 'failed' ? 'bad' : 'muted'}>
              {messages.receiptMail(receipt)}
            </p>
          ))}
          <StaffGuest path={path} reservation={reservation} reason={reason} onChanged={again} />
          <StaffFolio path={path} version={reservation.updatedAt} />
          <ol>
            {history.map(({ at, to }) => (
              <li key={`${at}${to}`} class="muted">
                {new Date(at).toLocaleString('en-GB')} {statusText(to)}
              </li>
            ))}
          </ol>
          <ReasonField reason={reason} onReason={setReason} />
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
          {(reservation.status === 'paid' || reservation.status === 'pending_payment') && (
            <div class="button-row wrap">
              <ChangeStay
                key={reservation.updatedAt}
                scope="desk"
                path={path}
                reservation={reservation}
                {...(reason.trim() === '' ? {} : { reason })}
                onChanged={again}
              />
            </div>
          )}
          {trouble !== '' && (
            <p class="bad" role="alert">
              {trouble}
            </p>
          )}
          <a href={addressOf('actions', reservation.reservationID)}>{messages.staffActivity}</a>
        </section>
      )}
    </Shown>
  );
}
