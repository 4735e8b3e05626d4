import type { Static } from 'typebox';
import type { getHotelCalendar } from '#schemas/http/hotel-staff.js';
import type { HotelView } from '#schemas/http/hotels.js';
import { askAs } from './calls.js';
import { Shown } from './frame.js';
import { NightsTable } from './nights-table.js';
import { messages } from './staff-messages.js';
import { addDays, amountText } from './texts.js';
import { useDaysShown } from './use-days-shown.js';
import { useLoaded } from './use-loaded.js';

type Calendar = Static<(typeof getHotelCalendar)['responses'][200]['schema']>;

interface StaffPricesProps {
  readonly hotel: HotelView;
  /** What the form is about: these cells stand out. */
  readonly chosen: { readonly roomTypeID: string; readonly from: string; readonly to: string };
  /** Another number: the prices are loaded again. */
  readonly turn: number;
}

/** The prices of all room types as they are now, from the first night of the form on. */
export function StaffPrices({ hotel, chosen, turn }: StaffPricesProps) {
  const { from } = chosen;
  const to = addDays(from, useDaysShown() - 1);
  const query = new URLSearchParams({ from, to });
  const path = `/v1/staff/hotels/${encodeURIComponent(hotel.hotelID)}/calendar?${query}`;
  const [calendar] = useLoaded(`${path} ${turn}`, () => askAs<Calendar>('desk', path));
  return (
    <Shown state={calendar}>
      {({ days }) => {
        const dates = [...new Set(days.map(({ date }) => date))].toSorted();
        const at = new Map(days.map((day) => [`${day.roomTypeID} ${day.date}`, day.rate]));
        if (dates.length === 0) return <p class="muted">{messages.noInventory}</p>;
        return (
          <div class="card">
            <h3>{messages.pricesNow(hotel.currency)}</h3>
            <NightsTable
              class="prices"
              caption={messages.pricesNow(hotel.currency)}
              types={hotel.roomTypes.map(({ roomTypeID, name }) => [roomTypeID, name])}
              dates={dates}
              cell={(type, date) => {
                const rate = at.get(`${type} ${date}`);
                const isChosen = type === chosen.roomTypeID && date >= chosen.from && date <= chosen.to;
                return (
                  <td key={date} class={isChosen ? 'chosen' : ''}>
                    {rate === undefined ? '–' : amountText(rate)}
                  </td>
                );
              }}
            />
            <p class="muted">{messages.pricesNowHint}</p>
          </div>
        );
      }}
    </Shown>
  );
}
