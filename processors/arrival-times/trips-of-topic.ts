import type { EventLog } from '#platform/event-log/event-log.js';
import type { TopicCodecs } from '#platform/wire/topic-codecs.js';
import type { FinishedTrip } from '#routing-engine/arrival-times/arrival-model.js';

/** Finished trips of the log, of one tileset; records that cannot be decoded are left out. */
export async function* tripsOfTopic(
  log: EventLog,
  { navArrivalObserved }: Pick<TopicCodecs, 'navArrivalObserved'>,
  tilesetId: string,
): AsyncGenerator<FinishedTrip> {
  const { name } = navArrivalObserved.topic;
  for (const { partition, earliest } of await log.offsets(name))
    for await (const { value } of log.read(name, partition, earliest)) {
      if (value === null) continue;
      let message: ReturnType<typeof navArrivalObserved.decode>;
      try {
        message = navArrivalObserved.decode(value);
      } catch {
        continue;
      }
      const { features: row, physicalS, departedMs: departMs, actualS } = message;
      if (message.tilesetId === tilesetId) yield { row, physicalS, departMs, actualS };
    }
}
