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
import { messages } from './staff-messages.js';
import { moneyText, stayDates, timeText } from './texts.js';
import { addressOf } from './use-address.js';
import { useLoaded } from './use-loaded.js';

type Detail = Static<(typeof getStaffReservation)['responses'][200]['schema']>;

const { actions } = messages;

/** Text of the button, last part of the address. */
type Deed = readonly [text: string, deed: string];

/** The ordinary steps of a stay, the next one last; none needs a reason. */
function stepsOf({ status }: ReservationView): readonly Deed[] {
  if (status === 'checked_in') return [[actions.checkOut, 'check-out']];
  if (status !== 'paid') return [];
  return [
    [actions.assignRooms, 'rooms'],
    [actions.checkIn, 'check-in'],
  ];
}

/** What needs a reason, that which undoes most last. */
function exceptionsOf(reservation: ReservationView): readonly Deed[] {
  const { status, refundable, refundDue, supplement, bookingNumber } = reservation;
  const isPaid = status === 'paid' || status === 'payment_returned';
  const isPending = status === 'pending_payment';
  const deeds: readonly (readonly [isPossible: boolean, ...Deed])[] = [
    [bookingNumber !== undefined && supplement === undefined, actions.askForExtras, 'folio/pay-link'],
    [status === 'cancelled' && Number(refundable) > Number(refundDue), actions.refund, 'refund'],
    [isPending || supplement !== undefined, actions.cancelPayment, 'payment-cancellation'],
    [isPaid, actions.noShow, 'no-show'],
    [isPaid || isPending, actions.cancelReservation, 'cancellation'],
  ];
  return deeds.flatMap(([isPossible, ...deed]) => (isPossible ? [deed] : []));
}

/** What is done most, and what undoes most, stand out. */
const looks: Readonly<Record<string, string>> = { 'check-in': '', 'check-out': '', cancellation: 'danger' };

interface DeedsProps {
  readonly deeds: readonly Deed[];
  readonly disabled: boolean;
  readonly onDeed: (deed: string) => void;
}

function Deeds({ deeds, disabled, onDeed }: DeedsProps) {
  if (deeds.length === 0) return null;
  return (
    <div class="button-row wrap">
      {deeds.map(([text, deed]) => (
        <button
          key={deed}
          type="button"
          class={`main-button ${looks[deed] ?? 'quiet'}`}
          disabled={disabled}
          onClick={() => onDeed(deed)}
        >
          {text}
        </button>
      ))}
    </div>
  );
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
    const given = reason.trim() === '' ? {} : { reason };
    const body = { ...given, ...(deed === 'refund' ? { refundDue: reservation.refundable } : {}) };
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
                timeText(reservation.supplement.expiresAt),
              )}
            </p>
          )}
          {receipts.map((receipt, at) => (
            <p key={at} class={receipt.state === 'failed' ? 'bad' : 'muted'}>
              {messages.receiptMail(receipt)}
            </p>
          ))}
          <Deeds
            deeds={stepsOf(reservation)}
            disabled={busy}
            onDeed={(deed) => void act(deed, reservation)}
          />
          <StaffGuest path={path} reservation={reservation} reason={reason} onChanged={again} />
          <StaffFolio path={path} version={reservation.updatedAt} rooms={Number(reservation.roomCount)} />
          <ol>
            {history.map(({ at, to }) => (
              <li key={`${at}${to}`} class="muted">
                {timeText(at)} {statusText(to)}
              </li>
            ))}
          </ol>
          <ReasonField reason={reason} onReason={setReason} />
          <Deeds
            deeds={exceptionsOf(reservation)}
            disabled={busy || reason.trim() === ''}
            onDeed={(deed) => void act(deed, reservation)}
          />
          {(reservation.status === 'paid' || reservation.status === 'pending_payment') && (
            <div class="button-row wrap">
              <ChangeStay
                scope="desk"
                path={path}
                reservation={reservation}
                {...(reason.trim() === '' ? {} : { reason })}
                onChanged={again}
                onOvertaken={again}
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
