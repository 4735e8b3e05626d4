import { randomUUID } from 'node:crypto';
import { LogShare } from '#map-tiles/over-log/distribute-squares.js';
import type { Config } from '#platform/config/settings.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { createLogger } from '#platform/telemetry/pino-logger.js';
import { openTopicCodecs } from '#platform/wire/topic-codecs.js';
import { topics } from '#schemas/topics.js';
import { openLog, openRegistry } from '../adapters.js';
import { refuseLogWithoutRegistry } from '../context.js';

/** Distributes the squares of a map to `meridian tiles work`. */
export async function openLogShare(
  config: Config,
  objects: ObjectStore,
): Promise<{ readonly share: LogShare; close(): Promise<void> }> {
  refuseLogWithoutRegistry(config);
  const logger = createLogger({ name: 'tiles-build', level: config.LOG_LEVEL });
  const log = await openLog(config, logger);
  const registry = await openRegistry(config);
  await log.createTopics(topics);
  const codecs = await openTopicCodecs(registry);
  const share = await LogShare.open({ log, logger, objects, codecs, buildId: randomUUID() });
  return {
    share,
    async close() {
      await share.close();
      await log.close();
      await registry.close();
    },
  };
}
