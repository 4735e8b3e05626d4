import { operationOf, operationsRoutes } from '#api/operations/operations-routes.js';
import type { Releases } from '#api/release/served-release.js';
import type { Api } from '#api/start-api.js';
import { LagWatch } from '#platform/event-log/lag-watch.js';
import { requestDurations } from '#platform/http/endpoint.js';
import type { Route } from '#platform/http/http-types.js';
import { queuesOf } from '#platform/telemetry/bounded-queue.js';
import { RequestRates } from '#platform/telemetry/request-rates.js';
import { topics } from '#schemas/topics.js';
import type { Context, LogAndCodecs } from '../context.js';
import { storingGroups } from '../options/storing-groups.js';
import { version } from '../version.js';
import type { ListenerUrls } from './serve.js';

/** What the operations page shows of this program, its log and its gateway. */
export function startOperations(
  context: Context,
  { log }: LogAndCodecs,
  gateway: { readonly api: Api; readonly releases: Releases },
  { publicUrl }: Pick<ListenerUrls, 'publicUrl'>,
): readonly Route[] {
  const { name, config, metrics, readiness } = context;
  const { releases, api } = gateway;
  const rates = new RequestRates({
    read: () => metrics.countsOf(requestDurations),
    nameOf: operationOf,
    nowMs: Date.now,
  });
  const turning = setInterval(() => rates.turn(), rates.intervalMs).unref();
  context.onStop('request rates', () => clearInterval(turning));
  return operationsRoutes({
    program: {
      ...{ name, version, public_url: publicUrl, api_keys: config.API_KEYS },
      started_at: new Date(Date.now() - process.uptime() * 1_000).toISOString(),
    },
    ...{ readiness, rates, nowMs: Date.now },
    lags: new LagWatch({
      log,
      groups: [...storingGroups],
      topics: topics.map((topic) => topic.name),
      nowMs: Date.now,
    }),
    queues: () => queuesOf(metrics),
    view: api.view,
    roads: () => releases.current.roads,
  });
}
