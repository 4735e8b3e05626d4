import type { RouteBody } from '#schemas/nav-stream.js';
import { type LngLat, type MeasuredLine, measure, nearestAlong, placeAlong } from '../geometry/line.js';
import { decodePolyline } from '../geometry/polyline.js';
import { liveTrip } from '../state/navigation-state.js';
import { app } from '../state/state.js';
import { arrive, sendPosition, startNavigation } from './navigation-stream.js';

/**
 * Drives the demo user along the route at the speed that the route expects, and keeps their position when a
 * reroute changes the line. Pure: the clock is passed in.
 */
export function createTravel() {
  let line: MeasuredLine = measure([]);
  let speedMps = 0;
  let drivenM = 0;
  let at = 0;

  return {
    /** Sets the route and continues from its point nearest to the driver. */
    follow(route: RouteBody, now: number): void {
      const points = decodePolyline(route.polyline);
      const here: LngLat | null = line.points.length > 1 ? placeAlong(line, drivenM).at : null;
      line = measure(points);
      speedMps = route.duration_s > 0 ? route.distance_m / route.duration_s : 10;
      drivenM = here === null ? 0 : nearestAlong(line, here);
      at = now;
    },
    /** Clears the line, so that the next one is driven from its start. */
    clear(): void {
      line = measure([]);
      drivenM = 0;
    },
    advance(now: number): { drivenM: number; lengthM: number; at: LngLat; headingDeg: number } | null {
      if (line.points.length < 2) return null;
      drivenM = Math.min(line.lengthM, drivenM + (speedMps * Math.max(0, now - at)) / 1000);
      at = now;
      const place = placeAlong(line, drivenM);
      return { drivenM, lengthM: line.lengthM, at: place.at, headingDeg: place.headingDeg };
    },
    line: () => line,
    speedMps: () => speedMps,
  };
}

export type Travel = ReturnType<typeof createTravel>;

/**
 * Runs `travel` for the trip of the page: follows each new route, reports a position each second, arrives.
 */
export function runTravel(travel: Travel): void {
  app.watch(
    (state) => liveTrip(state.navigation)?.route ?? null,
    (route) => {
      if (route === null) travel.clear();
      else travel.follow(route, Date.now());
    },
  );
  setInterval(() => {
    const trip = liveTrip(app.get().navigation);
    if (trip?.route == null) return;
    const place = travel.advance(Date.now());
    if (place === null) return;
    app.set({ drivenM: place.drivenM, speedMps: travel.speedMps() });
    const here = { lat: place.at[1], lng: place.at[0] };
    if (place.drivenM < place.lengthM) return sendPosition(here);
    const [next, ...laterStops] = app.get().laterStops;
    if (next === undefined) return arrive();
    app.set({ laterStops, drivenM: 0 });
    startNavigation(here, { lat: next.lat, lng: next.lng }, app.get().avoid);
  }, 1_000);
}
