import { useRef, useState } from 'preact/hooks';
import type { HotelView } from '#schemas/http/hotels.js';
import { ask } from '../http/ask.js';
import { askAs } from './calls.js';
import { Shown } from './frame.js';
import type { RoomsPage } from './rooms-page.js';
import { HotelChoice } from './staff-hotels.js';
import { messages } from './staff-messages.js';
import { everyRoom, RoomFilter, type RoomsWanted } from './staff-room-filter.js';
import { RoomList } from './staff-room-list.js';
import { noteAddress } from './use-address.js';
import { useLoaded } from './use-loaded.js';

const pageSize = 60;

/** The rooms of a hotel with their states, for housekeeping: one page at a time. */
export function StaffRooms({ chosen }: { readonly chosen: string }) {
  const [hotelId, setHotelId] = useState(chosen);
  return (
    <section>
      <h2>{messages.housekeeping}</h2>
      <form class="stay-form" onSubmit={(event) => event.preventDefault()}>
        <HotelChoice
          hotelId={hotelId}
          onHotel={(id) => {
            setHotelId(id);
            noteAddress('housekeeping', id);
          }}
        />
      </form>
      {hotelId !== '' && <RoomsOf key={hotelId} hotelId={hotelId} />}
    </section>
  );
}

function RoomsOf({ hotelId }: { readonly hotelId: string }) {
  const [wanted, setWanted] = useState(everyRoom);
  /** Cursors of the pages before, the first page without. */
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const path = `/v1/staff/hotels/${encodeURIComponent(hotelId)}/rooms`;
  const query = `${new URLSearchParams({
    limit: String(pageSize),
    ...(wanted.show === 'to-clean' ? { toClean: 'true' } : {}),
    ...(wanted.show === 'all' || wanted.show === 'to-clean' ? {} : { status: wanted.show }),
    ...(wanted.floor === '' ? {} : { floor: wanted.floor }),
    ...(wanted.roomTypeID === '' ? {} : { roomTypeID: wanted.roomTypeID }),
    ...(wanted.number === '' ? {} : { number: wanted.number }),
    ...(cursors.length === 0 ? {} : { cursor: cursors.at(-1)! }),
  })}`;
  const [page, again] = useLoaded(query, async () => ({
    of: query,
    ...(await askAs<RoomsPage>('desk', `${path}?${query}`)),
  }));
  const [types] = useLoaded(hotelId, async () => {
    const hotel = await ask<HotelView>(`/v1/hotels/${encodeURIComponent(hotelId)}`);
    return new Map(hotel!.roomTypes.map(({ roomTypeID, name }) => [roomTypeID, name]));
  });
  // The filter stays on the screen when an answer fails.
  const last = useRef<RoomsPage | undefined>(undefined);
  if (page.kind === 'there') last.current = page.value;
  const names = types.kind === 'there' ? types.value : new Map<string, string>();
  const change = (next: Partial<RoomsWanted>) => {
    setWanted({ ...wanted, ...next });
    setCursors([]);
  };
  return (
    <>
      <RoomFilter wanted={wanted} page={last.current} types={names} onWanted={change} />
      <Shown state={page}>
        {(shown) => (
          <RoomList
            hotelId={hotelId}
            page={shown}
            isOld={shown.of !== query}
            types={names}
            first={cursors.length * pageSize + 1}
            all={countOf(shown, wanted)}
            onChanged={again}
            onPage={(step) => setCursors(step < 0 ? cursors.slice(0, -1) : [...cursors, shown.nextCursor!])}
          />
        )}
      </Shown>
    </>
  );
}

/** Rooms on all pages together. */
function countOf({ statuses, toClean }: RoomsPage, { show }: RoomsWanted): number {
  if (show === 'to-clean') return toClean;
  return statuses
    .filter(({ status }) => (show === 'all' ? status !== 'retired' : status === show))
    .reduce((sum, { rooms }) => sum + rooms, 0);
}
