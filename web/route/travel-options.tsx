import { app, type TravelMode } from '../state/state.js';
import { usePart } from '../state/use-part.js';

const modes: readonly (readonly [TravelMode, string])[] = [
  ['driving', 'Car'],
  ['bicycling', 'Bike'],
  ['walking', 'Walk'],
];
export const avoidances = ['tolls', 'motorways', 'ferries', 'unpaved'] as const;

/** How to travel and what to avoid; the route is planned again at once. */
export function TravelOptions() {
  const mode = usePart((state) => state.mode);
  const avoid = usePart((state) => state.avoid);
  return (
    <div class="travel-options">
      <fieldset class="modes">
        <legend class="unseen">How to travel</legend>
        {modes.map(([value, label]) => (
          <label key={value} class="mode">
            <input
              type="radio"
              name="mode"
              class="unseen"
              checked={value === mode}
              onChange={() => app.set({ mode: value })}
            />
            <span>{label}</span>
          </label>
        ))}
      </fieldset>
      <details class="avoid">
        <summary>Avoid{avoid.length === 0 ? '' : `: ${avoid.join(', ')}`}</summary>
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
