import { app } from '../state/state.js';
import { usePart } from '../state/use-part.js';
import { Skeleton } from '../ui/skeleton.js';
import * as messages from './messages.js';
import { reachMinutes } from './run-reach.js';

/** The legend of the areas on the map, while there are some. */
export function ReachCard() {
  const from = usePart((state) => state.reachFrom);
  const reach = usePart((state) => state.reach);
  if (from === null) return null;
  return (
    <section class="card" aria-labelledby="reach-title">
      <div class="card-head">
        <h2 id="reach-title">{messages.title}</h2>
        <button type="button" class="link-button" onClick={() => app.set({ reachFrom: null })}>
          {messages.clear}
        </button>
      </div>
      {reach === null ? (
        <Skeleton text={messages.loading} />
      ) : (
        <ul class="legend">
          {reachMinutes.map((many, i) => (
            <li key={many} class={`legend-reach legend-reach-${i}`}>
              {messages.minutes(many)}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
