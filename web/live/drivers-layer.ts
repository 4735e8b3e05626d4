import type { Map as MapLibre } from 'maplibre-gl';
import type { FleetAnswer } from '#schemas/http/map.js';
import { ask, RequestFailed } from '../http/ask.js';
import { fleetPath } from '../http/paths.js';
import { poll } from '../http/poll.js';
import { type OverlayFeature, show } from '../map/overlay.js';
import { operator } from '../sign-in/askers.js';
import { howToSignIn } from '../sign-in/method.js';
import { withToken } from '../sign-in/session.js';
import { say } from '../state/state.js';
import { createGlide, type Fix, type Shown } from './glide.js';
import { noDemoTokens } from './messages.js';

const drawEveryMs = 100;
const driversMax = 2_000;

function toFix(driver: FleetAnswer['drivers'][number]): Fix {
  return {
    id: driver.id,
    at: [driver.lng, driver.lat],
    headingDeg: driver.heading ?? 0,
    navigating: driver.navigating,
    timestamp: driver.timestamp,
  };
}

function toFeature(driver: Shown): OverlayFeature {
  return {
    type: 'Feature',
    geometry: { type: 'Point', coordinates: driver.at },
    properties: { id: driver.id, heading: driver.headingDeg, navigating: driver.navigating },
  };
}

/** Guests need no drivers: where people sign in, the panel says what for. */
async function explain(isDenied: boolean, stop: () => void): Promise<void> {
  const { provider } = await howToSignIn();
  if (provider === null) say(noDemoTokens);
  else if (isDenied) stop();
}

/** Requests the fleet each second and draws it gliding in between. */
export function drawDrivers(map: MapLibre): void {
  const glide = createGlide();
  let explained = false;

  const stop = poll(
    1_000,
    async () => {
      const fleet = await withToken(operator, (token) =>
        ask<FleetAnswer>(`${fleetPath}?limit=${driversMax}`, { token }),
      );
      glide.update((fleet?.drivers ?? []).map(toFix), performance.now());
    },
    (cause) => {
      const refused = cause instanceof RequestFailed && [401, 403, 404].includes(cause.status);
      if (!refused || explained) return;
      explained = true;
      void explain(cause.status === 403, stop);
    },
  );

  // The next positions go to the map only after it has drawn the last ones, so that a slow machine draws
  // fewer frames instead of queueing them.
  let drawn = true;
  let settled = false;
  let drawnAt = 0;
  map.on('render', () => {
    drawn = true;
  });
  const frame = (now: number) => {
    requestAnimationFrame(frame);
    if (!drawn || now - drawnAt < drawEveryMs) return;
    const moving = glide.moving(now);
    if (!moving && settled) return;
    settled = !moving;
    drawn = false;
    drawnAt = now;
    show(map, 'drivers', glide.at(now).map(toFeature));
  };
  requestAnimationFrame(frame);
}
