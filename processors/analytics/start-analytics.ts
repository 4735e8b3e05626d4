import type { TopicCodecs } from '#platform/wire/topic-codecs.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { Counts } from '../counts.js';
import { type GroupDeps, type Running, startGroup } from '../start-group.js';
import { type Aggregation, aggregateTopology, aggregationOutcomes } from './aggregate-topology.js';
import { arrivalErrors } from './arrival-errors.js';
import { closedRoads } from './closed-roads.js';
import { edgeSpeeds } from './edge-speeds.js';
import { quartersMax } from './limits.js';

export interface AnalyticsDeps extends GroupDeps {
  readonly codecs: Pick<
    TopicCodecs,
    'trafficEdgeObserved' | 'trafficIncidentChanged' | 'navArrivalObserved' | 'deadLetter'
  >;
  readonly network: RoadNetwork;
  /** Distinct drivers needed to publish a row. */
  readonly driversMin: number;
}

/** The state is large and moves slowly; a crash replays a minute. */
const snapshotEveryMs = 60_000;

/**
 * Three groups that write tables for analysts: `analytics-speeds`, `analytics-closures`,
 * `analytics-arrivals`.
 */
export async function startAnalytics(deps: AnalyticsDeps): Promise<Running> {
  const { codecs, network, driversMin } = deps;
  const begin = <Message, Aggregate, Plain, Row>(
    aggregation: Aggregation<Message, Aggregate, Plain, Row>,
  ): Promise<Running> => {
    const name = aggregation.group.replace('-', '_');
    const counts = new Counts(
      deps.metrics,
      `${name}_outcomes_total`,
      'Records by outcome, and what was written.',
      aggregationOutcomes,
    );
    const topology = aggregateTopology(aggregation, deps, counts);
    return startGroup(topology, { ...deps, limits: { snapshotEveryMs, ...deps.limits } }, counts);
  };
  const speeds = { codec: codecs.trafficEdgeObserved, network, driversMin, quartersMax };
  const groups = await Promise.all([
    begin(edgeSpeeds(speeds)),
    begin(closedRoads(codecs.trafficIncidentChanged, network)),
    begin(arrivalErrors(codecs.navArrivalObserved, network.tilesetId, driversMin)),
  ]);
  return {
    ready: Promise.all(groups.map(({ ready }) => ready)).then(() => undefined),
    stats: () => {
      const sums: Record<string, number> = {};
      for (const group of groups)
        for (const [name, count] of Object.entries(group.stats())) sums[name] = (sums[name] ?? 0) + count;
      return sums;
    },
    async close() {
      await Promise.all(groups.map((group) => group.close()));
    },
  };
}
