import type { AskedStay } from './asked-stay.js';
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
  if (nights < 1) return 'The last night is before the first.';
  return nights > nightsMax ? `A stay has at most ${nightsMax} nights.` : '';
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
        <span>First night</span>
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
        <span>Last night</span>
        <input
          type="date"
          value={endDate}
          min={startDate}
          required
          onInput={({ currentTarget: { value } }) => value !== '' && onStay({ ...stay, endDate: value })}
        />
      </label>
      <label class="field">
        <span>Rooms</span>
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
