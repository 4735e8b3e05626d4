import { startNavigation } from '../navigation/navigation-stream.js';
import { app } from '../state/state.js';
import { usePart } from '../state/use-part.js';
import { Icon } from '../ui/icon.js';
import * as messages from './messages.js';
import { PlaceField } from './place-field.js';
import { clearRoute } from './plan-route.js';
import { RouteResult } from './route-result.js';
import { TravelOptions } from './travel-options.js';

function navigate(): void {
  const { start, end } = app.get();
  if (start === null || end === null) return;
  app.set({ following: true, drivenM: 0 });
  // The frame contains coordinates only.
  startNavigation({ lat: start.lat, lng: start.lng }, { lat: end.lat, lng: end.lng });
}

function hint(hasStart: boolean): string {
  return hasStart ? messages.setEnd : messages.setStart;
}

export function RouteCard() {
  const start = usePart((state) => state.start);
  const end = usePart((state) => state.end);
  const plan = usePart((state) => state.plan);
  const mode = usePart((state) => state.mode);
  return (
    <section class="card" aria-labelledby="route-title">
      <div class="card-head">
        <h2 id="route-title">{messages.route}</h2>
        {(start !== null || end !== null) && (
          <button type="button" class="link-button" onClick={clearRoute}>
            {messages.clear}
          </button>
        )}
      </div>
      <div class="places">
        <PlaceField which="start" place={start} onPlace={(place) => app.set({ start: place })} />
        <PlaceField which="end" place={end} onPlace={(place) => app.set({ end: place })} />
        <button
          type="button"
          class="icon-button places-swap"
          aria-label={messages.swap}
          disabled={start === null && end === null}
          onClick={() => app.set({ start: end, end: start })}
        >
          <Icon name="swap" />
        </button>
      </div>
      <TravelOptions />
      <div aria-live="polite">
        {plan.kind === 'empty' && <p class="muted">{hint(start !== null)}</p>}
        {plan.kind === 'asking' && <p class="muted">{messages.searching}</p>}
        {plan.kind === 'failed' && <p class="bad">{plan.reason}</p>}
      </div>
      {plan.kind === 'found' && (
        <RouteResult answer={plan.answer} chosen={plan.chosen}>
          {mode === 'driving' && (
            <button type="button" class="main-button" onClick={navigate}>
              <Icon name="play" /> {messages.navigate}
            </button>
          )}
        </RouteResult>
      )}
    </section>
  );
}
