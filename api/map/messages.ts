/** What clients read when a tile or a list of tiles is refused. */

export const badAddress = (zoomMax: number) =>
  `Zoom must be 0 to ${zoomMax}; x and y must be less than 2 to the power of zoom. ` +
  'A geohash address is v1-<zoom>-<geohash>.';
export const noMap = 'This map no longer exists. /v1/tiles.json names the current one.';
export const onlyRoads = 'No map was built, only roads. Build one with `meridian tiles build`.';
export const roadsOnlyTo = (zoomMax: number) =>
  `No map was built, only roads, down to zoom ${zoomMax}. Use a smaller zoom.`;
export const storeUnavailable = 'The tile store is not available.';
export { noHost } from '../http/base-url.js';

export const bboxForm = 'bbox must be four numbers: west,south,east,north, in degrees.';
export const bboxLongitude =
  'west and east must be between -180 and 180. Did you swap latitude and longitude?';
export const bboxLatitude =
  'south and north must be between -90 and 90. Did you swap latitude and longitude?';
export const bboxUpsideDown = 'south must not be greater than north.';
export const tooManyTiles = (tiles: number, zoom: number, most: number) =>
  `The view has ${tiles} tiles at zoom ${zoom}; the maximum is ${most}. Use a smaller zoom or view.`;
