import type { RoomRow } from './rooms-page.js';
import type { RoomState } from './set-rooms.js';
import { messages } from './staff-messages.js';

/** What usually follows. */
const nextState: Partial<Record<RoomRow['status'], RoomState>> = {
  dirty: 'available',
  available: 'inspected',
};

/** Housekeeping has no say in a room with a guest, or out of order. */
export const isSettable = ({ status }: RoomRow): boolean =>
  status === 'dirty' || status === 'available' || status === 'inspected';

interface RoomProps {
  readonly room: RoomRow;
  readonly type: string;
  readonly isSelected: boolean;
  readonly onSelect: (isSelected: boolean) => void;
  readonly onSet: (status: RoomState) => void;
}

/** A room as a tile: number, state, work of the day, and the step that usually follows. */
export function StaffRoom({ room, type, isSelected, onSelect, onSet }: RoomProps) {
  const { number, status, floor, kind, arrival } = room;
  const then = nextState[status];
  const name = messages.roomName(number);
  const works = [
    // A dirty room says it by its state.
    ...(kind === null || status === 'dirty' ? [] : [messages.work[kind]]),
    ...(arrival ? [messages.arrival] : []),
  ];
  return (
    <li class={`room${isSelected ? ' room-selected' : ''}`}>
      {isSettable(room) ? (
        <label class="room-name">
          <input
            type="checkbox"
            checked={isSelected}
            onChange={({ currentTarget: { checked } }) => onSelect(checked)}
          />
          <strong>{name}</strong>
        </label>
      ) : (
        <strong class="room-name">{name}</strong>
      )}
      <span class={`status room-${status}`}>{messages.roomStatus[status]}</span>
      <span class="muted">{messages.place(type, floor)}</span>
      {then !== undefined && (
        <button type="button" class="link-button" onClick={() => onSet(then)}>
          {messages.markAs[then]} <span class="unseen">{name}</span>
        </button>
      )}
      {works.length > 0 && (
        <span class={arrival ? 'room-work room-urgent' : 'room-work'}>{works.join(' · ')}</span>
      )}
    </li>
  );
}
