import type { NavAnswer } from '#schemas/http/nav.js';
import type { LatLng } from '#schemas/units.js';
import { decodeLine, lengthM, metresBetween, placeFrom, placesAlong } from './drive.js';

/** Two places in Malta several kilometres apart, with several routes between them. */
export const origin = { lat: 35.911, lng: 14.502 };
export const destination = { lat: 35.878, lng: 14.472 };

type Nav = (from: LatLng, to: LatLng) => Promise<NavAnswer>;

/**
 * A drive along the line of the route to a step in its middle half, and there onto another road than that of
 * the line.
 */
export async function turningAway(nav: Nav, line: readonly LatLng[]): Promise<readonly LatLng[]> {
  const total = lengthM(line);
  const answer = await nav(origin, destination);
  let along = 0;
  for (const step of answer.routes[0]!.legs[0]!.steps) {
    const way = along > total * 0.3 && along < total * 0.8 ? await aside(along) : undefined;
    if (way !== undefined) return way;
    along += step.distance.value;
  }
  throw new Error('the route has no turn that a driver can ignore');

  async function aside(turnAtM: number): Promise<readonly LatLng[] | undefined> {
    const [start, turn] = placesAlong(line, turnAtM - 400, turnAtM, 400);
    const ahead = placesAlong(line, turnAtM, turnAtM + 500, 10);
    for (let degrees = 0; degrees < 360; degrees += 30) {
      const goal = placeFrom(turn!, degrees, 1_000);
      const { status, polyline } = await nav(start!, goal);
      if (status !== 'OK') continue;
      const way = decodeLine(polyline!.points);
      const [before, after] = placesAlong(way, 380, 700, 320);
      const follows = metresBetween(before!, placesAlong(line, turnAtM - 20, turnAtM, 20)[0]!) < 10;
      if (follows && ahead.every((place) => metresBetween(place, after!) > 60))
        return placesAlong(way, 0, 1_000, 10);
    }
    return undefined;
  }
}
