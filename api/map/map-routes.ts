import type { MapTiles } from '#map-tiles/format/open-map-tiles.js';
import { tileOf } from '#map-tiles/format/tile-address.js';
import type { TileId } from '#map-tiles/format/web-mercator.js';
import { type HttpAnswer, type Route, type RouteOptions, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import { ObjectStoreUnavailable } from '#platform/object-store/object-store.js';
import { getDayStyle, getTileJson, getVectorTile } from '#schemas/http/map.js';
import {
  getMapPngTile,
  getMapPngTileByAddress,
  getMapVectorTile,
  getMapVectorTileByAddress,
  getPngTile,
  getPngTileByAddress,
  getVectorTileByAddress,
  listTiles,
} from '#schemas/http/map-tiles.js';
import { varyOfBaseUrl, type WithBaseUrl, type WithHeaders } from '../http/base-url.js';
import { overzoomMax, tileZoomMax } from '../http/limits.js';
import { poolFailure } from '../http/pool-failure.js';
import type { Releases } from '../release/served-release.js';
import { tileJson } from '../road-tiles/tile-json.js';
import { dayStyle } from './day-style.js';
import { mapStyle } from './map-style.js';
import * as messages from './messages.js';
import { OverzoomedTiles } from './overzoomed-tiles.js';
import { PngTiles } from './png-tiles.js';
import type { PreparedMaps } from './prepared-maps.js';
import { type Caching, pngAnswer, preparedAnswer, vectorAnswer } from './tile-answer.js';
import { listTilesOf, parseView } from './tile-list.js';

const documentHeaders = { 'cache-control': 'public, max-age=60', vary: varyOfBaseUrl } as const;
const tileRoute: RouteOptions = { priority: 'tile' };

const noSuchTile = (): HttpAnswer => problem(problems.notFound, messages.badAddress(overzoomMax));
const noSuchMap = (): HttpAnswer => problem(problems.notFound, messages.noMap);
const noMap = (): HttpAnswer => problem(problems.notFound, messages.onlyRoads);

const onGrid = ({ z, x, y }: TileId): boolean => z <= overzoomMax && x < 2 ** z && y < 2 ** z;
const addressed = (address: string): TileId | undefined => {
  const tile = tileOf(address);
  return tile !== undefined && onGrid(tile) ? tile : undefined;
};

/**
 * Tiles of the prepared map, by grid and by address, of the current map or of a given one; deeper ones are
 * cut out of the deepest. Without a prepared map, tiles of the roads only, cut on demand, down to the zoom
 * that maps are prepared to.
 */
export function mapRoutes(releases: Releases, maps?: PreparedMaps): readonly Route[] {
  const vectors = new OverzoomedTiles();
  const pngTiles = maps === undefined ? undefined : new PngTiles(maps.paint, vectors);

  /** The answer for failures that a retry may fix; other errors are bugs. */
  const refusalOf = (error: unknown): HttpAnswer => {
    if (error instanceof ObjectStoreUnavailable)
      return problem(problems.unavailable, messages.storeUnavailable, { retryAfterS: 1 });
    const busy = poolFailure(error);
    if (busy === undefined) throw error;
    return problem(problems.overloaded, busy, { retryAfterS: 1 });
  };
  const patiently = async (answer: () => HttpAnswer | Promise<HttpAnswer>): Promise<HttpAnswer> => {
    try {
      return await answer();
    } catch (error) {
      return refusalOf(error);
    }
  };
  const preparedVector = (
    map: MapTiles,
    tile: TileId,
    request: WithHeaders,
    caching: Caching,
  ): HttpAnswer | Promise<HttpAnswer> => {
    const answer = (stored: Awaited<ReturnType<OverzoomedTiles['get']>>): HttpAnswer =>
      preparedAnswer(stored, request, caching);
    const stored = vectors.get(map, tile);
    return stored instanceof Promise ? stored.then(answer).catch(refusalOf) : answer(stored);
  };
  const vector = (tile: TileId | undefined, request: WithHeaders): HttpAnswer | Promise<HttpAnswer> => {
    if (tile === undefined || !onGrid(tile)) return noSuchTile();
    const { map, roadTiles } = releases.current;
    if (map !== undefined) return preparedVector(map, tile, request, 'current');
    if (tile.z > tileZoomMax) return noSuchTile();
    return patiently(() =>
      releases.use(async () => vectorAnswer(await roadTiles.get(tile), request, 'current')),
    );
  };
  const png = (
    map: MapTiles | undefined,
    tile: TileId | undefined,
    request: WithHeaders,
    caching: Caching,
  ): HttpAnswer | Promise<HttpAnswer> => {
    if (tile === undefined || !onGrid(tile)) return noSuchTile();
    if (map === undefined || pngTiles === undefined) return noMap();
    return patiently(async () => pngAnswer(await pngTiles.get(map, tile), request, caching));
  };
  /** Without a promise for the current map, which is nearly always the case. */
  const ofVersion = (
    mapId: string,
    answer: (map: MapTiles) => HttpAnswer | Promise<HttpAnswer>,
  ): HttpAnswer | Promise<HttpAnswer> => {
    const current = releases.current.map;
    if (current?.manifest.mapId === mapId) return answer(current);
    if (maps === undefined) return noSuchMap();
    return maps
      .version(mapId)
      .then((map) => (map === undefined ? noSuchMap() : answer(map)))
      .catch(refusalOf);
  };
  const versionedVector = (mapId: string, tile: TileId | undefined, request: WithHeaders) =>
    tile === undefined || !onGrid(tile)
      ? noSuchTile()
      : ofVersion(mapId, (map) => preparedVector(map, tile, request, 'immutable'));
  const versionedPng = (mapId: string, tile: TileId | undefined, request: WithHeaders) =>
    ofVersion(mapId, (map) => png(map, tile, request, 'immutable'));

  const document = (request: WithBaseUrl, make: (base: string) => object | string): HttpAnswer => {
    const base = request.baseUrl();
    if (base === undefined) return problem(problems.malformed, messages.noHost);
    const body = make(base);
    if (typeof body === 'string') return problem(problems.invalid, body);
    return { status: 200, headers: documentHeaders, body };
  };

  return [
    route(getVectorTile, (request) => vector(request.params, request), tileRoute),
    route(getVectorTileByAddress, (request) => vector(addressed(request.params.address), request), tileRoute),
    route(getPngTile, (request) => png(releases.current.map, request.params, request, 'current'), tileRoute),
    route(
      getPngTileByAddress,
      (request) => png(releases.current.map, addressed(request.params.address), request, 'current'),
      tileRoute,
    ),
    route(
      getMapVectorTile,
      (request) => versionedVector(request.params.map, request.params, request),
      tileRoute,
    ),
    route(getMapPngTile, (request) => versionedPng(request.params.map, request.params, request), tileRoute),
    route(
      getMapVectorTileByAddress,
      (request) => versionedVector(request.params.map, addressed(request.params.address), request),
      tileRoute,
    ),
    route(
      getMapPngTileByAddress,
      (request) => versionedPng(request.params.map, addressed(request.params.address), request),
      tileRoute,
    ),
    route(
      listTiles,
      (request) =>
        document(request, (base) => {
          const view = parseView(request.query.bbox);
          if (typeof view === 'string') return view;
          const { map } = releases.current;
          if (map === undefined && request.query.zoom > tileZoomMax) return messages.roadsOnlyTo(tileZoomMax);
          return listTilesOf(view, request.query.zoom, base, map?.manifest.mapId);
        }),
      tileRoute,
    ),
    route(
      getTileJson,
      (request) =>
        document(request, (base) =>
          tileJson(releases.current.roads.area, base, releases.current.map?.manifest),
        ),
      tileRoute,
    ),
    route(
      getDayStyle,
      (request) =>
        document(request, (base) => (releases.current.map === undefined ? dayStyle(base) : mapStyle(base))),
      tileRoute,
    ),
  ];
}
