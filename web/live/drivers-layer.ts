import type { Map as MapLibre } from 'maplibre-gl';
import type { FleetAnswer } from '#schemas/http/map.js';
import { ask, RequestFailed } from '../http/ask.js';
import { fleetPath } from '../http/paths.js';
import { poll } from '../http/poll.js';
import { currentPalette } from '../map/theme.js';
import { operator } from '../sign-in/askers.js';
import { howToSignIn } from '../sign-in/method.js';
import { withToken } from '../sign-in/session.js';
import { say } from '../state/state.js';
import { type DriversCanvas, openDriversCanvas } from './drivers-canvas.js';
import { createGlide, type Fix } from './glide.js';
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

/** Guests need no drivers: where people sign in, the panel says what for. */
async function explain(isDenied: boolean, stop: () => void): Promise<void> {
  const { provider } = await howToSignIn();
  if (provider === null) say(noDemoTokens);
  else if (isDenied) stop();
}

/** Requests the fleet each second and draws it gliding in between. */
export function drawDrivers(map: MapLibre): Pick<DriversCanvas, 'repaint'> {
  const glide = createGlide();
  const canvas = openDriversCanvas(map, currentPalette());
  let explained = false;

  const stop = poll(
    1_000,
    async () => {
      const fleet = await withToken(operator, (token) =>
        ask<FleetAnswer>(`${fleetPath}?limit=${driversMax}`, { token }),
      );
      glide.update((fleet?.drivers ?? []).map(toFix), performance.now());
      canvas.load(glide.tracks());
    },
    (cause) => {
      const refused = cause instanceof RequestFailed && [401, 403, 404].includes(cause.status);
      if (!refused || explained) return;
      explained = true;
      void explain(cause.status === 403, stop);
    },
  );

  let settled = false;
  let drawnAt = 0;
  const frame = (now: number) => {
    requestAnimationFrame(frame);
    if (now - drawnAt < drawEveryMs) return;
    const moving = glide.moving(now);
    if (!moving && settled) return;
    settled = !moving;
    drawnAt = now;
    canvas.show(now);
  };
  requestAnimationFrame(frame);
  return canvas;
}
