import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSchemaRegistry } from '#platform/wire/open-schema-registry.js';
import { schemaRegistryContract } from './schema-registry.contract.js';

const folder = await mkdtemp(join(tmpdir(), 'schemas-'));

schemaRegistryContract({
  name: 'embedded',
  open: () => openSchemaRegistry(`embedded:${folder}`),
  dispose: () => rm(folder, { recursive: true }),
});
