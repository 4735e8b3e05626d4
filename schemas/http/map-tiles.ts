import { type Static, Type } from 'typebox';
import type { RouteContract } from './route-contract.js';

const tileNumber = Type.Integer({ minimum: 0, maximum: 4_194_303 });
const grid = { z: Type.Integer({ minimum: 0, maximum: 22 }), x: tileNumber, y: tileNumber };
const address = {
  address: Type.String({ maxLength: 24, description: 'v1-<zoom>-<geohash>; docs/formats/tile-address.md.' }),
};
const map = { map: Type.String({ pattern: '^[0-9a-f]{16}$', description: 'Id of a built map.' }) };

const vectorResponses = {
  200: { description: 'Mapbox Vector Tile.', contentType: 'application/vnd.mapbox-vector-tile' },
  204: { description: 'The tile is empty.' },
  304: { description: 'Not modified.' },
  404: { description: 'The tile or map does not exist.' },
} as const;
const pngResponses = {
  200: { description: 'An image of 256 by 256 pixels.', contentType: 'image/png' },
  304: { description: 'Not modified.' },
  404: { description: 'The tile or map does not exist, or no map was built.' },
} as const;

const shared = { method: 'GET', listener: 'public', tag: 'map', scopes: 'open' } as const;

export const getVectorTileByAddress = {
  ...shared,
  operationId: 'getVectorTileByAddress',
  path: '/v1/tiles/{address}.mvt',
  summary: 'One vector tile by its geohash address',
  params: Type.Object(address),
  responses: vectorResponses,
} as const satisfies RouteContract;

export const getPngTileByAddress = {
  ...shared,
  operationId: 'getPngTileByAddress',
  path: '/v1/tiles/{address}.png',
  summary: 'One PNG tile by its geohash address',
  params: Type.Object(address),
  responses: pngResponses,
} as const satisfies RouteContract;

export const getPngTile = {
  ...shared,
  operationId: 'getPngTile',
  path: '/v1/tiles/{z}/{x}/{y}.png',
  summary: 'One PNG tile',
  params: Type.Object(grid),
  responses: pngResponses,
} as const satisfies RouteContract;

const versioned = 'Never changes: `Cache-Control: immutable`.';

export const getMapVectorTile = {
  ...shared,
  operationId: 'getMapVectorTile',
  path: '/v1/tiles/{map}/{z}/{x}/{y}.mvt',
  summary: 'One vector tile of one built map',
  description: versioned,
  params: Type.Object({ ...map, ...grid }),
  responses: vectorResponses,
} as const satisfies RouteContract;

export const getMapPngTile = {
  ...shared,
  operationId: 'getMapPngTile',
  path: '/v1/tiles/{map}/{z}/{x}/{y}.png',
  summary: 'One PNG tile of one built map',
  description: versioned,
  params: Type.Object({ ...map, ...grid }),
  responses: pngResponses,
} as const satisfies RouteContract;

export const getMapVectorTileByAddress = {
  ...shared,
  operationId: 'getMapVectorTileByAddress',
  path: '/v1/tiles/{map}/{address}.mvt',
  summary: 'One vector tile of one built map by its geohash address',
  description: versioned,
  params: Type.Object({ ...map, ...address }),
  responses: vectorResponses,
} as const satisfies RouteContract;

export const getMapPngTileByAddress = {
  ...shared,
  operationId: 'getMapPngTileByAddress',
  path: '/v1/tiles/{map}/{address}.png',
  summary: 'One PNG tile of one built map by its geohash address',
  description: versioned,
  params: Type.Object({ ...map, ...address }),
  responses: pngResponses,
} as const satisfies RouteContract;

export const tilesInAnswerMax = 256;

export const TilesAnswer = Type.Object({
  map: Type.Union([Type.String(), Type.Null()], {
    description: 'Id of the map in the URLs; null when no map was built and only roads are available.',
  }),
  zoom: Type.Integer(),
  tiles: Type.Array(
    Type.Object({
      address: Type.String(),
      z: Type.Integer(),
      x: Type.Integer(),
      y: Type.Integer(),
      url: Type.String({ description: 'Of the vector tile.' }),
      png_url: Type.Union([Type.String(), Type.Null()], { description: 'Of the PNG tile.' }),
    }),
  ),
});
export type TilesAnswer = Static<typeof TilesAnswer>;

export const listTiles = {
  ...shared,
  operationId: 'listTiles',
  path: '/v1/tiles',
  summary: 'Addresses and URLs of the tiles of a view',
  description:
    'For clients that do not compute addresses themselves. Row by row from the north-west; at most ' +
    `${tilesInAnswerMax} tiles. In a view across the date line, west is greater than east.`,
  query: Type.Object({
    bbox: Type.String({
      maxLength: 120,
      description: 'west,south,east,north in degrees.',
      examples: ['14.4,35.8,14.6,36.0'],
    }),
    zoom: Type.Integer({
      minimum: 0,
      maximum: 21,
      description: 'At most 16 if no map was built and only roads are available.',
    }),
  }),
  responses: { 200: { description: 'The tiles.', schema: TilesAnswer } },
} as const satisfies RouteContract;

/** All operations on tiles of a built map. */
export const mapTileContracts: readonly RouteContract[] = [
  listTiles,
  getVectorTileByAddress,
  getPngTileByAddress,
  getPngTile,
  getMapVectorTile,
  getMapPngTile,
  getMapVectorTileByAddress,
  getMapPngTileByAddress,
];
