import { type Route, route } from '#platform/http/http-types.js';
import { getTraffic } from '#schemas/http/map.js';
import type { Roads } from '../roads/roads.js';
import { type CurrentTraffic, trafficView } from './traffic-view.js';

/** Traffic is the same for everybody, so each version of the metric is written out once. */
export function trafficRoute(current: () => CurrentTraffic, roads: Roads): Route {
  let kept: { readonly version: number; readonly bytes: Uint8Array } | undefined;

  function bytesOf(traffic: CurrentTraffic): Uint8Array {
    if (kept?.version !== traffic.version) {
      const bytes = Buffer.from(JSON.stringify(trafficView(traffic, roads)));
      kept = { version: traffic.version, bytes };
    }
    return kept.bytes;
  }

  return route(
    getTraffic,
    ({ query }) => {
      const traffic = current();
      const headers = { 'cache-control': 'no-cache' };
      if (query.since === traffic.version) return { status: 304, headers };
      return { status: 200, headers, contentType: 'application/json', body: bytesOf(traffic) };
    },
    { priority: 'tile' },
  );
}
