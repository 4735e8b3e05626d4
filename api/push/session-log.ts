import type { EventLog } from '#platform/event-log/event-log.js';
import type { TopicCodec } from '#platform/wire/topic-codec.js';
import type { NavigationChanged } from '#schemas/messages.js';
import type { NavigationStore } from './navigation-store.js';

/** Writes the records of navigations; resolves when they are durable. Rejects with `LogUnavailable`. */
export type SessionLog = (records: readonly NavigationChanged[]) => Promise<void>;

export const sessionLog =
  (log: EventLog, codec: TopicCodec<NavigationChanged>): SessionLog =>
  async (records) => {
    await log.append(
      codec.topic.name,
      records.map((record) => ({ key: record.userId, value: codec.encode(record) })),
    );
  };

/** Appends the newest routes of this instance's navigations that the topic lacks, in one call. */
export async function writeUnwritten(
  { book, append }: { readonly book: NavigationStore; readonly append: SessionLog },
  navigationIds: Iterable<string>,
): Promise<void> {
  const records = [...new Set(navigationIds)].flatMap((id) => book.unwritten(id) ?? []);
  if (records.length === 0) return;
  await append(records);
  for (const record of records) book.written(record);
}
