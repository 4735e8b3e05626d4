import { Icon } from '../app/icon.js';
import { app } from '../app/state.js';
import { usePart } from '../app/use-part.js';
import { startNavigation } from '../navigation/navigation-stream.js';
import { PlaceField } from './place-field.js';
import { clearRoute } from './plan-route.js';
import { RouteResult } from './route-result.js';

function navigate(): void {
  const { start, end } = app.get();
  if (start === null || end === null) return;
  app.set({ following: true, drivenM: 0 });
  startNavigation(start, end);
}

function hint(hasStart: boolean): string {
  return hasStart ? 'Now click where you want to go.' : 'Click the map where you start.';
}

export function RouteCard() {
  const start = usePart((state) => state.start);
  const end = usePart((state) => state.end);
  const plan = usePart((state) => state.plan);
  return (
    <section class="card" aria-labelledby="route-title">
      <div class="card-head">
        <h2 id="route-title">Route</h2>
        {(start !== null || end !== null) && (
          <button type="button" class="link-button" onClick={clearRoute}>
            Clear
          </button>
        )}
      </div>
      <div class="places">
        <PlaceField label="Start" position={start} onPlace={(position) => app.set({ start: position })} />
        <PlaceField label="End" position={end} onPlace={(position) => app.set({ end: position })} />
        <button
          type="button"
          class="icon-button places-swap"
          aria-label="Swap start and end"
          disabled={start === null && end === null}
          onClick={() => app.set({ start: end, end: start })}
        >
          <Icon name="swap" />
        </button>
      </div>
      <div aria-live="polite">
        {plan.kind === 'empty' && <p class="muted">{hint(start !== null)}</p>}
        {plan.kind === 'asking' && <p class="muted">Searching the way…</p>}
        {plan.kind === 'failed' && <p class="bad">{plan.reason}</p>}
      </div>
      {plan.kind === 'found' && (
        <RouteResult answer={plan.answer} chosen={plan.chosen}>
          <button type="button" class="main-button" onClick={navigate}>
            <Icon name="play" /> Navigate
          </button>
        </RouteResult>
      )}
    </section>
  );
}
