import { arrivalText, distanceText, durationText } from '../format/format.js';
import { type NavigationState, stopWhenOver, type Trip } from '../state/navigation-state.js';
import { app } from '../state/state.js';
import { usePart } from '../state/use-part.js';
import { Icon } from '../ui/icon.js';
import { Warnings } from '../ui/warnings.js';
import * as messages from './messages.js';
import { stopNavigation } from './navigation-stream.js';

function connectionText(phase: NavigationState['phase']): string {
  switch (phase) {
    case 'connecting':
    case 'starting':
      return messages.connecting;
    case 'waiting':
      return messages.connectionLost;
    case 'resuming':
    case 'driving':
    case 'idle':
    case 'arrived':
    case 'failed':
      return '';
  }
}

function Remaining({ trip }: { trip: Trip }) {
  const drivenM = usePart((state) => state.drivenM);
  if (trip.route === null) return null;
  const share = trip.route.distance_m > 0 ? Math.max(0, 1 - drivenM / trip.route.distance_m) : 0;
  const seconds = trip.route.duration_s * share;
  return (
    <>
      <p class="headline">
        <strong>{durationText(seconds)}</strong>
        <span>
          {messages.remaining(distanceText(trip.route.distance_m * share), arrivalText(seconds, new Date()))}
        </span>
      </p>
      <progress max={1} value={1 - share} aria-label={messages.progress} />
    </>
  );
}

/** Replaces the planner while a navigation runs. */
export function NavigationCard({ state }: { state: Exclude<NavigationState, { phase: 'idle' }> }) {
  const following = usePart((now) => now.following);
  if (state.phase === 'failed' || state.phase === 'arrived') {
    return (
      <section class="card" aria-label={messages.navigation} aria-live="polite">
        <p class={state.phase === 'failed' ? 'bad' : 'headline'}>
          {state.phase === 'failed' ? state.detail : <strong>{messages.arrived}</strong>}
        </p>
        {state.phase === 'arrived' && <Warnings texts={state.trip.warnings} />}
        <button
          type="button"
          class="main-button"
          onClick={() => app.set({ navigation: stopWhenOver(app.get().navigation) })}
        >
          {messages.done}
        </button>
      </section>
    );
  }
  const { trip } = state;
  const connection = connectionText(state.phase);
  return (
    <section class="card" aria-label={messages.navigation}>
      {trip.unreachable === null && <Remaining trip={trip} />}
      {trip.unreachable !== null && (
        <p class="bad" role="alert" data-testid="unreachable">
          {messages.unreachable(trip.unreachable)}
        </p>
      )}
      <Warnings texts={trip.warnings} />
      <p class="muted" aria-live="polite">
        {connection}
      </p>
      {trip.reroutes > 0 && trip.reroute !== null && (
        <p class="muted">
          {messages.rerouted(trip.reroutes, Math.round(trip.reroute.causeToPushMs), trip.reroute.reason)}
        </p>
      )}
      <div class="button-row">
        <button type="button" class="main-button quiet" onClick={stopNavigation}>
          <Icon name="close" /> {messages.end}
        </button>
        <button
          type="button"
          class="main-button quiet"
          aria-pressed={following}
          onClick={() => app.set({ following: !following })}
        >
          <Icon name="locate" /> {messages.follow}
        </button>
      </div>
    </section>
  );
}
