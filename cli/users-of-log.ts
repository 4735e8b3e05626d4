import type { EventLog } from '#platform/event-log/event-log.js';
import { locationBatchRecorded } from '#schemas/topics.js';
import { CommandFailed } from './exit.js';

const usersMax = 100_000;

/** Users who sent locations that the log still has. */
export async function usersOfLog(log: EventLog): Promise<readonly string[]> {
  const users = new Set<string>();
  const { name } = locationBatchRecorded;
  for (const { partition, earliest } of await log.offsets(name))
    for await (const { key, value } of log.read(name, partition, earliest)) {
      if (value !== null) users.add(key);
      if (users.size > usersMax)
        throw new CommandFailed(`The event log has more than ${usersMax} users. Name some with --users.`);
    }
  return [...users].sort();
}
