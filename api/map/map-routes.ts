import { gunzipSync } from 'node:zlib';
import { type HttpAnswer, type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import { getDayStyle, getTileJson, getVectorTile } from '#schemas/http/map.js';
import { acceptsGzip } from '../accepts-gzip.js';
import { baseUrl, type WithHeaders } from '../base-url.js';
import { tileZoomMax } from '../limits.js';
import { poolFailure } from '../pool-failure.js';
import type { CutTile } from './cut-tile.js';
import { dayStyle } from './day-style.js';
import type { TileCache } from './tile-cache.js';
import { type MapArea, tileJson } from './tile-json.js';

const tileHeaders = {
  'cache-control': 'public, max-age=300, stale-while-revalidate=86400',
  vary: 'accept-encoding',
} as const;
const documentHeaders = { 'cache-control': 'public, max-age=60', vary: 'host' } as const;

/** Decides between 200, 204 and 304 for one tile; the compressed bytes are sent as they are kept. */
function tileAnswer({ gzip, etag }: CutTile, request: WithHeaders): HttpAnswer {
  if (gzip.byteLength === 0) return { status: 204, headers: tileHeaders };
  const compressed = acceptsGzip(request);
  // A strong tag names bytes, and the two encodings are different bytes.
  const tag = compressed ? etag : `${etag.slice(0, -1)}-plain"`;
  const headers = { ...tileHeaders, etag: tag };
  const asked = request.header('if-none-match')?.split(',') ?? [];
  if (asked.some((each) => each.trim().replace(/^W\//, '') === tag)) return { status: 304, headers };
  const contentType = 'application/vnd.mapbox-vector-tile';
  return compressed
    ? { status: 200, headers: { ...headers, 'content-encoding': 'gzip' }, contentType, body: gzip }
    : { status: 200, headers, contentType, body: gunzipSync(gzip) };
}

export function mapRoutes(tiles: TileCache, area: MapArea, publicUrl: string | undefined): readonly Route[] {
  const document = (request: WithHeaders, make: (base: string) => object): HttpAnswer => {
    const base = baseUrl(request, publicUrl);
    if (base === undefined) return problem(problems.malformed, 'The Host header names no host.');
    return { status: 200, headers: documentHeaders, body: make(base) };
  };
  return [
    route(
      getVectorTile,
      async (request) => {
        const { z, x, y } = request.params;
        if (z > tileZoomMax || x >= 2 ** z || y >= 2 ** z)
          return problem(
            problems.notFound,
            `Zoom goes from 0 to ${tileZoomMax}; x and y are less than 2 to the power of the zoom.`,
          );
        try {
          return tileAnswer(await tiles.get({ z, x, y }), request);
        } catch (error) {
          const busy = poolFailure(error);
          if (busy === undefined) throw error;
          return problem(problems.overloaded, busy, { retryAfterS: 1 });
        }
      },
      { priority: 'tile' },
    ),
    route(getTileJson, (request) => document(request, (base) => tileJson(area, base)), {
      priority: 'tile',
    }),
    route(getDayStyle, (request) => document(request, dayStyle), { priority: 'tile' }),
  ];
}
