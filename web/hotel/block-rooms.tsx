import type { HotelView } from '#schemas/http/hotels.js';
import type { RoomsEntry } from './block-entry.js';
import { messages } from './staff-messages.js';

/** Room types of a block; one of these is a row. */
const typesMax = 50;

/** How many rooms of which types are held on each night. */
export function BlockRooms({
  types,
  rooms,
  fixed,
  onRooms,
}: {
  readonly types: HotelView['roomTypes'];
  readonly rooms: readonly RoomsEntry[];
  /** The first rows are those that the group has: their types stay, perhaps with no room. */
  readonly fixed: number;
  readonly onRooms: (rooms: readonly RoomsEntry[]) => void;
}) {
  const used = new Set(rooms.map(({ roomTypeID }) => roomTypeID));
  const free = types.filter(({ roomTypeID }) => !used.has(roomTypeID));
  const nameOf = (id: string) => types.find(({ roomTypeID }) => roomTypeID === id)?.name ?? id;
  const set = (at: number, change: Partial<RoomsEntry>) =>
    onRooms(rooms.map((row, index) => (index === at ? { ...row, ...change } : row)));
  return (
    <fieldset class="block-rooms">
      <legend class="muted">{messages.roomsOfType}</legend>
      {rooms.map(({ roomTypeID, rooms: many }, at) => (
        <div key={at} class="block-room">
          {at < fixed ? (
            <span>{nameOf(roomTypeID)}</span>
          ) : (
            <select
              aria-label={messages.roomType}
              value={roomTypeID}
              onChange={({ currentTarget: { value } }) => set(at, { roomTypeID: value })}
            >
              {types
                .filter(({ roomTypeID: id }) => id === roomTypeID || !used.has(id))
                .map(({ roomTypeID: id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
            </select>
          )}
          <input
            type="number"
            aria-label={messages.roomsOf(nameOf(roomTypeID))}
            value={many}
            min={at < fixed ? 0 : 1}
            max={2_000}
            required
            onInput={({ currentTarget: { value } }) => set(at, { rooms: value })}
          />
          {at >= fixed && rooms.length > 1 && (
            <button
              type="button"
              class="link-button"
              onClick={() => onRooms(rooms.filter((_, index) => index !== at))}
            >
              {messages.remove}
              <span class="unseen"> {nameOf(roomTypeID)}</span>
            </button>
          )}
        </div>
      ))}
      {free.length > 0 && rooms.length < typesMax && (
        <button
          type="button"
          class="link-button"
          onClick={() => onRooms([...rooms, { roomTypeID: free[0]!.roomTypeID, rooms: '' }])}
        >
          {messages.addType}
        </button>
      )}
    </fieldset>
  );
}
