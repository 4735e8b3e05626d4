import { createLocationClient, type LocationClient } from '#location-client/location-client.js';
import { demoToken, forgetToken } from '../http/session.js';
import { app, type Sharing, say } from '../state/state.js';
import * as messages from './messages.js';

/** Positions nearer in time than this count as one, so that a batch is not full of the same moment. */
const fixEveryMs = 1_000;

interface Share {
  readonly client: LocationClient;
  readonly watch: number;
  taken: number;
}
let share: Share | null = null;

const show = (part: Partial<Sharing>): void => app.set({ sharing: { ...app.get().sharing, ...part } });

/** The client follows the server's send interval, batches, and retries by itself. */
function newClient(): LocationClient {
  const client = createLocationClient({
    url: location.origin,
    token: () => demoToken('customer'),
    async fetch(input, init) {
      const answer = await fetch(input, init);
      if (answer.status === 401) forgetToken('customer');
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
  const { client, watch, taken } = share;
  navigator.geolocation.clearWatch(watch);
  document.removeEventListener('visibilitychange', onHidden);
  share = null;
  show({ on: false });
  void client.flush().then(() => share === null && show({ sent: taken - client.waiting }));
}

/**
 * Requests the position from the browser, after the person has agreed, and sends it in batches until stopped.
 */
export function startSharing(): void {
  if (!('geolocation' in navigator)) {
    say(messages.unsupported, 'bad');
    return;
  }
  const client = newClient();
  let lastMs = Number.NEGATIVE_INFINITY;
  const watch = navigator.geolocation.watchPosition(
    ({ coords: { latitude: lat, longitude: lng, accuracy, speed, heading }, timestamp }) => {
      if (share === null || timestamp - lastMs < fixEveryMs) return;
      lastMs = timestamp;
      share.taken += 1;
      client.add({
        ...{ lat, lng, timestamp: Math.round(timestamp), accuracy },
        ...(speed === null ? {} : { speed }),
        // A stationary device reports NaN.
        ...(heading === null || Number.isNaN(heading) ? {} : { heading }),
      });
      // The first batch shows immediately that sharing works, and gets the server's send interval.
      if (share.taken === 1) void client.flush();
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
  share = { client, watch, taken: 0 };
  document.addEventListener('visibilitychange', onHidden);
  show({ on: true, sent: 0, everyS: null });
}
