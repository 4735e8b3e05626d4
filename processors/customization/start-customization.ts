import { lastAnnounced } from '#map-data/metric/last-announced.js';
import { each, type StreamContext } from '#platform/stream/input.js';
import { deadLetter, ok } from '#platform/stream/outcome.js';
import type { Topology } from '#platform/stream/start-processor.js';
import type { TopicCodecs } from '#platform/wire/topic-codecs.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { IncidentChanged } from '#schemas/messages.js';
import { Counts } from '../counts.js';
import { jsonState } from '../json-state.js';
import { coalesceMs, incidentsMax } from '../limits.js';
import { type GroupDeps, type Running, startGroup } from '../start-group.js';
import { Leadership } from './leadership.js';
import {
  applyIncident,
  applySpeeds,
  carryOver,
  type LiveRoads,
  noRoads,
  onPresentRoads,
} from './live-roads.js';
import { customizationOutcomes, MetricWriter } from './metric-writer.js';

export interface CustomizationDeps extends GroupDeps {
  readonly codecs: Pick<
    TopicCodecs,
    'trafficSegmentSpeed' | 'trafficIncidentChanged' | 'roadMetricCustomized' | 'deadLetter'
  >;
  readonly network: RoadNetwork;
  /** Milliseconds during which changes are collected; default 25. */
  readonly coalesceMs?: number;
}

/** Decides which of several processes writes the metric. */
const leaderGroup = 'customization-leader';

/**
 * Group `customization`: turns the live state of the roads into versions of the metric. One of several
 * processes does it.
 */
export async function startCustomization(deps: CustomizationDeps): Promise<Running> {
  const counts = new Counts(
    deps.metrics,
    'customization_outcomes_total',
    'Metric versions, their cells, versions that another process wrote first, takeovers, ' +
      'rebuilds from the log, restored objects.',
    customizationOutcomes,
  );
  const { network, objects, clock = Date.now, logger, log, codecs } = deps;
  const leadership = await Leadership.open({
    ...{ log, logger, group: leaderGroup, topic: codecs.roadMetricCustomized.topic },
    start: () => {
      const announcedVersion = () => lastAnnounced(log, codecs.roadMetricCustomized, network.tilesetId);
      const writer = new MetricWriter({ network, objects, clock, logger, counts, announcedVersion });
      return startGroup(customizationTopology(deps, writer, clock), deps, counts, () => writer.begin());
    },
  });
  const ready = leadership.ready();
  ready.catch(() => undefined);
  return { ready, stats: () => counts.all(), close: () => leadership.close() };
}

interface PlainRoads {
  readonly speeds: readonly (readonly [string, number])[];
  readonly incidents: readonly IncidentChanged[];
  readonly carried: readonly (readonly [string, number])[];
  readonly carriedUntilMs: number;
}

const fromPlain = (
  { speeds, incidents, carried, carriedUntilMs }: PlainRoads,
  network: RoadNetwork,
): LiveRoads => ({
  speeds: new Map(speeds),
  incidents: new Map(incidents.map((each) => [each.incidentId, onPresentRoads(each, network)])),
  carried: new Map(carried),
  carriedUntilMs,
});

function customizationTopology(
  { codecs, network, coalesceMs: everyMs = coalesceMs }: CustomizationDeps,
  writer: MetricWriter,
  clock: () => number,
): Topology<LiveRoads> {
  return {
    group: 'customization',
    startAt: 'earliest',
    state: jsonState({
      layout: 2,
      tilesetId: network.tilesetId,
      fresh: noRoads,
      toPlain: ({ speeds, incidents, carried, carriedUntilMs }) => ({
        ...{ speeds: [...speeds], incidents: [...incidents.values()].map(({ recorded }) => recorded) },
        ...{ carried: [...carried], carriedUntilMs },
      }),
      fromPlain: (plain) => fromPlain(plain, network),
      carryOver: (plain) => carryOver(fromPlain(plain, network), network, clock()),
    }),
    inputs: [
      each(codecs.trafficSegmentSpeed, ({ message }, { partition, state }) => {
        const change = applySpeeds(state, network, message);
        writer.meet(partition, state);
        writer.refreshed(change.edgeIds);
        writer.take(partition, state, change, message.windowEndMs);
        return ok;
      }),
      each(codecs.trafficIncidentChanged, ({ message }, { partition, state }) => {
        const isRoom = state.incidents.size < incidentsMax || state.incidents.has(message.incidentId);
        if (message.active && !isRoom) return deadLetter(`more than ${incidentsMax} incidents`);
        const change = applyIncident(state, network, message, clock());
        // An operator's incident has no location points; its cause is its start.
        writer.take(partition, state, change, message.lastEvidenceMs || message.startedMs);
        return ok;
      }),
    ],
    tick: { everyMs, run: (context) => publish(context, writer, codecs) },
  };
}

/**
 * Incidents have one partition, number 0; the process that reads it writes the metric, for all partitions of
 * this process.
 */
async function publish(
  context: StreamContext<LiveRoads>,
  writer: MetricWriter,
  codecs: CustomizationDeps['codecs'],
): Promise<void> {
  writer.meet(context.partition, context.state);
  if (context.partition !== 0) return;
  for (const announcement of await writer.publish())
    context.emit(codecs.roadMetricCustomized, announcement.tilesetId, announcement);
}
