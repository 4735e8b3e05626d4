import { app } from '../state/state.js';
import { usePart } from '../state/use-part.js';
import * as messages from './messages.js';
import { avoidableBy, avoidances, modes } from './travel-modes.js';
import { TripTime } from './trip-time.js';
import { TruckFields } from './truck-fields.js';

function Units() {
  const units = usePart((state) => state.units);
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={units === 'imperial'}
        onChange={(event) => app.set({ units: event.currentTarget.checked ? 'imperial' : 'metric' })}
      />
      <span>{messages.miles}</span>
    </label>
  );
}

/** How and when to travel and what to avoid; the route is planned again at once. */
export function TravelOptions() {
  const mode = usePart((state) => state.mode);
  const avoid = usePart((state) => state.avoid);
  const offered = avoidableBy[mode];
  return (
    <div class="travel-options">
      <fieldset class="modes">
        <legend class="unseen">{messages.travelMode}</legend>
        {modes.map((value) => (
          <label key={value} class="mode">
            <input
              type="radio"
              name="mode"
              class="unseen"
              checked={value === mode}
              onChange={() => app.set({ mode: value, chosen: 0 })}
            />
            <span>{messages.modes[value]}</span>
          </label>
        ))}
      </fieldset>
      <TripTime />
      {mode === 'truck' && <TruckFields />}
      <details class="avoid">
        <summary>{messages.avoid(avoid.filter((word) => offered.includes(word)))}</summary>
        {offered.map((word) => (
          <label key={word} class="check">
            <input
              type="checkbox"
              checked={avoid.includes(word)}
              onChange={(event) => {
                const checked = event.currentTarget.checked;
                app.set({
                  avoid: avoidances.filter((each) => (each === word ? checked : avoid.includes(each))),
                });
              }}
            />
            <span>{messages.avoidable[word]}</span>
          </label>
        ))}
        <Units />
      </details>
    </div>
  );
}
