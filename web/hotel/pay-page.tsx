import { useEffect, useState } from 'preact/hooks';
import type { BookingPaymentView } from '#schemas/http/bookings.js';
import type { ReservationView } from '#schemas/http/hotel-reservations.js';
import { keptByTab } from '../http/kept.js';
import { poll } from '../http/poll.js';
import { Skeleton } from '../ui/skeleton.js';
import { askAs, paymentPathOf, reservationsPath } from './calls.js';
import { Documents } from './documents.js';
import { messages } from './messages.js';
import { paymentText, supplementText } from './payment-texts.js';
import { RouteToHotel } from './route-to-hotel.js';
import { StayLine } from './stay-line.js';
import { SupplementFor } from './supplement.js';
import { moneyText, stayDates } from './texts.js';
import { addressOf } from './use-address.js';
import { useLoaded } from './use-loaded.js';

const askEveryMs = 400;
const payingKey = 'meridian-paying';

/** The reservation that the guest left to pay for, in this tab. */
export const paying = {
  get: (): string | null => keptByTab.get(payingKey),
  set: (reservationId: string): void => keptByTab.set(payingKey, reservationId),
  clear: (): void => keptByTab.remove(payingKey),
};

/** Shown until the payment has ended. Only the server's state counts, not how the browser returned. */
export function PayPage({ reservationId }: { readonly reservationId: string }) {
  const [payment, setPayment] = useState<BookingPaymentView | null>(null);
  const [trouble, setTrouble] = useState('');
  useEffect(() => {
    const stop = poll(
      askEveryMs,
      async (signal) => {
        const path = paymentPathOf(reservationId);
        const news = await askAs<BookingPaymentView>('customer', path, { signal });
        setPayment(news);
        setTrouble('');
        if (news.supplement !== undefined) return;
        if (news.status !== 'paid' && news.status !== 'failed') return;
        paying.clear();
        stop();
      },
      (cause) => setTrouble((cause as Error).message),
    );
    return stop;
  }, [reservationId]);
  const away = () => paying.set(reservationId);
  const supplement = payment?.supplement;
  /** What is to be paid now. */
  const asked = supplement ?? payment ?? undefined;
  return (
    <section class="card pay">
      <h2>{payment?.bookingNumber === undefined ? messages.payment : messages.confirmed}</h2>
      {trouble !== '' && (
        <p class="bad" role="alert">
          {trouble}
        </p>
      )}
      {payment === null && trouble === '' && <Skeleton text={messages.loading} />}
      <p role="status" aria-live="polite" class={asked?.failureCode === undefined ? '' : 'bad'}>
        {payment !== null &&
          (supplement === undefined ? paymentText(payment, Date.now()) : supplementText(supplement))}
      </p>
      {/* Once a supplement is paid, the stay is another one. */}
      <PaidStay
        key={supplement?.supplementID ?? ''}
        reservationId={reservationId}
        isPaid={payment?.bookingNumber !== undefined}
      />
      {payment !== null && asked !== undefined && (
        <>
          {supplement !== undefined && <SupplementFor supplement={supplement} currency={payment.currency} />}
          <p class="headline">
            <strong>{moneyText(supplement?.amount ?? payment.price, payment.currency)}</strong>
            {asked.status === 'open' && (
              <Countdown
                until={asked.expiresAt}
                text={supplement === undefined ? messages.heldFor : messages.payWithin}
              />
            )}
          </p>
          {asked.paymentPageURL !== undefined && (
            <>
              <a class="main-button" href={asked.paymentPageURL} onClick={away}>
                {pageText(asked)}
              </a>
              {asked.status === 'open' && <p class="muted">{messages.cardHint}</p>}
            </>
          )}
          {payment.bookingNumber !== undefined && (
            <Documents id={reservationId} bookingNumber={payment.bookingNumber} />
          )}
          <a class="link-button" href={addressOf('reservations')}>
            {messages.myReservations}
          </a>
        </>
      )}
    </section>
  );
}

function pageText({ status, failureCode }: Pick<BookingPaymentView, 'status' | 'failureCode'>): string {
  if (status === 'confirm') return messages.confirmAtBank;
  return failureCode === undefined ? messages.payByCard : messages.tryAnotherCard;
}

/** What is paid for. Without it the page works as well. */
function PaidStay({ reservationId, isPaid }: { readonly reservationId: string; readonly isPaid: boolean }) {
  const path = `${reservationsPath}/${encodeURIComponent(reservationId)}`;
  const [stay] = useLoaded(path, () => askAs<ReservationView>('customer', path));
  if (stay.kind !== 'there') return null;
  return (
    <>
      <p>{stayDates(stay.value)}</p>
      <StayLine reservation={stay.value} />
      {isPaid && <RouteToHotel hotelId={stay.value.hotelID} />}
    </>
  );
}

function Countdown({ until, text }: { readonly until: string; readonly text: (left: string) => string }) {
  const [left, setLeft] = useState(() => Date.parse(until) - Date.now());
  useEffect(() => {
    const timer = setInterval(() => setLeft(Date.parse(until) - Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [until]);
  const seconds = Math.max(0, Math.floor(left / 1_000));
  return <span>{text(`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`)}</span>;
}
