import { app, type TravelMode } from '../state/state.js';
import { usePart } from '../state/use-part.js';
import * as messages from './messages.js';
import { TruckFields } from './truck-fields.js';

const modes: readonly TravelMode[] = ['driving', 'truck', 'bicycling', 'walking'];
export const avoidances = ['tolls', 'motorways', 'ferries', 'unpaved'] as const;

/** How to travel and what to avoid; the route is planned again at once. */
export function TravelOptions() {
  const mode = usePart((state) => state.mode);
  const avoid = usePart((state) => state.avoid);
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
              onChange={() => app.set({ mode: value })}
            />
            <span>{messages.modes[value]}</span>
          </label>
        ))}
      </fieldset>
      {mode === 'truck' && <TruckFields />}
      <details class="avoid">
        <summary>{messages.avoid(avoid)}</summary>
        {avoidances.map((word) => (
          <label key={word} class="check">
            <input
              type="checkbox"
              checked={avoid.includes(word)}
              onChange={(event) =>
                app.set({
                  avoid: avoidances.filter((each) =>
                    each === word ? event.currentTarget.checked : avoid.includes(each),
                  ),
                })
              }
            />
            <span>{word}</span>
          </label>
        ))}
      </details>
    </div>
  );
}
