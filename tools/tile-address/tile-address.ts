/** Zoom, column from the west, row from the north; the world is one tile at zoom 0. */
export interface Tile {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

/** Deepest zoom that has addresses; a server may serve fewer. */
export const addressZoomMax = 22;

const digits = '0123456789bcdefghjkmnpqrstuvwxyz';
const latMax = 85.05112877980659;

/**
 * Enough characters to distinguish all tiles of a zoom: two bits a zoom and four for each axis, five bits a
 * character.
 */
const geohashLength = (z: number): number => Math.ceil((2 * (z + 4)) / 5);

/**
 * Address of the map tile that shows a place, for instance `v1-14-u62k3c6x`: the version of this computation,
 * the zoom, and the geohash of a point of the tile. It never changes; docs/formats/tile-address.md has it in
 * words and with test vectors. Throws a RangeError when the place is not on earth or the zoom not from 0 to
 * 22.
 */
export const tileAddress = (lat: number, lng: number, zoom: number): string =>
  addressOfTile(tileAt(lat, lng, zoom));

/** The tile that shows a place; beyond 85.05° the tile at the edge of the map. */
export function tileAt(lat: number, lng: number, zoom: number): Tile {
  checkZoom(zoom);
  if (!(Math.abs(lat) <= 90)) throw new RangeError(`latitude ${lat} is not from -90 to 90`);
  if (!(Math.abs(lng) <= 180)) throw new RangeError(`longitude ${lng} is not from -180 to 180`);
  const side = 2 ** zoom;
  const sine = Math.sin((Math.max(-latMax, Math.min(latMax, lat)) * Math.PI) / 180);
  const fromWest = (lng + 180) / 360;
  const fromNorth = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
  const cell = (share: number): number => Math.max(0, Math.min(side - 1, Math.floor(share * side)));
  return { z: zoom, x: cell(fromWest), y: cell(fromNorth) };
}

export function addressOfTile({ z, x, y }: Tile): string {
  checkZoom(z);
  const side = 2 ** z;
  if (!(Number.isInteger(x) && Number.isInteger(y) && x >= 0 && y >= 0 && x < side && y < side))
    throw new RangeError(`there is no tile ${z}/${x}/${y}`);
  // A third from the north-west corner: the middle would lie on the border between geohashes.
  const lng = ((x + 1 / 3) / side) * 360 - 180;
  const lat = (Math.atan(Math.sinh(Math.PI * (1 - (2 * (y + 1 / 3)) / side))) * 180) / Math.PI;
  return `v1-${z}-${geohash(lat, lng, geohashLength(z))}`;
}

/** The tile of an address; undefined when it is none. */
export function tileOfAddress(address: string): Tile | undefined {
  const parts = /^v1-(0|[1-9]\d?)-([0-9b-hjkmnp-z]{2,11})$/.exec(address);
  if (parts === null) return undefined;
  const zoom = Number(parts[1]);
  const hash = parts[2]!;
  if (zoom > addressZoomMax || hash.length !== geohashLength(zoom)) return undefined;
  const tile = tileAt(...middleOf(hash), zoom);
  // Only one of the geohashes in a tile is its address.
  return addressOfTile(tile) === address ? tile : undefined;
}

function checkZoom(zoom: number): void {
  if (!(Number.isInteger(zoom) && zoom >= 0 && zoom <= addressZoomMax))
    throw new RangeError(`zoom ${zoom} is not a whole number from 0 to ${addressZoomMax}`);
}

function geohash(lat: number, lng: number, length: number): string {
  const range = { lng: [-180, 180], lat: [-90, 90] } as { lng: [number, number]; lat: [number, number] };
  let hash = '';
  let bits = 1; // A one in front, so that five bits later the number is 32 to 63.
  for (let turn = 0; hash.length < length; turn++) {
    const [side, value] = turn % 2 === 0 ? [range.lng, lng] : [range.lat, lat];
    const middle = (side[0] + side[1]) / 2;
    bits = 2 * bits + (value >= middle ? 1 : 0);
    side[value >= middle ? 0 : 1] = middle;
    if (bits >= 32) {
      hash += digits[bits - 32];
      bits = 1;
    }
  }
  return hash;
}

function middleOf(hash: string): [lat: number, lng: number] {
  const lng: [number, number] = [-180, 180];
  const lat: [number, number] = [-90, 90];
  let turn = 0;
  for (const digit of hash) {
    const bits = digits.indexOf(digit);
    for (let bit = 16; bit >= 1; bit /= 2, turn++) {
      const side = turn % 2 === 0 ? lng : lat;
      side[(bits & bit) === 0 ? 1 : 0] = (side[0] + side[1]) / 2;
    }
  }
  return [(lat[0] + lat[1]) / 2, (lng[0] + lng[1]) / 2];
}
