import { openEventLog } from '#platform/event-log/open-event-log.js';
import { openObjectStore } from '#platform/object-store/open-object-store.js';
import { openSchemaRegistry } from '#platform/wire/open-schema-registry.js';
import type { TopicCodec } from '#platform/wire/topic-codec.js';
import { openTopicCodecs } from '#platform/wire/topic-codecs.js';
import { gainMinMs } from '#processors/reroute/decide-reroute.js';
import { rerouteDefaults } from '#processors/reroute/settings.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { applyCellMetrics, decodeCellMetric } from '#routing-engine/overlay/cell-metric.js';
import { CLOSED, freeFlowMetric, type Metric } from '#routing-engine/overlay/metric.js';
import { dijkstra } from '#routing-engine/reference/dijkstra.js';
import { goalsAt, nearestPlaces, openPlaces } from '#routing-engine/snap/nearest-places.js';
import type { MetricCustomized, NavigationChanged, RouteChanged } from '#schemas/messages.js';
import { E7 } from '#schemas/units.js';
import type { Push } from './fleet.js';

/** Milliseconds of one push, part by part. */
export interface Stages {
  /** From the acceptance of the cause to the version of the metric in the object store. */
  readonly toMetric: number;
  /** From there to the decision, and from there to the frame. */
  readonly toDecision: number;
  readonly toFrame: number;
}

export interface Verdict {
  readonly compared: number;
  readonly stages: readonly Stages[];
  /** In words, one for each push that is wrong. */
  readonly faults: readonly string[];
}

const snapMetresMax = 1_000;

/**
 * Reads what the platform wrote and checks every push against it. Its route is open under the metric version
 * that it names. It takes what plain Dijkstra takes under that version or, when drivers are distributed,
 * little more. And it is the route in the log. At most `countMax`, spread evenly: the oracle is slow.
 */
export async function verifyPushes(
  folder: string,
  network: RoadNetwork,
  pushes: readonly Push[],
  countMax: number,
): Promise<Verdict> {
  const log = await openEventLog(`embedded:${folder}/log`);
  const registry = await openSchemaRegistry(`embedded:${folder}/schemas`);
  const objects = await openObjectStore(`dir:${folder}/objects`);
  const codecs = await openTopicCodecs(registry);
  const messages = async <Message>(codec: TopicCodec<Message>): Promise<Message[]> => {
    const found: Message[] = [];
    for (const { partition, earliest } of await log.offsets(codec.topic.name))
      for await (const { value } of log.read(codec.topic.name, partition, earliest))
        if (value !== null) found.push(codec.decode(value));
    return found;
  };
  try {
    const nameOf = ({ navigationId, edgeIds }: Pick<RouteChanged, 'navigationId' | 'edgeIds'>): string =>
      `${navigationId} ${edgeIds.join(' ')}`;
    const decided = new Map<string, RouteChanged>();
    for (const change of await messages(codecs.navRouteChanged)) decided.set(nameOf(change), change);
    const sessions = new Map<string, NavigationChanged>();
    for (const record of await messages(codecs.navSessionChanged)) sessions.set(record.navigationId, record);
    const every = Math.max(1, Math.ceil(pushes.length / countMax));
    const tried = pushes.filter((_, i) => i % every === 0);
    const wanted = new Set(tried.map(({ frame }) => frame.route.metric_version));
    const announcements = await messages(codecs.roadMetricCustomized);
    const published = new Map(announcements.map(({ version, publishedMs }) => [version, publishedMs]));
    const metrics = await metricsOf(announcements, wanted);
    const faults: string[] = [];
    const stages: Stages[] = [];
    for (const { frame, atMs } of tried) {
      const { navigation_id: navigationId, route } = frame;
      const change = decided.get(nameOf({ navigationId, edgeIds: route.edge_ids }));
      const metric = metrics.get(route.metric_version);
      const session = sessions.get(navigationId);
      const fault =
        change === undefined || metric === undefined || session === undefined
          ? 'the log does not have it'
          : faultOf(network, metric, change, session);
      const publishedMs = published.get(route.metric_version);
      if (change !== undefined && publishedMs !== undefined)
        stages.push({
          toMetric: publishedMs - frame.caused_at,
          toDecision: change.decidedMs - publishedMs,
          toFrame: atMs - change.decidedMs,
        });
      if (fault !== undefined) faults.push(`${navigationId} on version ${route.metric_version}: ${fault}`);
    }
    return { compared: tried.length, stages, faults };
  } finally {
    await log.close();
    await registry.close();
    await objects.close();
  }

  /** The versions that are wanted, made one after the other as a reader of the topic makes them. */
  async function metricsOf(
    announcements: readonly MetricCustomized[],
    wanted: ReadonlySet<number>,
  ): Promise<Map<number, Metric>> {
    const metrics = new Map<number, Metric>();
    let metric = freeFlowMetric(network, 'driving');
    for (const { version, objectKeys } of announcements) {
      if (version <= metric.version) continue;
      const cells = await Promise.all(
        objectKeys.map(async (key) => {
          const bytes = await objects.get(key);
          if (bytes === undefined) throw new Error(`${key} is gone; verify sooner after the run`);
          return decodeCellMetric(network, bytes);
        }),
      );
      metric = applyCellMetrics(network, metric, cells, version);
      if (wanted.has(version)) metrics.set(version, metric);
    }
    return metrics;
  }
}

function faultOf(
  network: RoadNetwork,
  metric: Metric,
  { edgeIds, fromFraction, durationS }: RouteChanged,
  { destinationLatE7, destinationLngE7 }: NavigationChanged,
): string | undefined {
  const edges = edgeIds.map((id) => network.edgeByStableId(id)!);
  const closed = edges.slice(1, -1).find((edge) => metric.costMs[edge] === CLOSED);
  if (closed !== undefined) return `${network.edgeId(closed)} is closed`;
  const point = { lat: destinationLatE7 / E7, lng: destinationLngE7 / E7 };
  const { places } = nearestPlaces(network, metric, { point }, { avoid: 0, maxMeters: snapMetresMax });
  const to = goalsAt(network, { point }, openPlaces(network, metric, places));
  const wantedMs = dijkstra(network, metric, [{ edge: edges[0]!, fraction: fromFraction }], 0, to).costTo(to);
  const announcedMs = Math.round(durationS * 1_000);
  // When many drivers go around one closure, some get a slightly longer route: by less than the notification
  // threshold.
  const isFair =
    wantedMs !== undefined &&
    announcedMs >= wantedMs &&
    announcedMs - wantedMs < gainMinMs(wantedMs, rerouteDefaults);
  return isFair ? undefined : `${announcedMs} ms, by Dijkstra ${wantedMs} ms`;
}
