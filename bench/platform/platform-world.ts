import type { MetricFollower } from '#map-data/metric/metric-follower.js';
import type { TopicCodecs } from '#platform/wire/topic-codecs.js';
import type { Landmarks } from '#processors/reroute/landmarks.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { SimulatedEventLog } from '../simulation/simulated-event-log.js';
import type { SimulatedNetwork } from '../simulation/simulated-network.js';
import type { SimulatedObjects } from '../simulation/simulated-objects.js';
import type { VirtualClock } from '../simulation/virtual-clock.js';

/** What the programs of a simulated platform share: all that outlives them. */
export interface PlatformWorld {
  readonly clock: VirtualClock;
  readonly network: RoadNetwork;
  readonly landmarks: Landmarks;
  readonly codecs: TopicCodecs;
  readonly log: SimulatedEventLog;
  readonly objects: SimulatedObjects;
  readonly phoneNetwork: SimulatedNetwork;
  /** Metrics in use, by the program that follows them. */
  readonly followers: Map<string, Pick<MetricFollower, 'current'>>;
  /** Errors and warnings of the programs, by message. */
  readonly warnings: Map<string, number>;
}

export const ports = { api: 8080, ingest: 8081 } as const;
