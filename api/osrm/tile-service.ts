import { gunzipSync } from 'node:zlib';
import { type HttpAnswer, type Route, route } from '#platform/http/http-types.js';
import { getOsrmTile } from '#schemas/http/osrm.js';
import { acceptsGzip } from '../http/accepts-gzip.js';
import { graphTileRoadsMax } from '../http/limits.js';
import { planFailure } from '../nav/plan-failure.js';
import type { Releases } from '../release/served-release.js';
import { messages } from './messages.js';
import { isRefusal, refused } from './refusal.js';
import { parseTileQuery, type TileRequest } from './tile-query.js';

/** Live, so nothing is cached. */
const headers = { 'cache-control': 'no-store', vary: 'accept-encoding' } as const;
const contentType = 'application/x-protobuf';

export const tileService = (releases: Releases): Route =>
  route(
    getOsrmTile,
    async (request): Promise<HttpAnswer> => {
      const { params, query, signal } = request;
      const asked = parseTileQuery({ params, query: query as TileRequest['query'] });
      if (isRefusal(asked)) return refused(asked);
      try {
        const tile = await releases.use(({ graphTiles }) => graphTiles!(asked, { signal }));
        if (tile.status === 'too-big')
          return refused({ code: 'TooBig', message: messages.fullTile(tile.roads, graphTileRoadsMax) });
        return acceptsGzip(request)
          ? { status: 200, headers: { ...headers, 'content-encoding': 'gzip' }, contentType, body: tile.gzip }
          : { status: 200, headers, contentType, body: gunzipSync(tile.gzip) };
      } catch (error) {
        return planFailure(error, signal);
      }
    },
    { priority: 'tile' },
  );
