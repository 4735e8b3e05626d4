import { Kafka, type logCreator, logLevel } from 'kafkajs';
import type { Logger } from '../telemetry/logger.js';
import type { KafkaServers } from './kafka-servers.js';

/** Short enough to report a dead broker within five seconds, long enough for a busy one. */
const RETRY = { initialRetryTime: 100, factor: 0.2, multiplier: 2, maxRetryTime: 1_000, retries: 4 } as const;

export function kafkaClient({ brokers, tls, login }: KafkaServers, logger: Logger): Kafka {
  return new Kafka({
    clientId: 'meridian',
    brokers: [...brokers],
    ...(tls === undefined ? {} : { ssl: tls }),
    ...(login === undefined ? {} : { sasl: login }),
    connectionTimeout: 1_500,
    requestTimeout: 5_000,
    retry: RETRY,
    logLevel: logLevel.WARN,
    logCreator: toLogger(logger),
  });
}

/** kafkajs reports many failures as errors that it retries itself, so we log them as warnings. */
function toLogger(logger: Logger): logCreator {
  return () =>
    ({ namespace, log }) => {
      const { message, timestamp: _timestamp, logger: _name, ...fields } = log;
      // We create a new producer after each failed send, as this warning recommends.
      if (message.startsWith('Limiting retries for the idempotent producer')) return;
      logger.warn(message, { ...fields, kafka: namespace });
    };
}
