import { messages } from './messages.js';
import type { RequestedStay } from './requested-stay.js';
import { addDays, nightsOf, today } from './texts.js';

const roomCountMax = 10;
const nightsMax = 31;
const guestsOfferedMax = 20;

/** The initial values of every form: one room for two people and two nights in a week. */
export const usualStay = (): RequestedStay => ({
  startDate: addDays(today(), 7),
  endDate: addDays(today(), 8),
  roomCount: 1,
  guests: 2,
});

/** What is wrong with the dates; empty if they are valid. */
export function stayFault({ startDate, endDate }: Pick<RequestedStay, 'startDate' | 'endDate'>): string {
  const nights = nightsOf(startDate, endDate);
  if (nights < 1) return messages.noNight;
  return nights > nightsMax ? messages.tooManyNights(nightsMax) : '';
}

export function StayForm({
  stay,
  onStay,
  asksGuests = true,
}: {
  readonly stay: RequestedStay;
  readonly onStay: (stay: RequestedStay) => void;
  /** A stay that exists has its guests already. */
  readonly asksGuests?: boolean;
}) {
  const { startDate, endDate, roomCount, guests } = stay;
  return (
    <form class="stay-form" onSubmit={(event) => event.preventDefault()}>
      <label class="field">
        <span>{messages.checkIn}</span>
        <input
          type="date"
          value={startDate}
          min={today()}
          required
          onInput={({ currentTarget: { value } }) =>
            value !== '' && onStay({ ...stay, startDate: value, endDate: value > endDate ? value : endDate })
          }
        />
      </label>
      <label class="field">
        <span>{messages.checkOut}</span>
        <input
          type="date"
          value={addDays(endDate, 1)}
          min={addDays(startDate, 1)}
          required
          onInput={({ currentTarget: { value } }) =>
            value !== '' && onStay({ ...stay, endDate: addDays(value, -1) })
          }
        />
      </label>
      <label class="field">
        <span>{messages.rooms}</span>
        <select
          value={roomCount}
          onChange={({ currentTarget: { value } }) =>
            onStay({ ...stay, roomCount: Number(value), guests: Math.max(guests, Number(value)) })
          }
        >
          {numbers(roomCountMax)}
        </select>
      </label>
      {asksGuests && (
        <label class="field">
          <span>{messages.guests}</span>
          <select
            value={guests}
            onChange={({ currentTarget: { value } }) => onStay({ ...stay, guests: Number(value) })}
          >
            {numbers(Math.max(guestsOfferedMax, guests))}
          </select>
        </label>
      )}
    </form>
  );
}

const numbers = (most: number) =>
  Array.from({ length: most }, (_, n) => (
    <option key={n} value={n + 1}>
      {n + 1}
    </option>
  ));
