import { openSchemaRegistry } from '#platform/wire/open-schema-registry.js';
import { required } from './required-variable.js';
import { schemaRegistryContract } from './schema-registry.contract.js';

const url = required('SCHEMA_REGISTRY_URL', 'http');

schemaRegistryContract({
  name: 'Confluent-compatible server',
  open: () => openSchemaRegistry(url),
  dispose: async () => {},
});
