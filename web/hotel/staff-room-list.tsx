import { useState } from 'preact/hooks';
import { ReasonField } from './reason-field.js';
import type { RoomRow, RoomsPage } from './rooms-page.js';
import { type RoomState, type RoomsSet, setRooms } from './set-rooms.js';
import { messages } from './staff-messages.js';
import { isSettable, StaffRoom } from './staff-room.js';
import { Said, useDeed } from './use-deed.js';

const states: readonly RoomState[] = ['available', 'inspected', 'dirty'];

interface RoomListProps {
  readonly hotelId: string;
  readonly page: RoomsPage;
  /** Other rooms are on their way. */
  readonly isOld: boolean;
  readonly types: ReadonlyMap<string, string>;
  /** Of the first room of the page among all. */
  readonly first: number;
  readonly all: number;
  readonly onChanged: () => void;
  readonly onPage: (step: 1 | -1) => void;
}

/** One page of rooms. One is changed by its button, several are selected and changed together. */
export function RoomList({ hotelId, page, isOld, types, first, all, onChanged, onPage }: RoomListProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [reason, setReason] = useState('');
  const [troubles, setTroubles] = useState<readonly string[]>([]);
  const { deed, run } = useDeed();
  const settable = page.rooms.filter(isSettable);
  const selected = settable.filter(({ roomID }) => chosen.has(roomID));
  const set = (rooms: readonly RoomRow[], status: RoomState) =>
    run(async () => {
      setTroubles([]);
      const result = await setRooms(hotelId, rooms, status, reason);
      setTroubles(troublesOf(result));
      // What was not changed stays selected, with its reason.
      const left = new Set([...result.refused.map(({ room }) => room), ...result.rest]);
      const done = new Set(rooms.filter((room) => !left.has(room)).map(({ roomID }) => roomID));
      setChosen((now) => new Set([...now].filter((roomID) => !done.has(roomID))));
      if (left.size === 0) setReason('');
      onChanged();
      return result.done === 0 ? '' : messages.roomsAre(result.done, status);
    });
  const select = (roomID: string, isSelected: boolean) =>
    setChosen((now) => new Set(isSelected ? [...now, roomID] : [...now].filter((one) => one !== roomID)));
  const answer = (
    <>
      <Said deed={deed} />
      {troubles.map((trouble) => (
        <p key={trouble} class="bad" role="alert">
          {trouble}
        </p>
      ))}
    </>
  );
  if (page.rooms.length === 0)
    return (
      <>
        <p class="muted">{messages.noRooms}</p>
        {answer}
      </>
    );
  return (
    <div aria-busy={isOld || deed.busy}>
      <ul class={isOld ? 'rooms old' : 'rooms'} inert={isOld}>
        {page.rooms.map((room) => (
          <StaffRoom
            key={room.roomID}
            room={room}
            type={types.get(room.roomTypeID) ?? room.roomTypeID}
            isSelected={chosen.has(room.roomID) && isSettable(room)}
            onSelect={(isSelected) => select(room.roomID, isSelected)}
            onSet={(status) => void set([room], status)}
          />
        ))}
      </ul>
      {all > page.rooms.length && (
        <nav class="pager" aria-label={messages.pages}>
          <button type="button" class="link-button" disabled={first === 1} onClick={() => onPage(-1)}>
            {messages.previous}
          </button>
          <span class="muted">{messages.pageOf(first, first + page.rooms.length - 1, all)}</span>
          <button
            type="button"
            class="link-button"
            disabled={page.nextCursor === undefined}
            onClick={() => onPage(1)}
          >
            {messages.next}
          </button>
        </nav>
      )}
      <div class="deeds card">
        {answer}
        <div class="deeds-row">
          <label class="check">
            <input
              type="checkbox"
              checked={selected.length > 0 && selected.length === settable.length}
              disabled={settable.length === 0}
              onChange={({ currentTarget: { checked } }) =>
                setChosen(new Set(checked ? settable.map(({ roomID }) => roomID) : []))
              }
            />
            {messages.selectAll}
          </label>
          <strong>{messages.selected(selected.length)}</strong>
        </div>
        {selected.length > 0 && (
          <div class="deeds-row">
            <ReasonField label={messages.optionalReason} reason={reason} onReason={setReason} />
            <div class="button-row">
              {states.map((status) => (
                <button
                  key={status}
                  type="button"
                  class="main-button quiet"
                  disabled={isOld}
                  onClick={() => void set(selected, status)}
                >
                  {messages.markAs[status]}
                </button>
              ))}
            </div>
          </div>
        )}
      </div>
    </div>
  );
}

/** One sentence for each room that stayed as it was; of many, the first ones. */
function troublesOf({ refused, rest }: RoomsSet): readonly string[] {
  const shownMax = 5;
  const more = refused.length + rest.length - Math.min(refused.length, shownMax);
  return [
    ...refused.slice(0, shownMax).map(({ room, why }) => messages.notChanged(room.number, why)),
    ...(more > 0 ? [messages.notTried(more)] : []),
  ];
}
