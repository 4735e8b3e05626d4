import type { AskedStay } from './asked-stay.js';
import * as messages from './messages.js';
import { addDays, nightsOf, today } from './texts.js';

const roomCountMax = 10;
const nightsMax = 31;

/** One room for two nights in a week: where every form begins. */
export const usualStay = (): AskedStay => ({
  startDate: addDays(today(), 7),
  endDate: addDays(today(), 8),
  roomCount: 1,
});

/** What is wrong with the dates; empty when nothing is. */
export function stayFault({ startDate, endDate }: AskedStay): string {
  const nights = nightsOf(startDate, endDate);
  if (nights < 1) return messages.nightsReversed;
  return nights > nightsMax ? messages.tooManyNights(nightsMax) : '';
}

export function StayForm({
  stay,
  onStay,
}: {
  readonly stay: AskedStay;
  readonly onStay: (stay: AskedStay) => void;
}) {
  const { startDate, endDate, roomCount } = stay;
  return (
    <form class="stay-form" onSubmit={(event) => event.preventDefault()}>
      <label class="field">
        <span>{messages.firstNight}</span>
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
        <span>{messages.lastNight}</span>
        <input
          type="date"
          value={endDate}
          min={startDate}
          required
          onInput={({ currentTarget: { value } }) => value !== '' && onStay({ ...stay, endDate: value })}
        />
      </label>
      <label class="field">
        <span>{messages.rooms}</span>
        <select
          value={roomCount}
          onChange={({ currentTarget: { value } }) => onStay({ ...stay, roomCount: Number(value) })}
        >
          {Array.from({ length: roomCountMax }, (_, n) => (
            <option key={n} value={n + 1}>
              {n + 1}
            </option>
          ))}
        </select>
      </label>
    </form>
  );
}
