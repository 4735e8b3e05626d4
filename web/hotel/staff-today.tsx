import { useState } from 'preact/hooks';
import type { Static } from 'typebox';
import type { getHotelToday, TodayStay } from '#schemas/http/hotel-desk.js';
import { askAs } from './calls.js';
import { Shown } from './frame.js';
import { useHotelNames } from './hotel-names.js';
import { HotelChoice } from './staff-hotels.js';
import { messages } from './staff-messages.js';
import { StayList } from './stay-list.js';
import { StayRow } from './stay-row.js';
import { moneyText } from './texts.js';
import { noteAddress } from './use-address.js';
import { Said, useDeed } from './use-deed.js';
import { useLoaded } from './use-loaded.js';

type Today = Static<(typeof getHotelToday)['responses'][200]['schema']>;
type List = Today['lists'][number];

const pageSize = 10;
const texts = {
  arrivals: [messages.arrivals, messages.noArrivals],
  departures: [messages.departures, messages.noDepartures],
  'in-house': [messages.inHouse, messages.nobodyInHouse],
} as const;

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

/** The first page of each list in one request. */
function TodayOf({ hotelId }: { readonly hotelId: string }) {
  const [loaded] = useLoaded(hotelId, () => loadToday(hotelId));
  return (
    <Shown state={loaded}>
      {({ lists }) => lists.map((list) => <ListOf key={list.list} hotelId={hotelId} first={list} />)}
    </Shown>
  );
}

function ListOf({ hotelId, first }: { readonly hotelId: string; readonly first: List }) {
  const [pages, setPages] = useState([first]);
  const { typeOf } = useHotelNames(hotelId);
  const { deed, run } = useDeed();
  const [title, empty] = texts[first.list];
  const cursor = pages.at(-1)!.nextCursor;
  const more = () =>
    void run(async () => {
      const { lists } = await loadToday(hotelId, { list: first.list, cursor: cursor! });
      setPages((before) => [...before, ...lists]);
      return '';
    });
  return (
    <StayList
      title={title(pages.at(-1)!.total)}
      empty={empty}
      onMore={cursor === undefined ? undefined : more}
      note={<Said deed={deed} />}
    >
      {pages
        .flatMap(({ stays }) => stays)
        .map((stay) => (
          <StayRow
            key={stay.reservationID}
            {...{ stay, typeOf, guestName: stay.guestName }}
            rooms={stay.rooms.map(roomText).join(', ')}
          >
            {Number(stay.balance) > 0 && (
              <span class="due">{messages.balanceDue(moneyText(stay.balance, stay.currency))}</span>
            )}
          </StayRow>
        ))}
    </StayList>
  );
}

/** `101 (Dirty)`; of a room with its guest in it only the number. */
const roomText = ({ number, status }: TodayStay['rooms'][number]): string =>
  status === 'occupied' ? number : `${number} (${messages.roomStatus[status]})`;

async function loadToday(hotelId: string, page: Readonly<Record<string, string>> = {}): Promise<Today> {
  const query = new URLSearchParams({ limit: String(pageSize), ...page });
  return askAs<Today>('desk', `/v1/staff/hotels/${encodeURIComponent(hotelId)}/today?${query}`);
}
