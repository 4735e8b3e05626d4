import type { Position } from '#schemas/http/shapes.js';
import type { LngLat } from '../geometry/line.js';
import { latAt, lngAt, worldX, worldY } from '../geometry/mercator.js';
import type { Box } from '../map/start-view.js';
import type { Camera } from '../state/state.js';

export const tilePx = 256;
/** Nothing on a picture that cannot be turned needs more. */
export const zoomMax = 19;
/** The first view is no closer, so that what is around it is seen. */
const fitZoomMax = 16;

/** Pixels of the whole world in Web Mercator (EPSG:3857), from its north-western corner. */
export interface Pixel {
  readonly x: number;
  readonly y: number;
}

const worldPx = (zoom: number): number => tilePx * 2 ** zoom;

export const pixelOf = ([lng, lat]: LngLat, zoom: number): Pixel => ({
  x: worldX(lng) * worldPx(zoom),
  y: worldY(lat) * worldPx(zoom),
});

export const positionAt = ({ x, y }: Pixel, zoom: number): Position => ({
  lng: lngAt(x / worldPx(zoom)),
  lat: latAt(y / worldPx(zoom)),
});

export interface Free {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

/** The whole zoom level and the middle at which a box is in the part of the picture that nothing covers. */
export function cameraFor(
  [west, south, east, north]: Box,
  width: number,
  height: number,
  free: Free,
): Camera {
  const across = Math.max(1, width - free.left - free.right);
  const down = Math.max(1, height - free.top - free.bottom);
  let zoom = fitZoomMax;
  for (; zoom > 0; zoom -= 1) {
    const [from, to] = [pixelOf([west, north], zoom), pixelOf([east, south], zoom)];
    if (to.x - from.x <= across && to.y - from.y <= down) break;
  }
  const [from, to] = [pixelOf([west, north], zoom), pixelOf([east, south], zoom)];
  const middle = {
    x: (from.x + to.x) / 2 - (free.left - free.right) / 2,
    y: (from.y + to.y) / 2 - (free.top - free.bottom) / 2,
  };
  return { ...positionAt(middle, zoom), zoom };
}

/** Undefined without points. */
export function boxOf(points: readonly LngLat[]): Box | undefined {
  if (points.length === 0) return undefined;
  let [west, south, east, north] = [180, 90, -180, -90];
  for (const [lng, lat] of points) {
    [west, east] = [Math.min(west, lng), Math.max(east, lng)];
    [south, north] = [Math.min(south, lat), Math.max(north, lat)];
  }
  return [west, south, east, north];
}

export interface PlacedTile {
  /** `z/x/y`. */
  readonly name: string;
  /** In the picture. */
  readonly left: number;
  readonly top: number;
}

/** The tiles of a picture whose north-western corner is `corner`; none beyond the poles. */
export function tilesOf(corner: Pixel, width: number, height: number, zoom: number): readonly PlacedTile[] {
  const across = 2 ** zoom;
  const tiles: PlacedTile[] = [];
  for (let y = Math.floor(corner.y / tilePx); y * tilePx < corner.y + height; y += 1) {
    if (y < 0 || y >= across) continue;
    for (let x = Math.floor(corner.x / tilePx); x * tilePx < corner.x + width; x += 1) {
      const column = ((x % across) + across) % across;
      tiles.push({
        name: `${zoom}/${column}/${y}`,
        left: x * tilePx - corner.x,
        top: y * tilePx - corner.y,
      });
    }
  }
  return tiles;
}
