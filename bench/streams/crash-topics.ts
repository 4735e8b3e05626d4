import type { TopicCodec } from '#platform/wire/topic-codec.js';
import type { TrafficDeps } from '#processors/traffic/start-traffic.js';

/** What the group reads and writes. */
export type CrashCodecs = TrafficDeps['codecs'];

/**
 * The same topics under names of their own, so that runs share a broker; nothing is compacted before it is
 * compared.
 */
export function ownTopics(codecs: CrashCodecs, suffix: string): CrashCodecs {
  const own = <Message>(codec: TopicCodec<Message>): TopicCodec<Message> => ({
    topic: {
      ...codec.topic,
      name: `${codec.topic.name}${suffix}`,
      retention: { policy: 'delete', ageMs: 86_400_000, bytesPerPartition: 2 ** 30 },
    },
    encode: (message) => codec.encode(message),
    decode: (value) => codec.decode(value),
    refresh: () => codec.refresh(),
  });
  return {
    trafficEdgeObserved: own(codecs.trafficEdgeObserved),
    trafficClosureReported: own(codecs.trafficClosureReported),
    trafficSegmentSpeed: own(codecs.trafficSegmentSpeed),
    trafficIncidentChanged: own(codecs.trafficIncidentChanged),
    deadLetter: own(codecs.deadLetter),
  };
}

export const topicsOf = (codecs: CrashCodecs) => Object.values(codecs).map(({ topic }) => topic);
