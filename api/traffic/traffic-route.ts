import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type Route, route } from '#platform/http/http-types.js';
import { getTraffic } from '#schemas/http/map.js';
import { acceptsGzip } from '../http/accepts-gzip.js';
import type { Roads } from '../ports/roads.js';
import { type CurrentTraffic, trafficView } from '../ports/traffic-view.js';
import type { Releases } from '../release/served-release.js';

const compress = promisify(gzip);

interface WrittenVersion {
  readonly tilesetId: string;
  readonly version: number;
  readonly plain: Uint8Array;
  readonly gzipped: Promise<Uint8Array>;
}

/** Traffic is the same for everybody, so each version of the metric is written out and compressed once. */
export function trafficRoute(releases: Releases): Route {
  let kept: WrittenVersion | undefined;

  function written(traffic: CurrentTraffic, roads: Roads): WrittenVersion {
    const { tilesetId } = roads;
    if (kept?.version !== traffic.version || kept.tilesetId !== tilesetId) {
      const plain = Buffer.from(JSON.stringify(trafficView(traffic, roads)));
      kept = { tilesetId, version: traffic.version, plain, gzipped: compress(plain, { level: 4 }) };
    }
    return kept;
  }

  return route(
    getTraffic,
    async (request) => {
      const { traffic: now, roads } = releases.current;
      const traffic = now();
      const headers = { 'cache-control': 'no-cache', vary: 'accept-encoding' };
      const { since, tileset = roads.tilesetId } = request.query;
      if (since === traffic.version && tileset === roads.tilesetId) return { status: 304, headers };
      const { plain, gzipped } = written(traffic, roads);
      const contentType = 'application/json';
      return acceptsGzip(request)
        ? {
            status: 200,
            headers: { ...headers, 'content-encoding': 'gzip' },
            contentType,
            body: await gzipped,
          }
        : { status: 200, headers, contentType, body: plain };
    },
    { priority: 'tile' },
  );
}
