import { WrongSetting } from '../config/wrong-setting.js';
import type { EventLog } from './event-log.js';
import type { EventLogDeps } from './event-log-deps.js';
import { type KafkaServers, kafkaServersOf } from './kafka-servers.js';
import { LmdbEventLog } from './lmdb-event-log.js';

/**
 * Opens the log that `address` names: `embedded:./data/log` (`embedded:./data/log?flush=background`
 * acknowledges before the flush) or the Kafka of `kafkaServersOf`. Rejects with a sentence for a malformed
 * address.
 */
export async function openEventLog(address: string, deps: EventLogDeps = {}): Promise<EventLog> {
  const scheme = address.slice(0, address.indexOf(':') + 1);
  const rest = address.slice(scheme.length);
  if (scheme === 'embedded:') return openEmbedded(address, rest, deps);
  if (scheme === 'kafka:') return openKafka(kafkaServersOf(address), deps);
  throw new WrongSetting(
    `'${address}' is not the address of an event log: write embedded:./data/log or kafka://127.0.0.1:9092.`,
  );
}

async function openEmbedded(address: string, rest: string, deps: EventLogDeps): Promise<EventLog> {
  const [folder = '', query] = rest.split('?', 2);
  const flush = new URLSearchParams(query).get('flush') ?? 'every-commit';
  if (folder === '' || (flush !== 'every-commit' && flush !== 'background')) {
    throw new WrongSetting(
      `'${address}' is not the address of an embedded event log: write embedded:./data/log, ` +
        'optionally with ?flush=every-commit or ?flush=background.',
    );
  }
  return LmdbEventLog.open({ ...deps, folder, flush });
}

/** Loading its drivers takes a tenth of a second, so other starts do not load them. */
async function openKafka(servers: KafkaServers, deps: EventLogDeps): Promise<EventLog> {
  const { KafkaEventLog } = await import('./kafka-event-log.js');
  return new KafkaEventLog({ ...deps, ...servers });
}
