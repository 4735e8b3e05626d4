import type { Logger } from '../telemetry/logger.js';
import { type LogFiles, writeLog } from './log-files.js';
import { recordIsSound } from './record-bytes.js';

/**
 * Records that are checked for damage by the last writes before a crash: more than any commit holds per
 * partition.
 */
const TAIL = 10_000;

/**
 * Verifies the newest records of every partition and cuts a partition off before the first one that is
 * missing or does not match its checksum, as Kafka does after an unclean stop. Only for a log that no other
 * process has open.
 */
export async function recoverTails(files: LogFiles, logger: Logger): Promise<void> {
  for (const { key, value } of [...files.partitions.getRange()]) {
    const [topic, partition] = key;
    const [end, bytes] = value;
    const table = files.records(topic, partition);
    const compacted = files.topics.get(topic)?.retention.policy === 'compact';
    let sound = end;
    for (let offset = end - 1; offset >= Math.max(0, end - TAIL); offset--) {
      const record = table.getBinaryFast(offset);
      if (record === undefined) {
        if (compacted) continue;
        // Below the oldest record kept there is nothing to verify.
        const [first] = table.getKeys({ limit: 1 });
        if (first === undefined || first > offset) break;
        sound = offset;
      } else if (!recordIsSound(record, offset)) sound = offset;
    }
    if (sound === end) continue;
    await writeLog(files, () => {
      for (const offset of [...table.getKeys({ start: sound })]) table.removeSync(offset);
      files.partitions.putSync([topic, partition], [sound, bytes]);
      for (const { key: place, value: next } of [...files.committed.getRange()])
        if (place[1] === topic && place[2] === partition && next > sound)
          files.committed.putSync(place, sound);
    }).committed;
    logger.error('The newest records of the event log were damaged and are removed.', {
      topic,
      partition,
      lost: end - sound,
      end: sound,
    });
  }
}
