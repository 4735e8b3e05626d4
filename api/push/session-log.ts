import type { EventLog } from '#platform/event-log/event-log.js';
import type { TopicCodec } from '#platform/wire/topic-codec.js';
import type { NavigationChanged } from '#schemas/messages.js';
import type { NavigationBook } from './navigation-book.js';

/** Writes what happens to navigations; resolves when it is durable. Rejects with `LogUnavailable`. */
export type SessionLog = (records: readonly NavigationChanged[]) => Promise<void>;

export const sessionLog =
  (log: EventLog, codec: TopicCodec<NavigationChanged>): SessionLog =>
  async (records) => {
    await log.append(
      codec.topic.name,
      records.map((record) => ({ key: record.userId, value: codec.encode(record) })),
    );
  };

/** Brings the topic up to the route that the book has for a navigation of this instance. */
export async function writeUnwritten(
  { book, append }: { readonly book: NavigationBook; readonly append: SessionLog },
  navigationId: string,
): Promise<void> {
  const record = book.unwritten(navigationId);
  if (record === undefined) return;
  await append([record]);
  book.written(record);
}
