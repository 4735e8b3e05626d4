import { typicalWeekKey } from '#map-data/learned/typical-weeks.js';
import { each } from '#platform/stream/input.js';
import { drop, ok } from '#platform/stream/outcome.js';
import type { Topology } from '#platform/stream/start-processor.js';
import type { TopicCodecs } from '#platform/wire/topic-codecs.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { encodeTypicalWeek } from '#routing-engine/network/typical-week.js';
import { Counts } from '../counts.js';
import { jsonState } from '../json-state.js';
import { observedEdgesMax } from '../limits.js';
import { type GroupDeps, type Running, startGroup } from '../start-group.js';
import { edgeFacts } from '../traffic/edge-facts.js';
import { EdgeWeek } from './edge-week.js';
import { resolveWeeks } from './resolve-weeks.js';
import { learnWeek, type TypicalWeekState } from './typical-week-step.js';

const outcomes = ['learnt', 'late', 'implausible', 'foreign', 'full', 'versions'] as const;

type Outcome = (typeof outcomes)[number];

export interface TypicalWeekDeps extends GroupDeps {
  readonly codecs: Pick<TopicCodecs, 'trafficEdgeObserved' | 'deadLetter'>;
  readonly network: RoadNetwork;
  /** Distinct drivers of one day that an edge must have had before it is published. */
  readonly driversMin: number;
}

/** Event time between two versions. One takes effect an hour after its end, when every reader has it. */
const publishEveryMs = 6 * 3_600_000;
const effectiveAfterMs = 3_600_000;
const versionsKept = 3;
/** The state is large and moves slowly; a crash replays a minute. */
const snapshotEveryMs = 60_000;

/** Group `typical-week`: the typical duration of each edge in each half-hour of a week. */
export async function startTypicalWeek(deps: TypicalWeekDeps): Promise<Running> {
  const counts = new Counts(
    deps.metrics,
    'typical_week_outcomes_total',
    'Passages used for the typical week by outcome, and published versions.',
    outcomes,
  );
  return startGroup(typicalWeekTopology(deps, counts), { ...deps, limits: { snapshotEveryMs } }, counts);
}

/** The group as a value. */
export function typicalWeekTopology(
  { codecs, network, objects, driversMin }: TypicalWeekDeps,
  counts: Counts<Outcome>,
): Topology<TypicalWeekState> {
  const facts = edgeFacts(network);
  const publish = async (partition: number, state: TypicalWeekState, boundaryMs: number): Promise<void> => {
    const effectiveMs = boundaryMs + effectiveAfterMs;
    const bytes = encodeTypicalWeek(effectiveMs, resolveWeeks(state.edges, driversMin));
    await objects.put(typicalWeekKey(network.tilesetId, partition, effectiveMs), bytes);
    counts.add('versions');
    const prefix = typicalWeekKey(network.tilesetId, partition);
    const keys: string[] = [];
    for await (const key of objects.list(prefix)) keys.push(key);
    for (const key of keys.slice(0, -versionsKept)) await objects.delete(key);
  };
  return {
    group: 'typical-week',
    startAt: 'earliest',
    state: jsonState({
      layout: 1,
      tilesetId: network.tilesetId,
      // Names of edges outlive the tileset.
      carryOver: 'all',
      fresh: (): TypicalWeekState => ({ edges: new Map(), streamMs: 0 }),
      toPlain: ({ edges, streamMs }) => ({
        streamMs,
        edges: [...edges].map(([id, week]) => [id, week.toPlain()] as const),
      }),
      fromPlain: ({ edges, streamMs }) => ({
        streamMs,
        edges: new Map(edges.map(([id, plain]) => [id, EdgeWeek.fromPlain(plain)])),
      }),
    }),
    inputs: [
      each(codecs.trafficEdgeObserved, async ({ message }, { state, partition }) => {
        if (message.tilesetId !== network.tilesetId) {
          counts.add('foreign', message.observations.length);
          return drop('foreign');
        }
        const newestMs = message.observations.reduce(
          (most, { receivedMs }) => Math.max(most, receivedMs),
          state.streamMs,
        );
        const boundaryMs = Math.floor(newestMs / publishEveryMs) * publishEveryMs;
        // Before the record is applied: if the store is unavailable, the record is redelivered.
        if (state.streamMs > 0 && boundaryMs > state.streamMs) await publish(partition, state, boundaryMs);
        state.streamMs = newestMs;
        for (const observation of message.observations)
          counts.add(learnWeek(state, observation, facts, observedEdgesMax));
        return ok;
      }),
    ],
  };
}
