import type { RoomRow, RoomsPage } from './rooms-page.js';
import { messages } from './staff-messages.js';

export interface RoomsWanted {
  readonly show: 'all' | 'to-clean' | RoomRow['status'];
  readonly floor: string;
  readonly roomTypeID: string;
  readonly number: string;
}

export const everyRoom: RoomsWanted = { show: 'all', floor: '', roomTypeID: '', number: '' };

const shown = ['dirty', 'available', 'inspected', 'occupied', 'out_of_order'] as const;

/** What is shown, with the number of rooms for each choice; then floor, type and number. */
export function RoomFilter({
  wanted,
  page,
  types,
  onWanted,
}: {
  readonly wanted: RoomsWanted;
  /** Undefined until the first answer. */
  readonly page: RoomsPage | undefined;
  /** Names by id. */
  readonly types: ReadonlyMap<string, string>;
  readonly onWanted: (change: Partial<RoomsWanted>) => void;
}) {
  const rooms = new Map(page?.statuses.map((of) => [of.status, of.rooms]));
  const inUse = shown.reduce((sum, status) => sum + (rooms.get(status) ?? 0), 0);
  const choices: readonly (readonly [RoomsWanted['show'], string, number])[] = [
    ['all', messages.allRooms, inUse],
    ['to-clean', messages.toClean, page?.toClean ?? 0],
    ...shown.map((status) => [status, messages.roomStatus[status], rooms.get(status) ?? 0] as const),
  ];
  return (
    <>
      <form class="stay-form" onSubmit={(event) => event.preventDefault()}>
        <label class="field">
          <span>{messages.floor}</span>
          <select
            value={wanted.floor}
            onChange={({ currentTarget: { value } }) => onWanted({ floor: value })}
          >
            <option value="">{messages.allFloors}</option>
            {page?.floors.map((floor) => (
              <option key={floor} value={String(floor)}>
                {floor}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>{messages.roomType}</span>
          <select
            value={wanted.roomTypeID}
            onChange={({ currentTarget: { value } }) => onWanted({ roomTypeID: value })}
          >
            <option value="">{messages.allTypes}</option>
            {[...types].map(([id, name]) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>{messages.roomNumber}</span>
          <input
            type="text"
            value={wanted.number}
            maxLength={16}
            placeholder={messages.anyNumber}
            onInput={({ currentTarget: { value } }) => onWanted({ number: value.trim() })}
          />
        </label>
      </form>
      <fieldset class="choices">
        <legend class="unseen">{messages.show}</legend>
        {choices.map(([show, text, many]) => (
          <button
            key={show}
            type="button"
            class="choice"
            aria-pressed={wanted.show === show}
            onClick={() => onWanted({ show })}
          >
            {text} <span class="count">{many}</span>
          </button>
        ))}
      </fieldset>
    </>
  );
}
