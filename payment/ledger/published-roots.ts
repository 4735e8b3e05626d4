import type { EventLog } from '#platform/event-log/event-log.js';
import type { TopicCodec } from '#platform/wire/topic-codec.js';
import { noticeKind, type PaymentNotice } from '#schemas/messages.js';

/** Published chain heads, by the number of the batch. The ledger can agree with at most one per batch. */
export type PublishedRoots = ReadonlyMap<bigint, ReadonlySet<string>>;

/** All that the log retains. */
export async function readPublishedRoots(
  log: Pick<EventLog, 'offsets' | 'read'>,
  notices: TopicCodec<PaymentNotice>,
): Promise<PublishedRoots> {
  const topic = notices.topic.name;
  const roots = new Map<bigint, Set<string>>();
  for (const { partition, earliest } of await log.offsets(topic))
    for await (const { value } of log.read(topic, partition, earliest)) {
      const notice = value === null ? undefined : notices.decode(value);
      const match = /^(\d{1,18}) ([0-9a-f]{64})$/.exec(notice?.detail ?? '');
      if (notice?.kind !== noticeKind.ledgerRoot || match === null) continue;
      const batch = BigInt(match[1]!);
      const known = roots.get(batch);
      if (known === undefined) roots.set(batch, new Set([match[2]!]));
      else known.add(match[2]!);
    }
  return roots;
}
