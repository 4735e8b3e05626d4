import type { EventLog } from '#platform/event-log/event-log.js';
import type { CrashCodecs } from './crash-topics.js';

/**
 * What one run said, in its order, by topic and key; a record that came again under the same id counts once.
 */
export interface Outputs {
  readonly byKey: ReadonlyMap<string, readonly string[]>;
  readonly records: number;
  /** Came again after a crash, with the same bytes. */
  readonly repeated: number;
  /** Came again under the same id with other bytes. */
  readonly contradicted: number;
}

/** `suffix` is left out of all names, so that worlds can be compared. */
export async function readOutputs(log: EventLog, codecs: CrashCodecs, suffix: string): Promise<Outputs> {
  const byKey = new Map<string, string[]>();
  const seen = new Map<string, string>();
  let [records, repeated, contradicted] = [0, 0, 0];
  for (const { topic } of [codecs.trafficSegmentSpeed, codecs.trafficIncidentChanged]) {
    for (let partition = 0; partition < topic.partitions; partition++) {
      for await (const { key, value, headers } of log.read(topic.name, partition, 0)) {
        const id = headers['ce_id']!.replaceAll(suffix, '');
        const bytes = Buffer.from(value!).toString('base64');
        const before = seen.get(id);
        records++;
        if (before !== undefined) {
          if (before === bytes) repeated++;
          else contradicted++;
          continue;
        }
        seen.set(id, bytes);
        // Each input partition speaks in its own order; the id begins with where it stood.
        const of = `${topic.name.replace(suffix, '')}/${key}`;
        byKey.set(of, [...(byKey.get(of) ?? []), `${id} ${bytes}`]);
      }
    }
  }
  return { byKey, records, repeated, contradicted };
}

export function compareOutputs(after: Outputs, batch: Outputs) {
  const keys = new Set([...after.byKey.keys(), ...batch.byKey.keys()]);
  let cellsThatDiffer = 0;
  for (const key of keys)
    if (JSON.stringify(after.byKey.get(key)) !== JSON.stringify(batch.byKey.get(key))) cellsThatDiffer++;
  return {
    cells: keys.size,
    cellsThatDiffer,
    outputs: batch.records,
    repeatedAfterCrashes: after.repeated,
    contradicted: after.contradicted,
  };
}
