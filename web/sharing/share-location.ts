import { createLocationClient, type LocationClient } from '#location-client/location-client.js';
import { RequestFailed } from '../http/ask.js';
import { traveller } from '../sign-in/askers.js';
import { refuseToken, tokenOf } from '../sign-in/session.js';
import { app, type Sharing, say } from '../state/state.js';
import * as messages from './messages.js';

/** At most one position is taken in this time, so that a batch is not full of the same moment. */
const fixEveryMs = 1_000;

interface Share {
  readonly client: LocationClient;
  readonly watch: number;
  taken: number;
  /** Time of the last position taken, by the device's clock. */
  lastMs: number;
  /** Takes a position that came too soon, unless a newer one replaces it. */
  later?: ReturnType<typeof setTimeout>;
}
let share: Share | null = null;

const show = (part: Partial<Sharing>): void => app.set({ sharing: { ...app.get().sharing, ...part } });

/** The client follows the server's send interval, batches, and retries by itself. */
function newClient(): LocationClient {
  let token = '';
  const client = createLocationClient({
    url: location.origin,
    async token() {
      token = await tokenOf(traveller);
      return token;
    },
    async fetch(input, init) {
      const answer = await fetch(input, init);
      if (answer.status === 401) refuseToken(traveller, token);
      return answer;
    },
    onSampling(everyS) {
      if (share?.client === client) show({ everyS, sent: share.taken - client.waiting });
    },
    onRefused: (reason) => say(messages.refused(reason), 'bad'),
  });
  return client;
}

/** Waiting points are sent when the user leaves the page, because it may not be opened again. */
const onHidden = (): void => {
  if (document.visibilityState === 'hidden') void share?.client.flush();
};

/** Stops, and sends waiting points: the user had agreed when they were recorded. */
export function stopSharing(): void {
  if (share === null) return;
  const { client, watch, taken, later } = share;
  navigator.geolocation.clearWatch(watch);
  clearTimeout(later);
  document.removeEventListener('visibilitychange', onHidden);
  share = null;
  show({ on: false });
  void client.flush().then(() => share === null && show({ sent: taken - client.waiting }));
}

function take({ coords, timestamp }: GeolocationPosition): void {
  if (share === null) return;
  const { latitude: lat, longitude: lng, accuracy, speed, heading } = coords;
  share.taken += 1;
  share.lastMs = timestamp;
  share.client.add({
    ...{ lat, lng, timestamp: Math.round(timestamp), accuracy },
    ...(speed === null ? {} : { speed }),
    // A stationary device reports NaN.
    ...(heading === null || Number.isNaN(heading) ? {} : { heading }),
  });
  // The first batch shows immediately that sharing works, and gets the server's send interval.
  if (share.taken === 1) void share.client.flush();
}

/**
 * Requests the position from the browser, after the person has agreed, and sends it in batches until stopped.
 */
export async function startSharing(): Promise<void> {
  if (!('geolocation' in navigator)) {
    say(messages.unsupported, 'bad');
    return;
  }
  try {
    await tokenOf(traveller);
  } catch (cause) {
    // Nothing is taken from the device of somebody who must sign in first.
    if (cause instanceof RequestFailed && cause.status === 401) {
      say(cause.message, 'bad');
      return;
    }
  }
  // A second click meanwhile.
  if (share !== null) return;
  const client = newClient();
  const watch = navigator.geolocation.watchPosition(
    (position) => {
      if (share === null) return;
      clearTimeout(share.later);
      // Not dropped if too soon: where a device stops is its last position, and none follows it.
      const waitMs = share.lastMs + fixEveryMs - position.timestamp;
      if (waitMs <= 0) take(position);
      else share.later = setTimeout(take, Math.min(waitMs, fixEveryMs), position);
    },
    (error) => {
      // A tunnel ends, but a refused permission does not return by itself.
      if (error.code !== error.PERMISSION_DENIED) {
        if (share?.taken === 0) say(messages.noPosition, 'bad');
        return;
      }
      say(messages.denied, 'bad');
      stopSharing();
    },
    { enableHighAccuracy: true, maximumAge: 5_000 },
  );
  share = { client, watch, taken: 0, lastMs: Number.NEGATIVE_INFINITY };
  document.addEventListener('visibilitychange', onHidden);
  show({ on: true, sent: 0, everyS: null });
}
