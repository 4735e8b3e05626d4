import { useState } from 'preact/hooks';
import type { ReservationView } from '#schemas/http/hotel-reservations.js';
import { askAs, reservationsPath } from './calls.js';
import { ChangeStay } from './change-stay.js';
import { Documents } from './documents.js';
import { Shown } from './frame.js';
import { messages } from './messages.js';
import { StayLine } from './stay-line.js';
import { OpenSupplement } from './supplement.js';
import { TaxList } from './tax-list.js';
import { moneyText, stayDates } from './texts.js';
import { addressOf, goTo } from './use-address.js';
import { useLoaded } from './use-loaded.js';

interface PageOfReservations {
  readonly reservations: readonly ReservationView[];
  readonly nextCursor?: string;
}

/** Newest first, page by page. */
export function ReservationsPage() {
  const [pages, setPages] = useState<readonly string[]>(['']);
  return (
    <section>
      <h2>{messages.myReservations}</h2>
      {pages.map((cursor, at) => (
        <OnePage
          key={cursor}
          cursor={cursor}
          first={at === 0}
          {...(at === pages.length - 1 ? { onMore: (next: string) => setPages([...pages, next]) } : {})}
        />
      ))}
    </section>
  );
}

interface OnePageProps {
  readonly cursor: string;
  readonly first: boolean;
  readonly onMore?: (cursor: string) => void;
}

function OnePage({ cursor, first, onMore }: OnePageProps) {
  const query = new URLSearchParams({ limit: '20', ...(cursor === '' ? {} : { cursor }) });
  const [page, again] = useLoaded(cursor, () =>
    askAs<PageOfReservations>('customer', `${reservationsPath}?${query}`),
  );
  return (
    <Shown state={page}>
      {({ reservations, nextCursor }) => (
        <>
          {first && reservations.length === 0 && (
            <p class="muted">
              {messages.noReservations} <a href={addressOf('hotels')}>{messages.findHotel}</a>
            </p>
          )}
          <ul class="reservations">
            {reservations.map((each) => (
              <ReservationCard key={each.reservationID} reservation={each} onChanged={again} />
            ))}
          </ul>
          {onMore !== undefined && nextCursor !== undefined && (
            <button type="button" class="main-button quiet" onClick={() => onMore(nextCursor)}>
              {messages.olderReservations}
            </button>
          )}
        </>
      )}
    </Shown>
  );
}

function ReservationCard({
  reservation,
  onChanged,
}: {
  readonly reservation: ReservationView;
  readonly onChanged: () => void;
}) {
  const { status, currency } = reservation;
  const rooms = Number(reservation.roomCount);
  const due = Number(reservation.refundDue) > 0;
  return (
    <li class="card" data-reservation={reservation.reservationID}>
      <div class="card-head">
        <h3>{stayDates(reservation)}</h3>
        <span class={`status status-${status}`}>{messages.reservationStatus[status]}</span>
      </div>
      <StayLine reservation={reservation} />
      <p>
        {moneyText(reservation.price, currency)}
        {due && (
          <span class="muted"> · {messages.refundPending(moneyText(reservation.refundDue, currency))}</span>
        )}
        {!due && Number(reservation.refunded) > 0 && (
          <span class="muted"> · {messages.refundPaid(moneyText(reservation.refunded, currency))}</span>
        )}
      </p>
      <TaxList taxes={reservation.taxes} net={reservation.net} currency={currency} />
      {reservation.bookingNumber !== undefined && (
        <Documents id={reservation.reservationID} bookingNumber={reservation.bookingNumber} />
      )}
      <OpenSupplement reservation={reservation} onChanged={onChanged} />
      {(status === 'paid' || status === 'pending_payment') && reservation.supplement === undefined && (
        <div class="button-row wrap">
          <ChangeStay
            scope="customer"
            path={`${reservationsPath}/${encodeURIComponent(reservation.reservationID)}`}
            reservation={reservation}
            onChanged={({ supplement, reservationID }) =>
              supplement === undefined ? onChanged() : goTo('pay', reservationID)
            }
            onOvertaken={onChanged}
          />
        </div>
      )}
      {(status === 'paid' || status === 'payment_returned' || status === 'pending_payment') && (
        <Cancelling
          key={`${status} ${rooms}`}
          reservation={reservation}
          rooms={rooms}
          onChanged={onChanged}
        />
      )}
    </li>
  );
}

const refundText = ({ refunded, disputed }: ReservationView): string =>
  Number(refunded) + Number(disputed) > 0 ? messages.restRefunded : messages.fullRefund;

/**
 * Asks for confirmation before it cancels, with the amount that is kept. A second click, or one before the
 * page has the remaining rooms, would cancel another room. After the first click, the form is disabled until
 * the reservation has changed.
 */
function Cancelling({
  reservation,
  rooms,
  onChanged,
}: {
  readonly reservation: ReservationView;
  readonly rooms: number;
  readonly onChanged: () => void;
}) {
  const { reservationID, status, freeCancelUntil, lateCancelPercent } = reservation;
  const [asking, setAsking] = useState<number | null>(null);
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState('');
  const free = status === 'pending_payment' || Date.now() <= Date.parse(freeCancelUntil);
  const cancel = async (some: number) => {
    setBusy(true);
    setTrouble('');
    try {
      const part = some < rooms ? `?rooms=${some}&of=${rooms}` : '';
      await askAs('customer', `${reservationsPath}/${encodeURIComponent(reservationID)}${part}`, {
        method: 'DELETE',
      });
      onChanged();
    } catch (cause) {
      setTrouble((cause as Error).message);
      setBusy(false);
      onChanged();
    }
  };
  return (
    <div class="button-row wrap">
      {asking === null ? (
        <>
          {status === 'pending_payment' && (
            <a class="main-button" href={addressOf('pay', reservationID)}>
              {messages.pay}
            </a>
          )}
          <button type="button" class="main-button quiet" onClick={() => setAsking(rooms)}>
            {messages.cancel}
          </button>
          {rooms > 1 && (
            <button type="button" class="main-button quiet" onClick={() => setAsking(1)}>
              {messages.cancelOneRoom}
            </button>
          )}
        </>
      ) : (
        <>
          <p class="wide">{free ? refundText(reservation) : messages.cancellationFee(lateCancelPercent)}</p>
          <button
            type="button"
            class="main-button danger"
            disabled={busy}
            onClick={() => void cancel(asking)}
          >
            {asking < rooms ? messages.confirmCancelOneRoom : messages.confirmCancel}
          </button>
          <button type="button" class="main-button quiet" disabled={busy} onClick={() => setAsking(null)}>
            {messages.keepReservation}
          </button>
        </>
      )}
      {trouble !== '' && (
        <p class="bad wide" role="alert">
          {trouble}
        </p>
      )}
    </div>
  );
}
