import type { RoadNetwork } from '../network/road-network.js';
import { findRoute } from '../route/find-route.js';
import type { Snap } from '../snap/snap.js';
import { type AskedPlaces, connectedPlaces } from './asked-places.js';

type Places = readonly (readonly Snap[])[];

/**
 * The places to try, in this order, if no route leads through the nearest of all stops: with ends moved of
 * the legs without a route, then with all ends moved, because no vehicle may turn round at a stop.
 */
export function* movedStops(network: RoadNetwork, asked: AskedPlaces, nearest: Places): Iterable<Places> {
  const { metric, avoid } = asked;
  const connected = nearest.map((each, at) => connectedPlaces(network, asked, each, at));
  if (connected.every((each, at) => each === nearest[at])) return;
  const places = [...nearest];
  const route = (from: readonly Snap[], to: readonly Snap[]) =>
    findRoute(network, metric, { from, to, avoid });
  for (let at = 1; at < places.length; at++) {
    const found = route(places[at - 1], places[at]);
    if (found.status === 'ok' || found.reason === 'avoided') continue;
    const from = { used: places[at - 1], connected: connected[at - 1] };
    const to = { used: places[at], connected: connected[at] };
    for (const moved of endsToMove(from, to)) {
      const ends = [moved.from ? from.connected : from.used, moved.to ? to.connected : to.used] as const;
      if (route(...ends).status !== 'ok') continue;
      [places[at - 1], places[at]] = ends;
      break;
    }
  }
  yield places;
  yield connected;
}

/** The places of a stop, and those of the largest connected part: the same where it is not moved. */
export interface MovableStop {
  readonly used: readonly Snap[];
  readonly connected: readonly Snap[];
}

/** Which ends of a leg are moved. */
export interface MovedEnds {
  readonly from: boolean;
  readonly to: boolean;
}

/** The ends to move where no route joins the places of two stops, first what moves them least. */
export function endsToMove(from: MovableStop, to: MovableStop): readonly MovedEnds[] {
  const canMove = ({ used, connected }: MovableStop): boolean => used !== connected;
  const metres = ({ used, connected }: MovableStop): number => connected[0].distanceM - used[0].distanceM;
  const both = canMove(from) && canMove(to);
  const one = [
    ...(canMove(from) ? [{ from: true, to: false, metres: metres(from) }] : []),
    ...(canMove(to) ? [{ from: false, to: true, metres: metres(to) }] : []),
  ];
  return [...one.sort((a, b) => a.metres - b.metres), ...(both ? [{ from: true, to: true }] : [])];
}
