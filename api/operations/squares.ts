import { type OperationsAnswer, operationsMax } from '#schemas/http/operations.js';
import type { LatLng } from '#schemas/units.js';

type Bounds = readonly [west: number, south: number, east: number, north: number];
type Squares = Pick<OperationsAnswer['load'], 'bounds' | 'zoom' | 'squares' | 'elsewhere'>;

const zoomMost = 17;

/** Position in the world from its north-western corner, 0 to 1 on both axes, in Web Mercator. */
export const worldX = (lng: number): number => (lng + 180) / 360;
export function worldY(lat: number): number {
  const sine = Math.sin((lat * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

/** The deepest zoom at which tiles over the bounds are few enough on both sides. */
function zoomOf([west, south, east, north]: Bounds): number {
  const across = (zoom: number, from: number, to: number): number =>
    Math.floor(to * 2 ** zoom) - Math.floor(from * 2 ** zoom) + 1;
  for (let zoom = zoomMost; zoom > 0; zoom--) {
    const columns = across(zoom, worldX(west), worldX(east));
    const rows = across(zoom, worldY(north), worldY(south));
    if (Math.max(columns, rows) <= operationsMax.squaresAcross) return zoom;
  }
  return 0;
}

/** Counts places by tile of the map; those outside of the bounds are counted together. */
export function squaresOf(bounds: Bounds, places: Iterable<LatLng>): Squares {
  const [west, south, east, north] = bounds;
  const zoom = zoomOf(bounds);
  const side = 2 ** zoom;
  const counts = new Map<number, number>();
  let elsewhere = 0;
  for (const { lat, lng } of places) {
    if (!(lng >= west && lng <= east && lat >= south && lat <= north)) {
      elsewhere++;
      continue;
    }
    const square = Math.floor(worldY(lat) * side) * side + Math.floor(worldX(lng) * side);
    counts.set(square, (counts.get(square) ?? 0) + 1);
  }
  const squares = [...counts].map(([square, drivers]) => ({
    x: square % side,
    y: Math.floor(square / side),
    drivers,
  }));
  return { bounds: [...bounds], zoom, squares, elsewhere };
}
