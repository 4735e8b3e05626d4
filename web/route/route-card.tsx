import { startNavigation } from '../navigation/navigation-stream.js';
import { shownRoute } from '../state/plan-parts.js';
import { app } from '../state/state.js';
import { usePart } from '../state/use-part.js';
import { Icon } from '../ui/icon.js';
import { Skeleton } from '../ui/skeleton.js';
import * as messages from './messages.js';
import { startHere } from './my-location.js';
import { clearRoute, planAgain } from './plan-route.js';
import { pointsOfChoice } from './points-of-choice.js';
import { RouteResult } from './route-result.js';
import { StopList } from './stop-list.js';
import { appendStop, hasRoom, setStops, stopsOf } from './stops.js';
import { TravelOptions } from './travel-options.js';

function navigate(): void {
  const state = app.get();
  const { start, via, end, avoid, plan } = state;
  if (start === null || end === null) return;
  const [next, ...laterStops] = [...via, end];
  app.set({ following: true, drivenM: 0, laterStops });
  // The frame contains coordinates only.
  const along = plan.kind === 'found' ? pointsOfChoice(plan.answer.routes, shownRoute(state)) : [];
  startNavigation({ lat: start.lat, lng: start.lng }, { lat: next.lat, lng: next.lng }, avoid, along);
}

function hint(hasStart: boolean): string {
  return hasStart ? messages.setEnd : messages.setStart;
}

export function RouteCard() {
  const start = usePart((state) => state.start);
  const end = usePart((state) => state.end);
  const plan = usePart((state) => state.plan);
  const chosen = usePart(shownRoute);
  const mode = usePart((state) => state.mode);
  const mayAdd = usePart(hasRoom);
  const when = usePart((state) => state.when);
  const online = usePart((state) => state.online);
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
      <StopList />
      <div class="place-buttons">
        <button type="button" class="link-button" onClick={startHere}>
          <Icon name="locate" /> {messages.myLocation}
        </button>
        {start !== null && end !== null && mayAdd && (
          <button type="button" class="link-button" onClick={appendStop}>
            <Icon name="plus" /> {messages.addStop}
          </button>
        )}
        <button
          type="button"
          class="icon-button places-swap"
          aria-label={messages.swap}
          disabled={start === null && end === null}
          onClick={() => setStops(stopsOf().toReversed())}
        >
          <Icon name="swap" />
        </button>
      </div>
      <TravelOptions />
      <div aria-live="polite">
        {plan.kind === 'empty' && <p class="muted">{hint(start !== null)}</p>}
        {plan.kind === 'asking' && <Skeleton text={messages.searching} />}
        {plan.kind === 'failed' && <p class="bad">{plan.reason}</p>}
        {plan.kind === 'failed' && plan.mayPass && (
          <button type="button" class="link-button" onClick={planAgain}>
            {messages.retry}
          </button>
        )}
      </div>
      {plan.kind === 'found' && (
        <RouteResult answer={plan.answer} chosen={chosen}>
          {mode === 'driving' && when.kind === 'now' && online && (
            <button type="button" class="main-button" onClick={navigate}>
              <Icon name="play" /> {messages.navigate}
            </button>
          )}
        </RouteResult>
      )}
    </section>
  );
}
