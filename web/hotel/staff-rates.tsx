import { useState } from 'preact/hooks';
import type { HotelView } from '#schemas/http/hotels.js';
import { ask } from '../http/ask.js';
import { askAs } from './calls.js';
import { Shown } from './frame.js';
import { ReasonField } from './reason-field.js';
import { HotelChoice } from './staff-hotels.js';
import { messages } from './staff-messages.js';
import { StaffPrices } from './staff-prices.js';
import { addDays, nightsOf, today } from './texts.js';
import { useLoaded } from './use-loaded.js';

/** Prices of a room type by night. Existing reservations keep their price. */
export function StaffRates() {
  const [hotelId, setHotelId] = useState('');
  return (
    <section>
      <h2>{messages.rates}</h2>
      <form class="stay-form" onSubmit={(event) => event.preventDefault()}>
        <HotelChoice hotelId={hotelId} onHotel={setHotelId} />
      </form>
      {hotelId !== '' && <RatesOf key={hotelId} hotelId={hotelId} />}
    </section>
  );
}

function RatesOf({ hotelId }: { readonly hotelId: string }) {
  const path = `/v1/hotels/${encodeURIComponent(hotelId)}`;
  const [hotel] = useLoaded(path, async () => (await ask<HotelView>(path))!);
  return <Shown state={hotel}>{(found) => <RateForm hotel={found} />}</Shown>;
}

function RateForm({ hotel }: { readonly hotel: HotelView }) {
  const { hotelID, currency, roomTypes } = hotel;
  const [rate, setRate] = useState({
    roomTypeID: roomTypes[0]?.roomTypeID ?? '',
    from: today(),
    to: addDays(today(), 6),
    price: '',
  });
  const [reason, setReason] = useState('');
  const [turn, setTurn] = useState(0);
  const [answer, setAnswer] = useState({ of: rate, text: '', bad: false });
  // An answer that arrives after a change of the form is not about its current content.
  const said = answer.of === rate ? answer : { text: '', bad: false };
  const set = (change: Partial<typeof rate>) => setRate({ ...rate, ...change });
  const save = async () => {
    try {
      await askAs('desk', `/v1/staff/hotels/${encodeURIComponent(hotelID)}/rates`, {
        method: 'PUT',
        body: { reason, rates: [rate] },
      });
      setTurn((before) => before + 1);
      setAnswer({ of: rate, text: messages.priceSet(nightsOf(rate.from, rate.to)), bad: false });
    } catch (cause) {
      setAnswer({ of: rate, text: (cause as Error).message, bad: true });
    }
  };
  return (
    <>
      <form
        class="card"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <div class="stay-form">
          <label class="field">
            <span>{messages.roomType}</span>
            <select
              value={rate.roomTypeID}
              onChange={({ currentTarget: { value } }) => set({ roomTypeID: value })}
            >
              {roomTypes.map(({ roomTypeID, name }) => (
                <option key={roomTypeID} value={roomTypeID}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <label class="field">
            <span>{messages.firstNight}</span>
            <input
              type="date"
              value={rate.from}
              required
              onInput={({ currentTarget: { value } }) => set({ from: value })}
            />
          </label>
          <label class="field">
            <span>{messages.lastNight}</span>
            <input
              type="date"
              value={rate.to}
              min={rate.from}
              required
              onInput={({ currentTarget: { value } }) => set({ to: value })}
            />
          </label>
          <label class="field">
            <span>{messages.price(currency)}</span>
            <input
              type="text"
              inputMode="decimal"
              value={rate.price}
              required
              onInput={({ currentTarget: { value } }) => set({ price: value.trim() })}
            />
          </label>
        </div>
        <ReasonField reason={reason} onReason={setReason} required />
        <div class="button-row wrap">
          <button type="submit" class="main-button">
            {messages.setPrice}
          </button>
        </div>
        <p class={said.bad ? 'bad' : 'muted'} role="status">
          {said.text}
        </p>
      </form>
      {rate.from !== '' && <StaffPrices hotel={hotel} chosen={rate} turn={turn} />}
    </>
  );
}
