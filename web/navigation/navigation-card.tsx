import { arrivalText, distanceText, durationText, speedText } from '../format/format.js';
import type { NavigationState, Trip } from '../state/navigation-state.js';
import { app } from '../state/state.js';
import { usePart } from '../state/use-part.js';
import { StepList } from '../steps/step-list.js';
import { Icon } from '../ui/icon.js';
import { Warnings } from '../ui/warnings.js';
import { ArrivalCard } from './arrival-card.js';
import { DoneButton } from './done-button.js';
import { nextManeuver } from './guidance.js';
import { ManeuverCard } from './maneuver-card.js';
import * as messages from './messages.js';
import { stopNavigation } from './navigation-stream.js';
import { canSpeak } from './voice.js';

function connectionText(phase: NavigationState['phase'], online: boolean): string {
  switch (phase) {
    case 'connecting':
    case 'starting':
    case 'waiting':
      if (!online) return messages.offline;
      return phase === 'waiting' ? messages.connectionLost : messages.connecting;
    case 'resuming':
    case 'driving':
      return online ? '' : messages.offline;
    case 'idle':
    case 'arrived':
    case 'failed':
      return '';
  }
}

function Remaining({ trip }: { trip: Trip }) {
  const drivenM = usePart((state) => state.drivenM);
  const units = usePart((state) => state.units);
  const speedMps = usePart((state) => state.speedMps);
  if (trip.route === null) return null;
  const share = trip.route.distance_m > 0 ? Math.max(0, 1 - drivenM / trip.route.distance_m) : 0;
  const seconds = trip.route.duration_s * share;
  return (
    <>
      <p class="headline">
        <strong>{durationText(seconds)}</strong>
        <span>
          {messages.remaining(
            distanceText(trip.route.distance_m * share, units),
            arrivalText(seconds, new Date()),
          )}
        </span>
      </p>
      <div class="travelled">
        <progress max={1} value={1 - share} aria-label={messages.progress} />
        {speedMps > 0 && (
          <span class="speed" title={messages.speed}>
            <span class="unseen">{messages.speed} </span>
            {speedText(speedMps, units)}
          </span>
        )}
      </div>
    </>
  );
}

/** The maneuvers that are still ahead; opened, it follows the drive. */
function StepsAhead({ lengthM }: { lengthM: number }) {
  const guidance = usePart((state) => state.guidance);
  const drivenM = usePart((state) => state.drivenM);
  if (guidance === null) return null;
  const { at } = nextManeuver(guidance, drivenM, lengthM);
  const ahead = guidance.steps.slice(at);
  if (ahead.length === 0) return null;
  return (
    <details class="turns">
      <summary>{messages.allSteps(ahead.length)}</summary>
      <StepList steps={ahead} before={guidance.steps[at - 1]} />
    </details>
  );
}

function Failed({ detail }: { detail: string }) {
  return (
    <section class="card" aria-label={messages.navigation} aria-live="polite">
      <p class="bad">{detail}</p>
      <DoneButton />
    </section>
  );
}

function VoiceButton() {
  const voice = usePart((now) => now.voice);
  if (!canSpeak()) return null;
  return (
    <button
      type="button"
      class="main-button quiet"
      aria-pressed={!voice}
      onClick={() => app.set({ voice: !voice })}
    >
      <Icon name={voice ? 'voice' : 'muted'} /> {voice ? messages.mute : messages.unmute}
    </button>
  );
}

/** Replaces the planner while a navigation runs. */
export function NavigationCard({ state }: { state: Exclude<NavigationState, { phase: 'idle' }> }) {
  const following = usePart((now) => now.following);
  const online = usePart((now) => now.online);
  const later = usePart((now) => now.laterStops.length);
  if (state.phase === 'failed') return <Failed detail={state.detail} />;
  if (state.phase === 'arrived') return <ArrivalCard trip={state.trip} />;
  const { trip } = state;
  const connection = connectionText(state.phase, online);
  return (
    <section class="card" aria-label={messages.navigation}>
      {trip.unreachable === null && trip.route !== null && <ManeuverCard lengthM={trip.route.distance_m} />}
      {trip.unreachable === null && <Remaining trip={trip} />}
      {trip.unreachable !== null && (
        <p class="bad" role="alert" data-testid="unreachable">
          {messages.unreachable(trip.unreachable)}
        </p>
      )}
      <Warnings texts={trip.warnings} />
      {later > 0 && <p class="muted">{messages.nextStop(later)}</p>}
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
        <VoiceButton />
      </div>
      {trip.route !== null && <StepsAhead lengthM={trip.route.distance_m} />}
    </section>
  );
}
