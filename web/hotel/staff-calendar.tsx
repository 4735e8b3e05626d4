import { useState } from 'preact/hooks';
import type { Static } from 'typebox';
import type { getHotelCalendar } from '#schemas/http/hotel-staff.js';
import { askAs } from './calls.js';
import { Shown } from './frame.js';
import { useHotelNames } from './hotel-names.js';
import { NightsTable } from './nights-table.js';
import { HotelChoice } from './staff-hotels.js';
import { messages } from './staff-messages.js';
import { addDays, today } from './texts.js';
import { noteAddress } from './use-address.js';
import { useDaysShown, weekDays } from './use-days-shown.js';
import { useLoaded } from './use-loaded.js';

type Calendar = Static<(typeof getHotelCalendar)['responses'][200]['schema']>;
type Day = Calendar['days'][number];

const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

/** Counts by room type and night, reserved of total: as many weeks as fit the width, a week at a step. */
export function StaffCalendar({ chosen, day }: { readonly chosen: string; readonly day: string }) {
  const [hotelId, setHotelId] = useState(chosen);
  const [from, setFrom] = useState(() => (isDay(day) ? day : today()));
  const show = (hotel: string, start: string) => {
    setHotelId(hotel);
    setFrom(start);
    noteAddress('calendar', hotel, start);
  };
  return (
    <section>
      <h2>{messages.calendar}</h2>
      <form class="stay-form" onSubmit={(event) => event.preventDefault()}>
        <HotelChoice hotelId={hotelId} onHotel={(hotel) => show(hotel, from)} />
        <label class="field">
          <span>{messages.from}</span>
          <input
            type="date"
            value={from}
            onInput={({ currentTarget: { value } }) => value !== '' && show(hotelId, value)}
          />
        </label>
      </form>
      <div class="choices">
        <button type="button" class="choice" onClick={() => show(hotelId, addDays(from, -weekDays))}>
          {messages.previousWeek}
        </button>
        <button type="button" class="choice" onClick={() => show(hotelId, today())}>
          {messages.thisDay}
        </button>
        <button type="button" class="choice" onClick={() => show(hotelId, addDays(from, weekDays))}>
          {messages.nextWeek}
        </button>
      </div>
      {hotelId !== '' && <Counts key={`${hotelId} ${from}`} hotelId={hotelId} from={from} />}
    </section>
  );
}

function Counts({ hotelId, from }: { readonly hotelId: string; readonly from: string }) {
  const query = new URLSearchParams({ from, to: addDays(from, useDaysShown() - 1) });
  const path = `/v1/staff/hotels/${encodeURIComponent(hotelId)}/calendar?${query}`;
  const [calendar] = useLoaded(path, () => askAs<Calendar>('desk', path));
  const { typeOf } = useHotelNames(hotelId);
  return (
    <Shown state={calendar}>
      {({ days }) => {
        const dates = [...new Set(days.map(({ date }) => date))].toSorted();
        const types = [...new Set(days.map(({ roomTypeID }) => roomTypeID))].toSorted();
        const at = new Map(days.map((day) => [`${day.roomTypeID} ${day.date}`, day]));
        if (dates.length === 0) return <p class="muted">{messages.noInventory}</p>;
        return (
          <div class="card">
            <NightsTable
              class="nights-fit"
              types={types.map((type) => [type, typeOf(type)])}
              dates={dates}
              cell={(type, date) => <Count key={date} day={at.get(`${type} ${date}`)} />}
            />
            <Legend />
          </div>
        );
      }}
    </Shown>
  );
}

function Count({ day }: { readonly day: Day | undefined }) {
  if (day === undefined) return <td>–</td>;
  const { totalReserved, totalInventory, overbooked } = day;
  const tone = overbooked ? 'over' : totalReserved >= totalInventory ? 'full' : '';
  return (
    <td class={tone}>
      {totalReserved}/<wbr />
      {totalInventory}
      {overbooked && <span class="unseen"> {messages.overbooked}</span>}
    </td>
  );
}

function Legend() {
  return (
    <ul class="counts-legend">
      <li>{messages.legend.counts}</li>
      <li class="full">{messages.legend.full}</li>
      <li class="over">{messages.legend.over}</li>
      <li>{messages.legend.none}</li>
    </ul>
  );
}
