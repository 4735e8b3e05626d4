import { useState } from 'preact/hooks';
import type { Static } from 'typebox';
import type { searchReservations } from '#schemas/http/hotel-staff.js';
import { askAs } from './calls.js';
import { Shown } from './frame.js';
import { hotelOf, useHotelNames } from './hotel-names.js';
import { localAt } from './hotel-time.js';
import { HotelChoice } from './staff-hotels.js';
import { messages } from './staff-messages.js';
import { StayList } from './stay-list.js';
import { addDays } from './texts.js';
import { noteAddress } from './use-address.js';
import { useLoaded } from './use-loaded.js';

type Found = Static<(typeof searchReservations)['responses'][200]['schema']>;
const path: (typeof searchReservations)['path'] = '/v1/staff/reservations';

/** Who arrives, leaves and stays today, by the clocks of the hotel. */
export function StaffToday({ chosen }: { readonly chosen: string }) {
  const [hotelId, setHotelId] = useState(chosen);
  return (
    <section>
      <h2>{messages.todayTitle}</h2>
      <form class="stay-form" onSubmit={(event) => event.preventDefault()}>
        <HotelChoice
          hotelId={hotelId}
          onHotel={(id) => {
            setHotelId(id);
            noteAddress('today', id);
          }}
        />
      </form>
      {hotelId !== '' && <TodayOf key={hotelId} hotelId={hotelId} />}
    </section>
  );
}

function TodayOf({ hotelId }: { readonly hotelId: string }) {
  const [loaded] = useLoaded(hotelId, () => loadToday(hotelId));
  const { typeOf } = useHotelNames(hotelId);
  return (
    <Shown state={loaded}>
      {({ arrivals, inHouse, departures, isComplete }) => {
        const more = isComplete ? '' : messages.newestStays;
        return (
          <>
            <StayList
              {...{ ids: arrivals, typeOf, more }}
              title={messages.arrivals(arrivals.length)}
              empty={messages.noArrivals}
            />
            <StayList
              {...{ ids: departures, typeOf, more }}
              title={messages.departures(departures.length)}
              empty={messages.noDepartures}
            />
            <StayList
              {...{ ids: inHouse, typeOf, more }}
              title={messages.inHouse(inHouse.length)}
              empty={messages.nobodyInHouse}
            />
          </>
        );
      }}
    </Shown>
  );
}

async function loadToday(hotelID: string) {
  const { timeZone } = await hotelOf(hotelID);
  const today = localAt(Date.now(), timeZone).slice(0, 10);
  const find = (search: Readonly<Record<string, string>>) =>
    askAs<Found>('desk', `${path}?${new URLSearchParams({ hotelID, limit: '100', ...search })}`);
  const [expected, present] = await Promise.all([
    // A guest of an earlier first night may still come.
    find({ status: 'paid', on: today }),
    find({ status: 'checked_in' }),
  ]);
  const leaves = ({ reservation }: Found['reservations'][number]) => addDays(reservation.endDate, 1) <= today;
  const idOf = ({ reservation }: Found['reservations'][number]) => reservation.reservationID;
  return {
    arrivals: expected.reservations.map(idOf),
    departures: present.reservations.filter(leaves).map(idOf),
    inHouse: present.reservations.filter((stay) => !leaves(stay)).map(idOf),
    isComplete: expected.nextCursor === undefined && present.nextCursor === undefined,
  };
}
