import { randomUUID } from 'node:crypto';
import type { EventLog } from '#platform/event-log/event-log.js';
import type { Logger } from '#platform/telemetry/logger.js';
import type { TopicCodec } from '#platform/wire/topic-codec.js';
import type { NavigationChanged } from '#schemas/messages.js';
import { navigatingUsersMax } from './limits.js';

export interface NavigatingUsers {
  has(userId: string): boolean;
  close(): Promise<void>;
}

/** `STATE_ENDED` of `meridian.nav.v1.NavigationChanged`; every other state is an active navigation. */
const ended = 3;

/**
 * Users with an active navigation, according to the compacted topic of navigations; each process reads all of
 * it. Beyond its limit the ingest server treats every user as navigating, so that the batches of evicted ones
 * are never dropped.
 */
export async function followNavigatingUsers(ports: {
  readonly log: Pick<EventLog, 'consume'>;
  readonly codec: TopicCodec<NavigationChanged>;
  readonly logger: Logger;
}): Promise<NavigatingUsers> {
  const { log, codec, logger } = ports;
  const users = new Set<string>();
  let overflowed = false;
  const topic = codec.topic.name;
  const consumer = await log.consume({
    group: `door-${randomUUID()}`,
    topics: [topic],
    startAt: 'earliest',
    onBatch: async ({ records }) => {
      for (const { key, value } of records) {
        if (value === null || hasEnded(codec, value)) users.delete(key);
        else if (users.size < navigatingUsersMax) users.add(key);
        else overflowed = true;
      }
    },
    onError: (error) => logger.warn('navigations cannot be read; retrying', { topic, cause: error.message }),
  });
  return { has: (userId) => overflowed || users.has(userId), close: () => consumer.close() };
}

/** An unreadable record may be the start of a navigation. */
function hasEnded(codec: TopicCodec<NavigationChanged>, value: Uint8Array): boolean {
  try {
    return codec.decode(value).state === ended;
  } catch {
    return false;
  }
}
