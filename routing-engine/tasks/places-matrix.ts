import type { TravelMatrix } from '../matrix/matrix-search.js';
import { type MatrixPlace, travelMatrix } from '../matrix/travel-matrix.js';
import type { RoadNetwork } from '../network/road-network.js';
import type { Snap } from '../snap/snap.js';
import type { AskedPlaces } from './asked-places.js';

export interface PlacesShape {
  /** Numbers of stops. */
  readonly sources: readonly number[];
  readonly destinations: readonly number[];
  readonly withMetres?: boolean;
}

/** Between places of stops, as routes between two of them: `trimEnds` counts only without a heading. */
export function placesMatrix(
  network: RoadNetwork,
  { metric, stops, avoid }: AskedPlaces,
  places: Readonly<Record<'from' | 'to', readonly (readonly Snap[])[]>>,
  { sources, destinations, withMetres = false }: PlacesShape,
): TravelMatrix {
  const place =
    (end: 'from' | 'to') =>
    (stop: number): MatrixPlace => ({
      ends: places[end][stop],
      trims: stops[stop].heading === undefined,
    });
  const query = { from: sources.map(place('from')), to: destinations.map(place('to')), avoid, withMetres };
  return travelMatrix(network, metric, query);
}
