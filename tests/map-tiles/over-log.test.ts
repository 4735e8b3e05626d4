import { join } from 'node:path';
import { openEventLog } from '#platform/event-log/open-event-log.js';
import { openSchemaRegistry } from '#platform/wire/open-schema-registry.js';
import { openTopicCodecs } from '#platform/wire/topic-codecs.js';
import { overLogCases } from './over-log-cases.js';

overLogCases('embedded', async (folder) => ({
  log: await openEventLog(`embedded:${join(folder, 'log')}`),
  codecs: await openTopicCodecs(await openSchemaRegistry(`embedded:${join(folder, 'schemas')}`)),
  env: {},
}));
