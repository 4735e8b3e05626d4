import { useEffect, useRef, useState } from 'preact/hooks';
import type { OffersView } from '#schemas/http/hotel-rate-plans.js';
import type { ReservationView } from '#schemas/http/hotel-reservations.js';
import type { HotelView } from '#schemas/http/hotels.js';
import { newReservationId } from '#schemas/reservation-id.js';
import { ask } from '../http/ask.js';
import { useProvider } from '../sign-in/use-provider.js';
import { askAs, reservationsPath } from './calls.js';
import type { CardChoice } from './card-choice.js';
import { cardConsentPathOf, chosenCardPathOf } from './card-paths.js';
import { type GuestEntry, guestOf } from './guest-entry.js';
import { GuestForm } from './guest-form.js';
import { messages } from './messages.js';
import type { RequestedStay } from './requested-stay.js';
import { moneyText } from './texts.js';
import { isFormOpen, setFormOpen } from './typed-guest.js';
import { goTo } from './use-address.js';
import { useLoaded } from './use-loaded.js';

interface ReserveProps {
  readonly hotelId: string;
  readonly type: HotelView['roomTypes'][number];
  readonly stay: RequestedStay;
  /** Undefined: the rate and the terms of the room type. */
  readonly planId: string | undefined;
  /** Of `/offers` for this stay, without a number of guests. */
  readonly offersPath: string;
  readonly receiptByEmail: boolean;
  readonly onRefused: () => void;
}

/**
 * The button, and then the form of the guest. The id is created once for each request: a double click, or an
 * attempt after a lost answer, makes one reservation.
 */
export function ReserveStay(props: ReserveProps) {
  const { hotelId, type, stay, planId, offersPath, receiptByEmail, onRefused } = props;
  const request = useRef({ wanted: '', reservationID: '' });
  const offer = `${hotelId} ${type.roomTypeID} ${planId ?? ''}`;
  const [open, setOpen] = useState(() => isFormOpen(offer));
  const provider = useProvider();
  const [refusal, setRefusal] = useState('');
  const [busy, setBusy] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    setFormOpen(offer, open);
    return () => setFormOpen(offer, false);
  }, [offer, open]);
  const reserve = async (entry: GuestEntry, card: CardChoice) => {
    const { startDate, endDate, roomCount } = stay;
    const body = {
      hotelID: hotelId,
      roomTypeID: type.roomTypeID,
      startDate,
      endDate,
      roomCount: String(roomCount),
      ...(planId === undefined ? {} : { ratePlanID: planId }),
      guest: guestOf(entry, roomCount),
    };
    const wanted = JSON.stringify([body, card]);
    if (request.current.wanted !== wanted)
      request.current = { wanted, reservationID: newReservationId(hotelId) };
    setBusy(true);
    setRefusal('');
    const here = location.hash;
    try {
      const id = request.current.reservationID;
      await choose(id, card);
      const { reservationID } = await askAs<ReservationView>('customer', reservationsPath, {
        method: 'POST',
        body: { ...body, reservationID: id },
      });
      // A guest who has left the page meanwhile, for example after the first answer to a double click, stays
      // away.
      if (location.hash === here) goTo('pay', reservationID);
    } catch (cause) {
      setRefusal((cause as Error).message);
      onRefused();
    } finally {
      setBusy(false);
    }
  };
  const close = () => {
    setOpen(false);
    setRefusal('');
    requestAnimationFrame(() => button.current?.focus());
  };
  const form = () => (
    <GuestForm
      hotelId={hotelId}
      guests={stay.guests}
      sleeps={type.capacity * stay.roomCount}
      price={(guests) => guests !== '' && <PriceFor path={offersPath} planId={planId} guests={guests} />}
      receiptByEmail={receiptByEmail}
      busy={busy}
      onGuest={(entry, card) => void reserve(entry, card)}
      onBack={close}
    />
  );
  return (
    <div class={open ? 'reserve open' : 'reserve'}>
      {open ? (
        provider === null ? (
          form()
        ) : (
          // Before anything is typed.
          <provider.SignInFirst onBack={close}>{form()}</provider.SignInFirst>
        )
      ) : (
        <button ref={button} type="button" class="main-button" onClick={() => setOpen(true)}>
          {messages.reserve}
        </button>
      )}
      {refusal !== '' && (
        <p class="bad" role="alert">
          {refusal}
        </p>
      )}
    </div>
  );
}

/** Before the reservation, whose payment is made by events at once. */
async function choose(reservationId: string, choice: CardChoice): Promise<void> {
  if (choice.kind === 'saved') {
    const body = { cardID: choice.card.card_id };
    await askAs('customer', chosenCardPathOf(reservationId), { method: 'PUT', body });
  } else if (choice.isSaved) await askAs('customer', cardConsentPathOf(reservationId), { method: 'PUT' });
}

/** Taxes by persons make the price depend on the number of guests. */
function PriceFor({
  path,
  planId,
  guests,
}: {
  readonly path: string;
  readonly planId: string | undefined;
  readonly guests: string;
}) {
  const [found] = useLoaded(`${path} ${guests}`, () => ask<OffersView>(`${path}&guests=${guests}`));
  if (found.kind !== 'there' || found.value === null) return null;
  const { currency, offers } = found.value;
  const total = offers.find(({ ratePlanID }) => ratePlanID === planId)?.stay?.total;
  if (total === undefined) return null;
  return <p>{messages.priceForGuests(Number(guests), moneyText(total, currency))}</p>;
}
