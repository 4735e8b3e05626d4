import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { ReadFeed, RoadEvent } from '../events/road-event.js';
import type { MatchedEvent } from '../feeds/match-event.js';
import type { EdgeSpeeds } from './edge-speeds.js';

/** A file of speeds as events: one for all closed edges, and one for each speed in whole km/h. */
export interface SpeedEvents {
  readonly feed: ReadFeed;
  readonly match: (event: RoadEvent) => MatchedEvent;
}

const closedId = 'closed';

/** Speeds that are not below free flow change nothing: incidents only slow down. */
export function speedEvents(network: RoadNetwork, { kphOf, unknown }: EdgeSpeeds): SpeedEvents {
  const groups = new Map<string, number[]>();
  const speedOf = new Map<string, number>();
  for (const [edge, exact] of kphOf) {
    const kph = exact === 0 ? 0 : Math.max(1, Math.round(exact));
    if (kph >= network.freeFlowKph(edge, 'driving')) continue;
    const id = kph === 0 ? closedId : `slow-${kph}`;
    const group = groups.get(id);
    if (group === undefined) groups.set(id, [edge]);
    else group.push(edge);
    speedOf.set(id, kph);
  }
  const events = [...groups.keys()].sort().map(
    (id): RoadEvent => ({
      id,
      effect: id === closedId ? { kind: 'closed' } : { kind: 'slow', speedKph: speedOf.get(id)! },
      periods: [{ startMs: 0, endMs: undefined }],
      places: [],
      bothDirections: false,
      description: '',
    }),
  );
  const skipped =
    unknown === 0
      ? []
      : [
          {
            id: 'unknown',
            reason: `${unknown} pairs of nodes are not next to each other on a road for cars`,
          },
        ];
  return {
    feed: { events, skipped },
    match: ({ id }) => ({ kind: 'edges', edges: groups.get(id)! }),
  };
}
