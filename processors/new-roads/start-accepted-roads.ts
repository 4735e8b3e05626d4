import {
  type AcceptedRoad,
  acceptedRoadsKey,
  decodeAcceptedRoads,
  encodeAcceptedRoads,
  roadPointsMax,
  roadsMax,
} from '#map-data/accepted-roads/accepted-roads.js';
import { batches } from '#platform/stream/input.js';
import { ok } from '#platform/stream/outcome.js';
import type { Topology } from '#platform/stream/start-processor.js';
import type { TopicCodecs } from '#platform/wire/topic-codecs.js';
import type { RoadReviewed } from '#schemas/messages.js';
import { Counts } from '../counts.js';
import { type GroupDeps, type Running, startGroup } from '../start-group.js';

const outcomes = ['accepted', 'refused', 'old', 'invalid', 'full', 'written'] as const;

type Outcome = (typeof outcomes)[number];

export interface AcceptedRoadsDeps extends GroupDeps {
  readonly codecs: Pick<TopicCodecs, 'mapRoadReviewed' | 'deadLetter'>;
}

interface AcceptedRoadsState {
  /** By road id: the last decision, and the road if it was accepted. */
  readonly decided: Map<string, { readonly reviewedMs: number; readonly road?: AcceptedRoad }>;
}

/**
 * Group `new-roads-accepted`: writes the accepted roads into the object that a tile build reads. Reviews of
 * all maps count: a road stays accepted when the map is built again.
 */
export async function startAcceptedRoads(deps: AcceptedRoadsDeps): Promise<Running> {
  const counts = new Counts(
    deps.metrics,
    'accepted_roads_outcomes_total',
    'Reviews of proposed roads by outcome, and lists of accepted roads written.',
    outcomes,
  );
  return startGroup(acceptedRoadsTopology(deps, counts), deps, counts);
}

function acceptedRoadsTopology(
  { codecs, objects }: AcceptedRoadsDeps,
  counts: Counts<Outcome>,
): Topology<AcceptedRoadsState> {
  return {
    group: 'new-roads-accepted',
    startAt: 'earliest',
    state: {
      fresh: (): AcceptedRoadsState => ({ decided: new Map() }),
      encode: ({ decided }) => {
        const plain = [...decided].map(([id, { reviewedMs, road }]) => [id, reviewedMs, road !== undefined]);
        const roads = encodeAcceptedRoads([...decided.values()].flatMap(({ road }) => road ?? []));
        return Buffer.from(JSON.stringify({ plain, roads: Buffer.from(roads).toString('utf8') }));
      },
      decode: (bytes) => {
        const { plain, roads } = JSON.parse(Buffer.from(bytes).toString('utf8')) as {
          readonly plain: readonly (readonly [id: string, reviewedMs: number])[];
          readonly roads: string;
        };
        const byId = new Map(decodeAcceptedRoads(Buffer.from(roads)).map((road) => [road.id, road]));
        return {
          decided: new Map(
            plain.map(([id, reviewedMs]) => {
              const road = byId.get(id);
              return [id, { reviewedMs, ...(road && { road }) }];
            }),
          ),
        };
      },
    },
    inputs: [
      batches(codecs.mapRoadReviewed, async (records, { state }) => {
        // The list is written before the state changes, so that the reviews are redelivered if the store is
        // unavailable.
        const next = new Map(state.decided);
        const outcomes = records.map(({ message }) => take(next, message));
        await objects.put(
          acceptedRoadsKey,
          encodeAcceptedRoads([...next.values()].flatMap(({ road }) => road ?? [])),
        );
        for (const [id, decision] of next) state.decided.set(id, decision);
        for (const outcome of outcomes) counts.add(outcome);
        counts.add('written');
        return ok;
      }),
    ],
  };
}

/** The later review counts, in whatever order they are read. */
function take(
  decided: Map<string, { readonly reviewedMs: number; readonly road?: AcceptedRoad }>,
  { roadId, accepted, reviewedMs, highway, name, oneWay, lngE7, latE7 }: RoadReviewed,
): 'accepted' | 'refused' | 'old' | 'invalid' | 'full' {
  const before = decided.get(roadId);
  if (before !== undefined && before.reviewedMs > reviewedMs) return 'old';
  if (before === undefined && decided.size >= roadsMax) return 'full';
  // One invalid road would make the complete list unreadable.
  const isLine = lngE7.length === latE7.length && lngE7.length >= 2 && lngE7.length <= roadPointsMax;
  if (accepted && !isLine) return 'invalid';
  if (!accepted) {
    decided.set(roadId, { reviewedMs });
    return 'refused';
  }
  const tags = new Map([
    ['highway', highway],
    ...(name === '' ? [] : [['name', name] as const]),
    ...(oneWay ? [['oneway', 'yes'] as const] : []),
    ['source', 'drives'],
  ]);
  decided.set(roadId, { reviewedMs, road: { id: roadId, tags, lngE7, latE7 } });
  return 'accepted';
}
