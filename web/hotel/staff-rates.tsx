import { useState } from 'preact/hooks';
import type { HotelView } from '#schemas/http/hotels.js';
import { ask } from '../http/ask.js';
import { askAs } from './calls.js';
import { Shown } from './frame.js';
import { HotelChoice } from './staff-hotels.js';
import { addDays, count, nightsOf, today } from './texts.js';
import { useLoaded } from './use-loaded.js';

/** Prices of a room type by night. What is reserved already keeps its price. */
export function StaffRates() {
  const [hotelId, setHotelId] = useState('');
  return (
    <section>
      <h2>Rates</h2>
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

function RateForm({ hotel: { hotelID, currency, roomTypes } }: { readonly hotel: HotelView }) {
  const [rate, setRate] = useState({
    roomTypeID: roomTypes[0]?.roomTypeID ?? '',
    from: today(),
    to: addDays(today(), 6),
    price: '',
  });
  const [reason, setReason] = useState('');
  const [answer, setAnswer] = useState({ of: rate, text: '', bad: false });
  // An answer that comes after the form was changed says nothing of what stands there now.
  const said = answer.of === rate ? answer : { text: '', bad: false };
  const set = (change: Partial<typeof rate>) => setRate({ ...rate, ...change });
  const save = async () => {
    try {
      await askAs('staff', `/v1/staff/hotels/${encodeURIComponent(hotelID)}/rates`, {
        method: 'PUT',
        body: { reason, rates: [rate] },
      });
      const nights = count(nightsOf(rate.from, rate.to), 'night');
      setAnswer({ of: rate, text: `Saved for ${nights}.`, bad: false });
    } catch (cause) {
      setAnswer({ of: rate, text: (cause as Error).message, bad: true });
    }
  };
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <div class="stay-form">
        <label class="field">
          <span>Room type</span>
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
          <span>First night</span>
          <input
            type="date"
            value={rate.from}
            required
            onInput={({ currentTarget: { value } }) => set({ from: value })}
          />
        </label>
        <label class="field">
          <span>Last night</span>
          <input
            type="date"
            value={rate.to}
            min={rate.from}
            required
            onInput={({ currentTarget: { value } }) => set({ to: value })}
          />
        </label>
        <label class="field">
          <span>Price, {currency} a night</span>
          <input
            type="text"
            inputMode="decimal"
            value={rate.price}
            required
            onInput={({ currentTarget: { value } }) => set({ price: value.trim() })}
          />
        </label>
      </div>
      <label class="field">
        <span>Reason, for the audit list</span>
        <input
          type="text"
          value={reason}
          maxLength={200}
          required
          onInput={({ currentTarget: { value } }) => setReason(value)}
        />
      </label>
      <div class="button-row wrap">
        <button type="submit" class="main-button">
          Set the price
        </button>
      </div>
      <p class={said.bad ? 'bad' : 'muted'} role="status">
        {said.text}
      </p>
    </form>
  );
}
