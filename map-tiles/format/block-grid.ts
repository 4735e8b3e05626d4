import type { TileId } from './web-mercator.js';

/** Zooms `from`–`to` of everything below one tile of zoom `root` lie in one block. */
export interface Band {
  readonly root: number;
  readonly from: number;
  readonly to: number;
}

/** A block holds at most 1,365 tiles, some megabytes where a city is drawn. */
export const bands: readonly Band[] = [
  { root: 0, from: 0, to: 5 },
  { root: 6, from: 6, to: 9 },
  { root: 10, from: 10, to: 13 },
  { root: 12, from: 14, to: 16 },
];

export const bandOf = (z: number): Band => {
  const band = bands.find(({ to }) => z <= to);
  if (band === undefined) throw new RangeError(`there is no map tile of zoom ${z}`);
  return band;
};

/** `z/x/y` of the block's root, with the first zoom of its band, since two bands may have the same roots. */
export function blockName({ z, x, y }: TileId): string {
  const { root, from } = bandOf(z);
  return `${from}/${x >> (z - root)}/${y >> (z - root)}`;
}

/** Number of a tile in its block: by zoom, then by interleaved bits of row and column. */
export function numberInBlock({ z, x, y }: TileId): number {
  const { root, from } = bandOf(z);
  let number = 0;
  for (let zoom = from; zoom < z; zoom++) number += 4 ** (zoom - root);
  for (let bit = 0; bit < z - root; bit++)
    number += ((x >> bit) & 1) * 4 ** bit + ((y >> bit) & 1) * 2 * 4 ** bit;
  return number;
}

/** How many tiles a block may hold; their numbers are the ones below. */
export function tilesAtMost({ root, from, to }: Band): number {
  let count = 0;
  for (let z = from; z <= to; z++) count += 4 ** (z - root);
  return count;
}

/** The tile of a number, in the block of a root. */
export function tileOfNumber({ root, from }: Band, x: number, y: number, number: number): TileId {
  let z = from;
  let rest = number;
  for (; rest >= 4 ** (z - root); z++) rest -= 4 ** (z - root);
  const depth = z - root;
  let dx = 0;
  let dy = 0;
  for (let bit = 0; bit < depth; bit++) {
    dx |= ((rest >> (2 * bit)) & 1) << bit;
    dy |= ((rest >> (2 * bit + 1)) & 1) << bit;
  }
  return { z, x: (x << depth) + dx, y: (y << depth) + dy };
}
