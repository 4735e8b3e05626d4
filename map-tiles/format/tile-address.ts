import geohash from 'ngeohash';
import { latOf, lngOf, type TileId, tileAt } from './web-mercator.js';

/** Deepest zoom that has addresses. */
const addressZoomMax = 22;
const version = 'v1';

/** Five bits a character, for two bits a zoom and four more for each axis. */
const precisionOf = (z: number): number => Math.ceil((2 * (z + 4)) / 5);

/** The point of a tile whose geohash is its address, in tiles from its north-west corner. */
const pointShare = 1 / 3;

/**
 * Address of a tile, `v1-<zoom>-<geohash>`. Clients compute it themselves, so it never changes:
 * docs/formats/tile-address.md. The client's own implementation is in tools/tile-address and shares no line
 * with this one.
 */
export const addressOf = ({ z, x, y }: TileId): string =>
  `${version}-${z}-${geohash.encode(latOf(y + pointShare, z), lngOf(x + pointShare, z), precisionOf(z))}`;

/** The tile of an address; undefined if it is not one, or is another geohash of the same tile. */
export function tileOf(address: string): TileId | undefined {
  const [ofVersion, zoom = '', hash = '', ...rest] = address.split('-');
  const z = Number(zoom);
  if (ofVersion !== version || rest.length > 0 || !/^\d{1,2}$/.test(zoom) || z > addressZoomMax)
    return undefined;
  if (hash.length !== precisionOf(z) || !/^[0-9b-hjkmnp-z]+$/.test(hash)) return undefined;
  const { latitude, longitude } = geohash.decode(hash);
  const tile = tileAt(latitude, longitude, z);
  return addressOf(tile) === address ? tile : undefined;
}
