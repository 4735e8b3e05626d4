import { app, type TravelTime } from '../state/state.js';
import { usePart } from '../state/use-part.js';
import * as messages from './messages.js';

const kinds: readonly TravelTime['kind'][] = ['now', 'depart', 'arrive'];

/** Local date and time as a field for them has it, `minutes` from now. */
function localIn(minutes: number): string {
  const at = new Date(Date.now() + minutes * 60_000);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

const firstMinutes = 30;

/** When to leave or to arrive. */
export function TripTime() {
  const when = usePart((state) => state.when);
  const choose = (kind: TravelTime['kind']) => {
    if (kind === 'now') app.set({ when: { kind } });
    else app.set({ when: { kind, at: when.kind === 'now' ? localIn(firstMinutes) : when.at } });
  };
  return (
    <div class="trip-time">
      <label class="unseen" for="trip-time">
        {messages.tripTime}
      </label>
      <select
        id="trip-time"
        value={when.kind}
        onChange={(event) => choose(event.currentTarget.value as TravelTime['kind'])}
      >
        {kinds.map((kind) => (
          <option key={kind} value={kind}>
            {messages.tripTimes[kind]}
          </option>
        ))}
      </select>
      {when.kind !== 'now' && (
        <input
          type="datetime-local"
          aria-label={messages.tripTimes[when.kind]}
          value={when.at}
          min={localIn(0)}
          onChange={(event) => {
            const at = event.currentTarget.value;
            if (at !== '') app.set({ when: { kind: when.kind, at } });
          }}
        />
      )}
    </div>
  );
}
