import { addressOf } from '#map-tiles/format/tile-address.js';
import { latMax, tileAt } from '#map-tiles/format/web-mercator.js';
import type { TilesAnswer } from '#schemas/http/map-tiles.js';
import { tilesInAnswerMax } from '#schemas/http/map-tiles.js';
import * as messages from './messages.js';

/** West, south, east, north in degrees. */
export type View = readonly [number, number, number, number];

/** A sentence about what is wrong with a view, or the view. */
export function parseView(text: string): View | string {
  const parts = text.split(',');
  const numbers = parts.map((part) =>
    /^\s*[-+]?\d{1,3}(\.\d{1,20})?\s*$/.test(part) ? Number(part) : Number.NaN,
  );
  if (numbers.length !== 4 || numbers.some((number) => Number.isNaN(number))) return messages.bboxForm;
  const [west, south, east, north] = numbers as unknown as View;
  if (Math.abs(west) > 180 || Math.abs(east) > 180) return messages.bboxLongitude;
  if (Math.abs(south) > 90 || Math.abs(north) > 90) return messages.bboxLatitude;
  if (south > north) return messages.bboxUpsideDown;
  return [west, south, east, north];
}

/** The tiles of a view row by row; a sentence when there are too many. */
export function listTilesOf(
  [west, south, east, north]: View,
  zoom: number,
  base: string,
  mapId: string | undefined,
): TilesAnswer | string {
  const first = tileAt(Math.min(north, latMax), west, zoom);
  const last = tileAt(Math.max(south, -latMax), east, zoom);
  const side = 2 ** zoom;
  // Columns wrap around at the date line, at most once.
  const columns = west <= east ? last.x - first.x + 1 : Math.min(side, last.x - first.x + 1 + side);
  const rows = last.y - first.y + 1;
  if (columns * rows > tilesInAnswerMax) return messages.tooManyTiles(columns * rows, zoom, tilesInAnswerMax);
  const tiles: TilesAnswer['tiles'] = [];
  for (let y = first.y; y <= last.y; y++)
    for (let column = 0; column < columns; column++) {
      const tile = { z: zoom, x: (first.x + column) % side, y };
      const address = addressOf(tile);
      const url = `${base}/v1/tiles/${mapId === undefined ? '' : `${mapId}/`}${address}`;
      tiles.push({ address, ...tile, url: `${url}.mvt`, png_url: mapId === undefined ? null : `${url}.png` });
    }
  return { map: mapId ?? null, zoom, tiles };
}
