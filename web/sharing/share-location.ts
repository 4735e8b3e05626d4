import { app, say } from '../app/state.js';
import { ask } from '../http/ask.js';
import { locationsPath } from '../http/paths.js';
import { withToken } from '../http/session.js';

type Point = readonly [lat: number, lng: number, timestamp: number, accuracy: number];

/** Points wait this long for company: one request is cheaper for a battery than many. */
const sendEveryMs = 15_000;
/** What can't be sent is kept up to this many points; then the oldest go. */
const keptMax = 500;

let watching: number | null = null;
let timer: ReturnType<typeof setInterval> | null = null;
let waiting: Point[] = [];

async function send(): Promise<void> {
  const locs = waiting;
  if (locs.length === 0) return;
  waiting = [];
  try {
    await withToken('customer', (token) => ask(locationsPath, { method: 'POST', token, body: { locs } }));
    app.set({ sharing: { on: true, sent: app.get().sharing.sent + locs.length } });
  } catch {
    waiting = [...locs, ...waiting].slice(-keptMax);
  }
}

/** Stops, and sends what is still waiting: the person agreed to it when it was taken. */
export function stopSharing(): void {
  if (watching !== null) navigator.geolocation.clearWatch(watching);
  if (timer !== null) clearInterval(timer);
  watching = timer = null;
  app.set({ sharing: { on: false, sent: app.get().sharing.sent } });
  void send().then(() => app.set({ sharing: { on: false, sent: app.get().sharing.sent } }));
}

/** Asks the browser for the position, as the person has just agreed, and sends it in batches until stopped. */
export function startSharing(): void {
  if (!('geolocation' in navigator)) {
    say('This browser knows no position.', 'bad');
    return;
  }
  app.set({ sharing: { on: true, sent: 0 } });
  watching = navigator.geolocation.watchPosition(
    ({ coords, timestamp }) => {
      waiting.push([coords.latitude, coords.longitude, Math.round(timestamp), coords.accuracy]);
      if (waiting.length > keptMax) waiting.shift();
    },
    (error) => {
      say(
        error.code === error.PERMISSION_DENIED
          ? 'The browser was not allowed to tell the position.'
          : 'No position was found.',
        'bad',
      );
      stopSharing();
    },
    { enableHighAccuracy: true, maximumAge: 5_000 },
  );
  timer = setInterval(() => void send(), sendEveryMs);
}
