import { openEventLog } from '#platform/event-log/open-event-log.js';
import { openSchemaRegistry } from '#platform/wire/open-schema-registry.js';
import { openTopicCodecs } from '#platform/wire/topic-codecs.js';
import { required } from '../contracts/required-variable.js';
import { overLogCases } from './over-log-cases.js';

const address = required('EVENT_LOG', 'kafka://');
const registry = required('SCHEMA_REGISTRY_URL', 'http');

overLogCases('Kafka', async () => ({
  log: await openEventLog(address),
  codecs: await openTopicCodecs(await openSchemaRegistry(registry)),
  env: { EVENT_LOG: address, SCHEMA_REGISTRY_URL: registry },
}));
