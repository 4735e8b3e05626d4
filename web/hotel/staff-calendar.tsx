import { useState } from 'preact/hooks';
import type { Static } from 'typebox';
import type { getHotelCalendar } from '#schemas/http/hotel-staff.js';
import { askAs } from './calls.js';
import { Shown } from './frame.js';
import { NightsTable } from './nights-table.js';
import { HotelChoice } from './staff-hotels.js';
import * as messages from './staff-messages.js';
import { addDays, today } from './texts.js';
import { useLoaded } from './use-loaded.js';

type Calendar = Static<(typeof getHotelCalendar)['responses'][200]['schema']>;
type Day = Calendar['days'][number];

const daysShown = 14;

/** Counts by room type and night: reserved of total. */
export function StaffCalendar() {
  const [hotelId, setHotelId] = useState('');
  const [from, setFrom] = useState(today);
  return (
    <section>
      <h2>{messages.calendar}</h2>
      <form class="stay-form" onSubmit={(event) => event.preventDefault()}>
        <HotelChoice hotelId={hotelId} onHotel={setHotelId} />
        <label class="field">
          <span>{messages.from}</span>
          <input
            type="date"
            value={from}
            onInput={({ currentTarget: { value } }) => value !== '' && setFrom(value)}
          />
        </label>
      </form>
      {hotelId !== '' && <Counts key={`${hotelId} ${from}`} hotelId={hotelId} from={from} />}
    </section>
  );
}

function Counts({ hotelId, from }: { readonly hotelId: string; readonly from: string }) {
  const query = new URLSearchParams({ from, to: addDays(from, daysShown - 1) });
  const path = `/v1/staff/hotels/${encodeURIComponent(hotelId)}/calendar?${query}`;
  const [calendar] = useLoaded(path, () => askAs<Calendar>('desk', path));
  return (
    <Shown state={calendar}>
      {({ days }) => {
        const dates = [...new Set(days.map(({ date }) => date))].toSorted();
        const types = [...new Set(days.map(({ roomTypeID }) => roomTypeID))].toSorted();
        const at = new Map(days.map((day) => [`${day.roomTypeID} ${day.date}`, day]));
        return (
          <>
            <NightsTable
              types={types.map((type) => [type, type])}
              dates={dates}
              cell={(type, date) => <Count key={date} day={at.get(`${type} ${date}`)} />}
            />
            {dates.length === 0 && <p class="muted">{messages.noInventory}</p>}
          </>
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
      {totalReserved}/{totalInventory}
      {overbooked && <span class="unseen"> {messages.overbooked}</span>}
    </td>
  );
}
