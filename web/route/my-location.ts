import { app, say } from '../state/state.js';
import * as messages from './messages.js';

const waitMs = 15_000;

/** Sets the start to where this device is, after the browser has asked the person. */
export function startHere(): void {
  if (!('geolocation' in navigator)) {
    say(messages.noLocation, 'bad');
    return;
  }
  navigator.geolocation.getCurrentPosition(
    ({ coords: { latitude: lat, longitude: lng } }) => app.set({ start: { lat, lng }, lookAt: [[lng, lat]] }),
    ({ code, PERMISSION_DENIED }) =>
      say(code === PERMISSION_DENIED ? messages.locationDenied : messages.locationUnknown, 'bad'),
    { enableHighAccuracy: true, timeout: waitMs, maximumAge: 10_000 },
  );
}
