import type { EventLog } from '#platform/event-log/event-log.js';

/**
 * Records of the topic that the group has not processed. A partition in which it has committed nothing counts
 * whole, unlike in the lag that operators see.
 */
export async function consumerLag(
  log: Pick<EventLog, 'offsets' | 'committed'>,
  group: string,
  topic: string,
): Promise<number> {
  const committed = await log.committed(group, topic);
  let waiting = 0;
  for (const { partition, end } of await log.offsets(topic)) {
    const offset = Math.max(0, committed.find((one) => one.partition === partition)?.offset ?? 0);
    waiting += Math.max(0, end - offset);
  }
  return waiting;
}
