import KDBush from 'kdbush';
import { metersPerDegree, metersPerLngDegree } from '#routing-engine/network/earth.js';
import type { Place } from '../gazetteer/gazetteer.js';
import { reachKmOf } from './extract-places.js';

/** Sides of the squares that share settlements, 1e-7 degrees, and the search radius around one. */
const squareE7 = 200_000;
const aroundLngE7 = 5e6;
const aroundLatE7 = 3e6;

/** The settlements that can be the best somewhere in a square, on a flat projection. */
interface Square {
  readonly places: readonly Place[];
  /** Kilometres from the middle of the square, and the reach of each name. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly reachKm: Float64Array;
  readonly kmPerLng: number;
}

const kmPerLat = metersPerDegree / 1e10;

/**
 * The settlement that a place belongs to by distance: near ones before far ones, and large ones reach
 * farther. Of two equal ones, the first wins.
 */
export function settlementFinder(
  settlements: readonly Place[],
): (lngE7: number, latE7: number) => Place | undefined {
  if (settlements.length === 0) return () => undefined;
  const index = new KDBush(settlements.length, 64, Int32Array);
  for (const { lngE7, latE7 } of settlements) index.add(lngE7, latE7);
  index.finish();
  const squares = new Map<number, Square>();
  return (lngE7, latE7) => {
    const column = Math.floor(lngE7 / squareE7);
    const row = Math.floor(latE7 / squareE7);
    const lng = (column + 0.5) * squareE7;
    const lat = (row + 0.5) * squareE7;
    let square = squares.get(column * 0x4000 + row);
    if (square === undefined) {
      square = squareAround(index, settlements, lng, lat);
      squares.set(column * 0x4000 + row, square);
    }
    return bestOf(square, (lngE7 - lng) * square.kmPerLng, (latE7 - lat) * kmPerLat);
  };
}

function bestOf({ places, x, y, reachKm }: Square, east: number, north: number): Place | undefined {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < places.length; i++) {
    const score = Math.sqrt((x[i] - east) ** 2 + (y[i] - north) ** 2) / reachKm[i];
    if (score < least) {
      least = score;
      best = i;
    }
  }
  return places[best];
}

function squareAround(index: KDBush, settlements: readonly Place[], lng: number, lat: number): Square {
  const kmPerLng = metersPerLngDegree(lat / 1e7) / 1e10;
  const halfKm = Math.sqrt(((squareE7 / 2) * kmPerLng) ** 2 + ((squareE7 / 2) * kmPerLat) ** 2);
  const around = Uint32Array.from(
    index.range(lng - aroundLngE7, lat - aroundLatE7, lng + aroundLngE7, lat + aroundLatE7),
  ).sort();
  const x = new Float64Array(around.length);
  const y = new Float64Array(around.length);
  const km = new Float64Array(around.length);
  const reachKm = new Float64Array(around.length);
  let bound = Number.POSITIVE_INFINITY;
  for (let i = 0; i < around.length; i++) {
    const place = settlements[around[i]!]!;
    x[i] = (place.lngE7 - lng) * kmPerLng;
    y[i] = (place.latE7 - lat) * kmPerLat;
    km[i] = Math.sqrt(x[i]! ** 2 + y[i]! ** 2);
    reachKm[i] = reachKmOf(place);
    bound = Math.min(bound, (km[i]! + halfKm) / reachKm[i]!);
  }
  // Rounding must not exclude the best one at the edge of the square.
  const near: number[] = [];
  for (let i = 0; i < around.length; i++) if ((km[i]! - 1.001 * halfKm) / reachKm[i]! <= bound) near.push(i);
  return {
    places: near.map((i) => settlements[around[i]!]!),
    x: Float64Array.from(near, (i) => x[i]!),
    y: Float64Array.from(near, (i) => y[i]!),
    reachKm: Float64Array.from(near, (i) => reachKm[i]!),
    kmPerLng,
  };
}
