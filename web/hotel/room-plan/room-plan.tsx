import { useState } from 'preact/hooks';
import type { RoomPlanView } from '#schemas/http/hotel-desk.js';
import './room-plan.css';
import { askAs } from '../calls.js';
import { Shown } from '../frame.js';
import { useHotelNames } from '../hotel-names.js';
import { HotelChoice } from '../staff-hotels.js';
import { messages as staffMessages } from '../staff-messages.js';
import { addDays, today } from '../texts.js';
import { noteAddress } from '../use-address.js';
import { useLoaded } from '../use-loaded.js';
import { HeldStay } from './held-stay.js';
import { messages } from './plan-messages.js';
import { PlanTable } from './plan-table.js';
import { useDrag } from './use-drag.js';
import { useMoves } from './use-moves.js';

const weekDays = 7;
const roomsShown = 50;

const isDay = (text: string): boolean => /^2\d{3}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

interface Place {
  readonly hotelId: string;
  /** Empty: today at the hotel. */
  readonly from: string;
  /** Empty: the first one of the hotel. */
  readonly roomTypeID: string;
}

/** Which stay has which room on which nights; stays are dragged to other rooms, nights and types. */
export function RoomPlan({ parts }: { readonly parts: readonly string[] }) {
  const [place, setPlace] = useState<Place>({
    hotelId: parts[0] ?? '',
    from: isDay(parts[1] ?? '') ? parts[1]! : '',
    roomTypeID: parts[2] ?? '',
  });
  const { hotelId, from } = place;
  const show = (next: Place) => {
    setPlace(next);
    const day = next.from === '' ? today() : next.from;
    noteAddress(
      'plan',
      next.hotelId,
      ...(next.from === '' && next.roomTypeID === '' ? [] : [day]),
      ...(next.roomTypeID === '' ? [] : [next.roomTypeID]),
    );
  };
  const start = from === '' ? today() : from;
  return (
    <section>
      <h2>{staffMessages.roomPlan}</h2>
      <form class="stay-form" onSubmit={(event) => event.preventDefault()}>
        <HotelChoice hotelId={hotelId} onHotel={(id) => show({ hotelId: id, from, roomTypeID: '' })} />
        <label class="field">
          <span>{staffMessages.from}</span>
          <input
            type="date"
            value={start}
            onInput={({ currentTarget: { value } }) => isDay(value) && show({ ...place, from: value })}
          />
        </label>
      </form>
      <div class="choices">
        <button
          type="button"
          class="choice"
          onClick={() => show({ ...place, from: addDays(start, -weekDays) })}
        >
          {staffMessages.previousWeek}
        </button>
        <button type="button" class="choice" onClick={() => show({ ...place, from: '' })}>
          {staffMessages.thisDay}
        </button>
        <button
          type="button"
          class="choice"
          onClick={() => show({ ...place, from: addDays(start, weekDays) })}
        >
          {staffMessages.nextWeek}
        </button>
      </div>
      {hotelId !== '' && (
        <PlanOf key={hotelId} place={place} onType={(roomTypeID) => show({ ...place, roomTypeID })} />
      )}
    </section>
  );
}

function PlanOf({ place, onType }: { readonly place: Place; readonly onType: (id: string) => void }) {
  const { hotelId, from, roomTypeID } = place;
  const range = new URLSearchParams({
    limit: String(roomsShown),
    ...(from === '' ? {} : { from }),
    ...(roomTypeID === '' ? {} : { roomTypeID }),
  });
  /** Cursors of the pages before, the first page without; of this type alone. */
  const [cursors, setCursors] = useState<{ readonly of: string; readonly list: readonly string[] }>({
    of: roomTypeID,
    list: [],
  });
  const list = cursors.of === roomTypeID ? cursors.list : [];
  if (list.length > 0) range.set('cursor', list.at(-1)!);
  const path = `/v1/staff/hotels/${encodeURIComponent(hotelId)}/room-plan?${range}`;
  const [loaded, again] = useLoaded(path, async () => ({
    of: path,
    plan: await askAs<RoomPlanView>('desk', path),
  }));
  return (
    <Shown state={loaded}>
      {({ of, plan }) => (
        <div class={of === path ? '' : 'old'}>
          <Board plan={plan} hotelId={hotelId} onType={onType} onChanged={again} />
          <Pager
            plan={plan}
            first={list.length * roomsShown + 1}
            onPage={(next) =>
              setCursors({ of: roomTypeID, list: next ? [...list, plan.nextCursor!] : list.slice(0, -1) })
            }
          />
        </div>
      )}
    </Shown>
  );
}

interface BoardProps {
  readonly plan: RoomPlanView;
  readonly hotelId: string;
  readonly onType: (roomTypeId: string) => void;
  readonly onChanged: () => void;
}

function Board({ plan, hotelId, onType, onChanged }: BoardProps) {
  const { typeOf } = useHotelNames(hotelId);
  const moves = useMoves(plan, typeOf, onChanged);
  const drags = useDrag(plan, moves);
  const { text, bad } = moves.said;
  return (
    <>
      <p class="muted plan-how">{messages.how}</p>
      <div class="card">
        <PlanTable {...{ plan, typeOf, moves, drags, onType }} />
        <Legend />
      </div>
      {/* While a stay is held, its card says the same. */}
      <p
        class={text === '' || moves.move !== null ? 'unseen' : `card plan-said${bad ? ' bad' : ''}`}
        role={bad ? 'alert' : 'status'}
      >
        {text}
      </p>
      <HeldStay {...{ plan, typeOf, moves }} />
    </>
  );
}

function Legend() {
  const { paid, here, over, returned, closed } = messages.legend;
  const entries = [
    ['paid', paid],
    ['checked_in', here],
    ['completed', over],
    ['payment_returned', returned],
    ['closed', closed],
  ] as const;
  return (
    <ul class="counts-legend plan-legend">
      {entries.map(([kind, text]) => (
        <li key={kind}>
          <span class={`plan-swatch plan-${kind}`} /> {text}
        </li>
      ))}
    </ul>
  );
}

interface PagerProps {
  readonly plan: RoomPlanView;
  /** Number of the first room shown. */
  readonly first: number;
  readonly onPage: (next: boolean) => void;
}

function Pager({ plan: { rooms, types, roomTypeID, nextCursor }, first, onPage }: PagerProps) {
  const all = types.find((type) => type.roomTypeID === roomTypeID)?.rooms ?? 0;
  if (rooms.length === 0) return <p class="muted">{messages.noRooms}</p>;
  if (first === 1 && nextCursor === undefined) return null;
  return (
    <nav class="pager" aria-label={staffMessages.pages}>
      <button type="button" class="choice" disabled={first === 1} onClick={() => onPage(false)}>
        {staffMessages.previous}
      </button>
      <span>{staffMessages.pageOf(first, first + rooms.length - 1, all)}</span>
      <button type="button" class="choice" disabled={nextCursor === undefined} onClick={() => onPage(true)}>
        {staffMessages.next}
      </button>
    </nav>
  );
}
